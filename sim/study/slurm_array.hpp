// sim/study/slurm_array.hpp — a study's points as a Slurm job array: submitted, waited for, merged.
//
// The one who submits holds the registry and merges what workers spool. Workers that Slurm requeues
// go on where they were; points of workers that died are submitted again. Nothing is lost, as a
// point waits until its line is merged, and nothing comes twice, as the registry keeps the first.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/study/registry.hpp"
#include "sim/study/spool.hpp"
#include "sim/study/sweep.hpp"

namespace rehearse {

/// How this program is called: the words of a worker begin with it.
struct SlurmCall {
  std::string program, study, registry;
};

class SlurmArray {
 public:
  using Told = std::function<void(const PointOutcome&)>;
  using Say = std::function<void(const std::string&)>;
  /// `study_fingerprint` tells a worker that the study is not the one that was submitted.
  SlurmArray(const StudyConf& study, StudyRegistry& registry, SlurmCall call,
             std::string study_fingerprint);

  enum class End : std::uint8_t { Done, Interrupted, Stuck };
  /// Until every point has an outcome. Stuck: array after array has ended without one more.
  /// Throws OutputError where Slurm refuses.
  [[nodiscard]] End run(const Told& told, const Say& say, const std::atomic<bool>* interrupted);
  /// Where workers write; its logs tell why one failed.
  [[nodiscard]] const std::filesystem::path& folder() const { return spool_.folder(); }
  /// Nothing in it is needed any more.
  void clean() const { spool_.remove(); }

  /// The words that submit `tasks` workers.
  [[nodiscard]] std::vector<std::string> sbatch_words(std::uint64_t submission,
                                                      std::uint64_t tasks) const;

 private:
  void submit(const std::vector<StudyPoint>& points, const Say& say);
  [[nodiscard]] bool is_queued() const;
  [[nodiscard]] std::size_t merge(const Told& told);

  const StudyConf& study_;
  StudyRegistry& registry_;
  SlurmCall call_;
  std::string study_fingerprint_;
  Spool spool_;
  Spool::Submission submission_;
};

/// One worker: its chunk's points, but for those that an earlier life has done. False: interrupted.
/// Throws InputError where the study is not the one that was submitted.
[[nodiscard]] bool work(PointRunner& runner, const Spool& spool, const SpoolTask& task,
                        const std::string& study_fingerprint, std::size_t threads,
                        const std::atomic<bool>* interrupted);

/// What workers and submitter must agree on.
[[nodiscard]] std::string fingerprint_of(const StudyDefinition& definition);

/// `REGISTRY.spool`
[[nodiscard]] std::filesystem::path spool_of(const std::filesystem::path& registry);

}  // namespace rehearse
