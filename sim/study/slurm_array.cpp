// sim/study/slurm_array.cpp — sbatch, squeue, and the spool between.
#include "sim/study/slurm_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/core/error.hpp"
#include "sim/output/output_error.hpp"
#include "sim/output/sha256.hpp"
#include "sim/study/child_process.hpp"
#include "sim/study/shell_word.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook{500};  // between looks into the spool
constexpr int kLooksPerQuestion = 6;             // to slurmctld
constexpr int kBarrenArrays = 2;                 // without one more point: it is no accident

}  // namespace

fs::path spool_of(const fs::path& registry) {
  fs::path folder = registry;
  return folder += ".spool";
}

std::string fingerprint_of(const StudyDefinition& definition) {
  std::string all;
  for (const auto& [key, value] : definition.entries) all += fmt::format("{}={}\n", key, value);
  for (const InputFile& each : definition.inputs) {
    all += fmt::format("{} {} {}\n", each.role, each.name, each.sha256);
  }
  return sha256(all);
}

SlurmArray::SlurmArray(const StudyConf& study, StudyRegistry& registry, SlurmCall call,
                       std::string study_fingerprint)
    : study_(study),
      registry_(registry),
      call_(std::move(call)),
      study_fingerprint_(std::move(study_fingerprint)),
      spool_(spool_of(call_.registry)) {}

std::vector<std::string> SlurmArray::sbatch_words(std::uint64_t submission,
                                                  std::uint64_t tasks) const {
  const StudySlurm& slurm = study_.slurm;
  std::string array = fmt::format("--array=0-{}", tasks - 1);
  if (slurm.throttle > 0) array += fmt::format("%{}", slurm.throttle);
  std::vector<std::string> words{
      "sbatch",
      "--parsable",
      "--requeue",
      "--open-mode=append",
      "--nodes=1",
      "--ntasks=1",
      "--job-name=rehearse-sweep",
      std::move(array),
      fmt::format("--cpus-per-task={}", slurm.cpus),
      "--chdir=" + fs::current_path().string(),
      fmt::format("--output={}/worker-%A-%a.log", fs::absolute(spool_.folder()).string())};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("--{}={}", option, value));
  };
  add("partition", slurm.partition);
  add("account", slurm.account);
  add("qos", slurm.qos);
  add("time", slurm.time);
  add("mem", slurm.memory);
  words.insert(words.end(), slurm.options.begin(), slurm.options.end());
  words.push_back(
      fmt::format("--wrap=exec {} sweep {} -o {} -j {} --worker {}:$SLURM_ARRAY_TASK_ID:"
                  "${{SLURM_RESTART_COUNT:-0}}",
                  shell_word(call_.program), shell_word(call_.study), shell_word(call_.registry),
                  slurm.cpus, submission));
  return words;
}

void SlurmArray::submit(const std::vector<StudyPoint>& points, const Say& say) {
  spool_.make();
  ++submission_.number;
  const std::uint64_t tasks = std::min<std::uint64_t>(study_.slurm.workers, points.size());
  for (std::uint64_t task = 0; task < tasks; ++task) {
    SpoolChunk chunk{study_fingerprint_, {}};
    for (std::uint64_t i = task; i < points.size(); i += tasks) chunk.points.push_back(points[i]);
    spool_.write_chunk({submission_.number, task, 0}, chunk);
  }
  const ChildResult done = run_child(sbatch_words(submission_.number, tasks));
  if (done.exit != 0) {
    throw OutputError("sbatch", fmt::format("exit code {}: {}", done.exit, trimmed(done.output)));
  }
  // `ID` or `ID;CLUSTER`, and warnings may stand before it.
  std::string last(trimmed(done.output));
  last = last.substr(last.rfind('\n') + 1);
  submission_.job = last.substr(0, last.find(';'));
  spool_.write_submission(submission_);
  say(fmt::format("job array {}: {} points by {} workers", submission_.job, points.size(), tasks));
}

bool SlurmArray::is_queued() const {
  const ChildResult done = run_child({"squeue", "-h", "-r", "-j", submission_.job, "-o", "%T"});
  // An id that slurmctld has forgotten is an error of squeue's, one that it cannot ask too: then
  // the array may well be running.
  if (done.exit != 0) return done.output.find("Invalid job id") == std::string::npos;
  return !trimmed(done.output).empty();
}

std::size_t SlurmArray::merge(const Told& told) {
  std::size_t merged = 0;
  for (const PointOutcome& outcome : spool_.take_new()) {
    if (!registry_.record(outcome)) continue;
    ++merged;
    told(outcome);
  }
  return merged;
}

SlurmArray::End SlurmArray::run(const Told& told, const Say& say,
                                const std::atomic<bool>* interrupted) {
  (void)merge(told);
  bool queued = false;
  if (const auto under_way = spool_.read_submission()) {
    submission_ = *under_way;
    queued = is_queued();
    if (queued) say(fmt::format("job array {} is under way", submission_.job));
  }
  int barren = 0;
  std::size_t since_submission = 0;
  for (int look = 0;; ++look) {
    since_submission += merge(told);
    if (registry_.counts().waiting == 0) return End::Done;
    if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) {
      return End::Interrupted;
    }
    if (!queued) {
      if (barren >= kBarrenArrays) return End::Stuck;
      submit(registry_.to_run(false), say);
      queued = true;
      since_submission = 0;
      look = 0;
    }
    std::this_thread::sleep_for(kLook);
    if (look % kLooksPerQuestion != kLooksPerQuestion - 1) continue;
    queued = is_queued();
    if (!queued) {  // the last lines were written before it left the queue
      since_submission += merge(told);
      barren = since_submission > 0 ? 0 : barren + 1;
    }
  }
}

bool work(PointRunner& runner, const Spool& spool, const SpoolTask& task,
          const std::string& study_fingerprint, std::size_t threads,
          const std::atomic<bool>* interrupted) {
  SpoolChunk chunk = spool.read_chunk(task);
  if (chunk.study != study_fingerprint) {
    throw InputError({runner.study().file.string(), 0, 0},
                     "is not the study that was submitted: it, its inputs or the program have "
                     "changed",
                     "begin another registry: rehearse sweep --slurm -o FILE");
  }
  std::set<std::uint32_t> done;
  for (const PointOutcome& outcome : spool.results_of(task)) done.insert(outcome.point);
  SpoolWriter writer(spool, task);
  std::erase_if(chunk.points, [&](const StudyPoint& point) { return done.contains(point.number); });
  const auto keep = [&](const PointOutcome& outcome) { writer.write(outcome); };
  return sweep(runner, chunk.points, keep, threads, interrupted);
}

}  // namespace rehearse
