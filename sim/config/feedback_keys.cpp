// sim/config/feedback_keys.cpp — the keys of the section `feedback`.
#include "sim/config/feedback_conf.hpp"
#include "sim/config/word_choice.hpp"

namespace rehearse {

void read_feedback_keys(ConfigNode& parent, FeedbackConf& conf) {
  constexpr Duration kNone{0};
  constexpr Duration kMost{std::int64_t{366} * 86400 * 1'000'000};  // a year
  ConfigNode feedback = parent.child("feedback");
  read_word<FeedbackMode, 2>(
      feedback, "mode", conf.mode,
      {{{"open", FeedbackMode::Open}, {"think_time", FeedbackMode::ThinkTime}}});
  feedback.read("think_time_limit", conf.think_time_limit, {kNone, kMost});
  feedback.read("session_gap", conf.session_gap, {kNone, kMost});
  read_word<SessionStart, 2>(
      feedback, "sessions", conf.sessions,
      {{{"recorded", SessionStart::Recorded}, {"linked", SessionStart::Linked}}});
  feedback.finish();
}

}  // namespace rehearse
