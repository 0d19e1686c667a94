// workloads/openb.cpp — Alibaba's GPU-sharing trace of 2023 (openb): a row a pod of Kubernetes.
//
// A part of a GPU (gpu_milli below 1000) is asked for as shards, eight of them a GPU, rounded up.
// No user, account or limit is logged: user and account come from the QOS class, and the next round
// limit above 1.5 times the run time is invented.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/units.hpp"
#include "workloads/csv_trace.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_openb(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

enum Field : std::size_t {
  kName,
  kCpuMilli,
  kMemory,
  kGpus,
  kGpuMilli,
  kSpec,
  kQos,
  kPhase,
  kCreated,
  kDeleted,
  kScheduled
};
constexpr std::array<TraceColumn, 11> kPodColumns{{{"name"},
                                                   {"cpu_milli"},
                                                   {"memory_mib"},
                                                   {"num_gpu"},
                                                   {"gpu_milli"},
                                                   {"gpu_spec"},
                                                   {"qos"},
                                                   {"pod_phase"},
                                                   {"creation_time"},
                                                   {"deletion_time"},
                                                   {"scheduled_time"}}};
constexpr std::uint64_t kShards = 8, kWholeGpu = 1000;
constexpr std::int64_t kSecondZero = 1672617600;  // 2023-01-02T00:00:00Z, a Monday

class PodList {
 public:
  PodList(const InputText& input, ImportReport& report, RowFindings& found)
      : rows_(input.text, kPodColumns, report, found), report_(report) {}

  std::string read() {
    while (rows_.next()) {
      SacctLine line;
      if (read_row(line)) lines_.push_back(std::move(line));
    }
    // What ends with the trace was still running.
    for (SacctLine& line : lines_) {
      if (!line.start || !line.end || *line.end < last_end_) continue;
      line.state = "RUNNING";
      line.end.reset();
      ++running_;
    }
    report_.jobs = report_.tasks = report_.job_rows = lines_.size();
    report_.notes.push_back(
        fmt::format("second 0 is 2023-01-02T00:00:00; {} pods ran at the end", running_));
    report_.notes.push_back(fmt::format(
        "{} pods share a GPU: gres/shard, {} of them a GPU, rounded up", shared_, kShards));
    if (constrained_ > 0) {
      report_.notes.push_back(fmt::format(
          "{} pods may have any of several GPU models, which is not asked for", constrained_));
    }
    report_.notes.push_back(
        "no user, account or limit logged: user and account are the class of service, limits the "
        "next round value at or above 1.5 times the run time");
    return sacct_text_of(std::move(lines_));
  }

 private:
  bool read_row(SacctLine& line) {
    const auto cpus = rows_.whole(kCpuMilli, "thousandths of a CPU");
    const auto memory = cpus ? rows_.whole(kMemory, "MiB") : std::nullopt;
    const auto gpus = memory ? rows_.whole(kGpus, "a number of GPUs") : std::nullopt;
    const auto milli = gpus ? rows_.whole(kGpuMilli, "thousandths of a GPU") : std::nullopt;
    const auto created = milli ? rows_.whole(kCreated, "a second of the trace") : std::nullopt;
    if (!created) return false;
    if (*milli > kWholeGpu) return rows_.refuse(kGpuMilli, "is more than a GPU");
    line.job_id = static_cast<std::uint32_t>(rows_.row());
    line.name = rows_[kName];
    line.qos = to_lower(rows_[kQos]);
    line.account = line.qos;
    line.user = "u_" + line.qos;
    line.partition = "gpu";
    line.cpus = std::max<std::uint64_t>(1, (*cpus + 999) / 1000);
    line.memory_mib = *memory;
    line.submit = from_epoch_seconds(kSecondZero + static_cast<std::int64_t>(*created));
    ask_gpus(*gpus, *milli, line);
    return read_run(line);
  }

  void ask_gpus(std::uint64_t gpus, std::uint64_t milli, SacctLine& line) {
    const std::string spec = to_lower(rows_[kSpec]);
    const bool any_of = spec.find('|') != std::string::npos;
    if (any_of) ++constrained_;
    if (gpus == 1 && milli > 0 && milli < kWholeGpu) {
      ++shared_;
      line.gres = fmt::format(",gres/shard={}", (milli * kShards + kWholeGpu - 1) / kWholeGpu);
    } else if (gpus > 0 && !spec.empty() && !any_of) {
      line.gres = fmt::format(",gres/gpu:{0}={1},gres/gpu={1}", spec, gpus);
    } else {
      line.gpus = gpus;
    }
    gpu_milli_ = gpus == 1 && milli > 0 ? milli : gpus * kWholeGpu;
  }

  bool read_run(SacctLine& line) {
    const auto deleted = rows_.whole(kDeleted, "a second of the trace");
    if (!deleted) return false;
    line.end = from_epoch_seconds(kSecondZero + static_cast<std::int64_t>(*deleted));
    if (*line.end < line.submit) return rows_.refuse(kDeleted, "is before the pod was made");
    last_end_ = std::max(last_end_, *line.end);
    if (rows_[kScheduled].empty()) {
      line.state = "CANCELLED";  // never ran
      return true;
    }
    const auto scheduled = rows_.whole(kScheduled, "a second of the trace");
    if (!scheduled) return false;
    line.start = from_epoch_seconds(kSecondZero + static_cast<std::int64_t>(*scheduled));
    if (*line.end < *line.start) return rows_.refuse(kDeleted, "is before the start");
    line.elapsed = *line.end - *line.start;
    line.time_limit = invented_limit(line.elapsed);
    line.state = rows_[kPhase] == "Failed" ? "FAILED" : "COMPLETED";
    line.exit_code = line.state == "FAILED" ? 1 : 0;
    report_.add_run(gpu_milli_, line.elapsed);
    return true;
  }

  CsvTrace rows_;
  ImportReport& report_;
  std::vector<SacctLine> lines_;
  SlurmTime last_end_;
  std::uint64_t shared_ = 0, constrained_ = 0, running_ = 0, gpu_milli_ = 0;
};

}  // namespace

std::string import_openb(const InputText& input, const ImportOptions&, ImportReport& report,
                         Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  std::string text = PodList(input, report, findings).read();
  findings.close();
  return text;
}

}  // namespace rehearse
