// sim/study/spool.hpp — how workers on other hosts get their points, and give back what came of
// them.
//
// A folder beside the registry, on a filesystem that all hosts see:
//   chunk-S-T.json        the points of task T of submission S; written whole, then renamed
//   results-S-T-R.jsonl   what worker T came to in its R-th life: a line a point, appended and
//                         flushed; a file has one writer ever
//   submission.json       the job array that is under way
// No lock is taken across hosts, and workers never open the registry: one process merges their
// lines. A line that was torn by the death of its writer has no end, and is not read; its point
// runs again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/point.hpp"

namespace rehearse {

/// A worker's place in the array.
struct SpoolTask {
  std::uint64_t submission = 1, task = 0, life = 0;
};

/// The points of a worker, and for which study they are meant.
struct SpoolChunk {
  std::string study;  ///< fingerprint of the definition
  std::vector<StudyPoint> points;
};

/// An outcome as a line of JSON, and back; none: torn, or none of ours. Figures keep every bit.
[[nodiscard]] std::string to_line(const PointOutcome& outcome);
[[nodiscard]] std::optional<PointOutcome> outcome_of_line(const std::string& line);

class Spool {
 public:
  explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void write_chunk(const SpoolTask& task, const SpoolChunk& chunk) const;
  /// Throws InputError: there is none, or it is damaged.
  [[nodiscard]] SpoolChunk read_chunk(const SpoolTask& task) const;
  /// What the earlier lives of this worker have come to.
  [[nodiscard]] std::vector<PointOutcome> results_of(const SpoolTask& task) const;

  /// Whole lines that have come since the last call, file by file.
  [[nodiscard]] std::vector<PointOutcome> take_new();

  /// The array that is under way: its number of submission and Slurm's job id.
  struct Submission {
    std::uint64_t number = 0;
    std::string job;
  };
  void write_submission(const Submission& submission) const;
  [[nodiscard]] std::optional<Submission> read_submission() const;

  void make() const;
  /// Everything that was spooled is in the registry.
  void remove() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::size_t> read_;  // bytes of each file
};

/// The one writer of a results file.
class SpoolWriter {
 public:
  /// Throws OutputError.
  SpoolWriter(const Spool& spool, SpoolTask task);
  SpoolWriter(const SpoolWriter&) = delete;
  SpoolWriter& operator=(const SpoolWriter&) = delete;
  SpoolWriter(SpoolWriter&&) = delete;
  SpoolWriter& operator=(SpoolWriter&&) = delete;
  ~SpoolWriter();
  /// On the disk when it returns.
  void write(const PointOutcome& outcome);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace rehearse
