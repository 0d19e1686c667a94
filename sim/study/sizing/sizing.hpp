// sim/study/sizing/sizing.hpp — how many nodes of one kind meet a target, and how sure that is.
//
// Each count is one run of the same jobs with the same seed. How sure a count is, is asked of that
// one run: whole users are drawn anew (resampling.hpp), the same draws at every count.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/calibration/waits.hpp"
#include "sim/study/sizing/node_kind.hpp"
#include "sim/study/sizing/search.hpp"
#include "sim/study/sizing/sized_jobs.hpp"
#include "sim/study/sizing/target.hpp"

namespace rehearse {

struct SizeRequest {
  std::filesystem::path site;
  LoadOptions options;
  std::string node_type;
  SizeTarget target;
  std::optional<std::uint32_t> min, max;  ///< none: 1, and four times today's
  double confidence = 0.9;                ///< in (0, 1]
  std::optional<double> price_gpu_hour;   ///< none: site.yaml's
  ResamplingOptions draws;
  bool every = false;       ///< try every count
  std::size_t threads = 1;  ///< simulations at once; the answer does not depend on it
};

/// What one count comes to.
struct TriedCount {
  std::uint32_t count = 0;
  TargetAnswer target;
  std::string error;  ///< empty, or why the site cannot be put together with so many nodes
  /// While jobs arrive; NaN: nothing there. Of SMs where MIG cuts GPUs, as `gpus` are physical.
  double gpu_utilization = 0, cpu_utilization = 0;
  double gpus = 0;                   ///< of the whole cluster
  std::optional<double> cost_month;  ///< of all its GPUs; none: no price
  std::size_t jobs = 0, gave_up = 0;
  std::uint64_t schedule_fingerprint = 0;
};

inline constexpr double kHoursOfMonth = 730;

struct SizeAnswer {
  NodeKind kind;
  std::uint32_t today = 0;
  CountBounds bounds;
  CountSearch search;
  std::vector<TriedCount> tried;    ///< by count
  std::optional<std::size_t> knee;  ///< of `tried`, by the first figure
  std::size_t jobs = 0, users = 0, never_started = 0;
  std::size_t unrecorded = 0;  ///< jobs that start with the most nodes, and never did on record
  bool has_mig = false;
  std::string currency;
  std::unique_ptr<WaitCalibration> baseline;  ///< none: today's count was not tried as it is
  std::vector<std::string> doubts;            ///< one sentence each
  std::string sentence;                       ///< the answer, for a person
  [[nodiscard]] const TriedCount& at(std::uint32_t count) const;
};

class SizeStudy {
 public:
  /// Loads the site and finds its nodes. Throws InputError and NodeKindError; warnings are left in
  /// `found`.
  SizeStudy(SizeRequest request, Diagnostics& found);

  /// Tells of each batch of counts before it is run. Throws InputError where the site cannot be put
  /// together with the most nodes, ConditionError where the target names what no job is of.
  [[nodiscard]] SizeAnswer run(const std::function<void(const std::vector<std::uint32_t>&)>& told,
                               const std::atomic<bool>* interrupted);

  [[nodiscard]] const CountBounds& bounds() const { return bounds_; }

 private:
  struct Run;
  [[nodiscard]] Run run_one(std::uint32_t count, const std::atomic<bool>* interrupted) const;
  [[nodiscard]] std::vector<Run> run_all(const std::vector<std::uint32_t>& counts,
                                         const std::atomic<bool>* interrupted) const;
  [[nodiscard]] TriedCount measure(const Run& run) const;
  void begin(const Run& largest);
  void add_doubts(SizeAnswer& answer) const;

  SizeRequest request_;
  std::unique_ptr<LoadedSite> site_;  // never run: others read its jobs
  NodeKind kind_;
  CountBounds bounds_;
  Window window_;
  std::unique_ptr<JobsAtMost> most_;
  bool has_mig_ = false;
  std::unique_ptr<UserDraws> draws_;
  std::unique_ptr<WaitCalibration> baseline_;
  std::string held_by_limits_;  ///< a doubt, or empty
  std::string few_users_;       ///< another
};

/// A doubt where most of the hours that jobs pend with so many nodes are for limits; or empty.
[[nodiscard]] std::string limits_text(const Result& result, std::uint32_t count);

/// The answer in one sentence or a few.
[[nodiscard]] std::string size_sentence(const SizeAnswer& answer, const SizeRequest& request);

}  // namespace rehearse
