// sim/config/feedback_conf.hpp — the section `feedback` of site.yaml: whether submissions answer to
// the ends of jobs. Every key: configs/reference.yaml.
#pragma once

#include <cstdint>

#include "sim/core/time.hpp"

namespace rehearse {

class ConfigNode;

/// When jobs are submitted: as recorded, or as long after an end as in the record.
enum class FeedbackMode : std::uint8_t { Open, ThinkTime };
/// When a session begins: at its recorded time, or as long after the end before it as in the
/// record.
enum class SessionStart : std::uint8_t { Recorded, Linked };

/// Neutral unless `mode` says otherwise: an open replay.
struct FeedbackConf {
  FeedbackMode mode = FeedbackMode::Open;
  Duration think_time_limit{std::int64_t{20} * 60 * 1'000'000};
  Duration session_gap{std::int64_t{3600} * 1'000'000};
  SessionStart sessions = SessionStart::Recorded;

  [[nodiscard]] bool is_open() const { return mode == FeedbackMode::Open; }
};

/// Reads the section of `parent` into `conf`: what is not there stays.
void read_feedback_keys(ConfigNode& parent, FeedbackConf& conf);

}  // namespace rehearse
