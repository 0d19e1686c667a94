// tests/unit/study/crowd.hpp — a crowded cluster of many users, run to its end: results to compare.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "sim/study/comparison/side.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {

/// Writes a site of four nodes of 8 GPUs and 36 users of three accounts, who submit a job every
/// 288 s, and runs it.
class Crowd {
 public:
  explicit Crowd(std::size_t jobs = 250) {
    folder_.write("slurm.conf",
                  "ClusterName=crowd\nSlurmctldHost=h\nSelectType=select/cons_tres\n"
                  "SelectTypeParameters=CR_Core\nGresTypes=gpu\nPriorityType=priority/multifactor\n"
                  "PriorityWeightAge=1000\nPriorityWeightJobSize=1000\n"
                  "NodeName=n[1-4] CPUs=16 RealMemory=64000 Gres=gpu:8\n"
                  "PartitionName=p Nodes=ALL Default=YES MaxTime=1-0\n");
    std::string rows =
        "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|"
        "ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES\n";
    Rng rng(7, "tests/crowd");
    for (std::size_t i = 1; i <= jobs; ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i * 288);
      const std::int64_t user = rng.between(0, 35);
      const std::int64_t gpus = std::int64_t{1} << rng.between(0, 3);
      const std::int64_t length = rng.between(600, 18000);
      const std::string tres = fmt::format("billing=1,cpu=2,gres/gpu={},node=1", gpus);
      rows += fmt::format(
          "{0}|{0}|u{1}|a{2}|p|normal|{3}|{3}|{4}|{5}|{6}|COMPLETED|0:0|1|2|{7}|{7}\n", i, user,
          user % 3, stamp(at), stamp(at + length), length, length / 60 + 30, tres);
    }
    folder_.write("sacct.txt", rows);
  }

  [[nodiscard]] std::filesystem::path path() const { return folder_.path(); }

  [[nodiscard]] Side run(const std::vector<std::string>& set) const {
    SideRequest request;
    request.path = folder_.path();
    request.options.set = set;
    Diagnostics found;
    return load_side(request, {"test", "test"}, nullptr, nullptr, found);
  }

 private:
  static std::string stamp(std::int64_t second) {
    return fmt::format("2025-01-{:02}T{:02}:{:02}:{:02}", 1 + second / 86400, second / 3600 % 24,
                       second / 60 % 60, second % 60);
  }

  ScratchFolder folder_;
};

}  // namespace rehearse::test
