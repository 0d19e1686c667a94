// sim/study/point.hpp — one point of a study: its site, its run, its figures.
//
// Points may run side by side, one simulation a thread: each has a cluster of its own, and all that
// read the same jobs share them. HDF5 is not made for threads: files are written one after another.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/output/result.hpp"
#include "sim/study/point_options.hpp"
#include "sim/study/site_provenance.hpp"

namespace rehearse {

enum class PointStatus : std::uint8_t { Waiting, Complete, Failed };
[[nodiscard]] std::string_view to_text(PointStatus status);

/// What a point came to. Nothing in it depends on when or where it ran.
struct PointOutcome {
  std::uint32_t point = 0;
  PointStatus status = PointStatus::Waiting;
  std::string error;  ///< of a failed one: what the inputs lack, as `run` would print it
  std::uint64_t schedule_fingerprint = 0, event_fingerprint = 0;
  /// Of the whole run, then the objectives of groups; NaN: there is nothing to measure.
  std::vector<std::pair<std::string, double>> kpis;
  std::string file;  ///< its result file, relative to the registry; empty: none
};

class PointRunner {
 public:
  /// Reads the site as it is, without any parameter, and its jobs. `beside` is where `results:` is.
  /// Throws InputError where the site itself cannot run.
  PointRunner(const StudyConf& study, const ProgramVersion& program, std::filesystem::path beside,
              Diagnostics& found);

  /// Runs the point. None: interrupted. Inputs that are wrong fail the point; what fails the
  /// machine (a disk that is full) is thrown. May be called by many threads at once.
  [[nodiscard]] std::optional<PointOutcome> run(const StudyPoint& point,
                                                const std::atomic<bool>* interrupted);

  /// Every input of the site as it is.
  [[nodiscard]] std::vector<InputFile> inputs() const;
  [[nodiscard]] const StudyConf& study() const { return study_; }
  [[nodiscard]] const LoadedSite& site() const { return *readers_.front(); }

 private:
  [[nodiscard]] std::unique_ptr<LoadedSite> load(const LoadOptions& options);
  [[nodiscard]] std::vector<const LoadedSite*> readers();
  [[nodiscard]] PointOutcome outcome_of(const StudyPoint& point, const LoadedSite& site,
                                        const LoadOptions& options, const Result& result);

  const StudyConf& study_;
  ProgramVersion program_;
  std::filesystem::path beside_;
  std::mutex readers_lock_, file_lock_;
  std::vector<std::unique_ptr<LoadedSite>> readers_;  // never run: others read their jobs
};

}  // namespace rehearse
