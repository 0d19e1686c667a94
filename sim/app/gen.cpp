// sim/app/gen.cpp — `rehearse gen`: the jobs of a generator, as a site's sacct text.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/app/verb.hpp"
#include "sim/core/error.hpp"
#include "sim/output/output_place.hpp"
#include "sim/output/text_file.hpp"
#include "workloads/generator/generate.hpp"

namespace rehearse {
namespace {

/// A name of a file of jobs; all else is a site folder.
bool is_job_file(const std::string& output) {
  const std::string name = std::filesystem::path(output).filename().string();
  return output == "-" || name.find(".txt") != std::string::npos;
}

class Gen final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "gen"; }
  [[nodiscard]] std::string_view summary() const override {
    return "draw jobs from a model of users, sessions and kinds of jobs";
  }

  void describe(CLI::App& command) override {
    command.footer(
        "\nThe model's keys: configs/reference.yaml (generator), configs/generators.\n"
        "`rehearse fit SITE -o SPEC.yaml` makes one from a site's own jobs.");
    command.add_option("SPEC", spec_, "the generator (.yaml)")->required();
    command
        .add_option("-o,--output", output_,
                    "a site folder, which gets sacct.txt.xz; or a file of jobs (.txt, .txt.xz); - "
                    "is stdout")
        ->type_name("OUT")
        ->required();
    command.add_option("--seed", seed_, "the seed of all chance, instead of the generator's")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--rate", rate_, "so many times the sessions of the generator")
        ->type_name("X")
        ->check(CLI::Range(0.0, 1e6));
    command
        .add_option("--associations", cluster_,
                    "also write assoc.dump: the accounts and users, of a cluster of this name")
        ->type_name("CLUSTER");
    command.add_flag("--force", force_, "write over files that are there");
  }

  [[nodiscard]] Files files() const override {
    return {{output_, output_ + "/sacct.txt.xz"}, {spec_}};
  }

  Exit run() override {
    if (!cluster_.empty() && is_job_file(output_)) {
      return usage_error(name(), "--associations is for a site folder", "-o mysite");
    }
    GeneratorConf conf = read_generator(spec_);
    if (seed_ >= 0) conf.seed = static_cast<std::uint64_t>(seed_);
    if (rate_ >= 0) conf.rate *= rate_;
    const TimeZone zone = TimeZone::find(conf.time_zone).value_or(TimeZone::utc());
    SessionCounts sessions;
    const std::vector<WorkloadJob> jobs = generate(conf, &sessions);
    if (jobs.empty()) {
      throw InputError({spec_, 0, 0}, "not one job is drawn", "a longer span, or a higher rate");
    }
    write(jobs, zone, conf);
    tell(jobs, zone, conf);
    tell_lost(sessions);
    return Exit::Ok;
  }

 private:
  void write(const std::vector<WorkloadJob>& jobs, const TimeZone& zone,
             const GeneratorConf& conf) const {
    const std::string rows = sacct_text_of(jobs, zone, conf.first_id);
    if (is_job_file(output_)) {
      if (output_ != "-") refuse_existing(output_);
      write_text_file(output_, rows);
      return;
    }
    const std::filesystem::path site(output_);
    refuse_existing(site / "sacct.txt.xz");
    if (!cluster_.empty()) refuse_existing(site / "assoc.dump");
    std::error_code failure;
    std::filesystem::create_directories(site, failure);
    if (failure) throw InputError({output_, 0, 0}, failure.message());
    write_text_file(site / "sacct.txt.xz", rows);
    if (!cluster_.empty()) write_text_file(site / "assoc.dump", associations_of(jobs, cluster_));
  }

  void refuse_existing(const std::filesystem::path& path) const {
    if (!force_) require_absent(path);
  }

  static void tell_lost(const SessionCounts& sessions) {
    constexpr double kFew = 0.01;
    const auto all = static_cast<double>(sessions.drawn);
    if (static_cast<double>(sessions.without_time) < kFew * all) return;
    fmt::print(stderr,
               "note: {} of {} sessions find no time within the span, as their users are still at "
               "those before: more users (count) make more jobs, a higher rate hardly does\n",
               sessions.without_time, sessions.drawn);
  }

  void tell(const std::vector<WorkloadJob>& jobs, const TimeZone& zone,
            const GeneratorConf& conf) const {
    std::set<std::string, std::less<>> users;
    std::size_t runs = 0;
    std::size_t arrays = 0;
    double gpu_hours = 0;
    for (const WorkloadJob& job : jobs) {
      users.insert(job.user);
      runs += job.runs.size();
      arrays += job.is_array ? 1 : 0;
      for (const DrawnRun& run : job.runs) {
        if (run.end == JobEnd::CancelledPending) continue;
        gpu_hours += static_cast<double>(job.gpus()) * static_cast<double>(run.seconds) / 3600.0;
      }
    }
    fmt::print(stderr,
               "{} jobs ({} submissions, {} arrays) of {} users, {} to {}, {:.0f} GPU-hours, seed "
               "{}\nwrote {}\n",
               runs, jobs.size(), arrays, users.size(), zone.print(jobs.front().submit),
               zone.print(jobs.back().submit), gpu_hours, conf.seed, output_);
  }

  std::string spec_, output_, cluster_;
  std::int64_t seed_ = -1;
  double rate_ = -1;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_gen() {
  return std::make_unique<Gen>();
}

}  // namespace rehearse
