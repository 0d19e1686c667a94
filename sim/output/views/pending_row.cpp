// sim/output/views/pending_row.cpp — what intervals of Reasons and plans say of one instant.
#include "sim/output/views/pending_row.hpp"

namespace rehearse {

std::string reason_at(const Result& result, std::size_t row, std::uint32_t wait) {
  if (wait == kNoRow) {
    return std::string(to_text(static_cast<Reason>(result.runs.reason[row])));
  }
  const std::string& text = text_of(result.names.text, result.waits.text[wait]);
  if (!text.empty()) return text;
  return std::string(to_text(static_cast<Reason>(result.waits.reason[wait])));
}

bool lost_its_reservation(const Result& result, std::size_t row, std::uint32_t wait) {
  const auto reason = wait == kNoRow ? result.runs.reason[row] : result.waits.reason[wait];
  return static_cast<Reason>(reason) == Reason::ReservationDeleted;
}

std::map<std::uint32_t, std::size_t> plans_at(const PlanColumns& plans, std::int64_t at) {
  std::map<std::uint32_t, std::size_t> standing;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans.begin[i] <= at && at < plans.end[i]) standing[plans.job_id[i]] = i;
  }
  return standing;
}

std::optional<std::size_t> plan_of(const RunColumns& runs, std::size_t row,
                                   const std::map<std::uint32_t, std::size_t>& plans) {
  auto plan = plans.find(runs.job_id[row]);
  if (plan == plans.end() && runs.restarts[row] == 0) plan = plans.find(runs.array_job[row]);
  return plan == plans.end() ? std::nullopt : std::optional(plan->second);
}

std::optional<std::int64_t> begin_to_come(const Result& result, std::size_t row, std::uint32_t wait,
                                          std::int64_t at) {
  const auto reason = wait == kNoRow ? result.runs.reason[row] : result.waits.reason[wait];
  const std::int64_t begin = result.runs.eligible[row];
  const bool waits = static_cast<Reason>(reason) == Reason::BeginTime && begin != kNoTime;
  return waits && begin > at ? std::optional(begin) : std::nullopt;
}

}  // namespace rehearse
