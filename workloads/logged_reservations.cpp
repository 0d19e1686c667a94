// workloads/logged_reservations.cpp — the times of a creation, from its line of slurmctld.log.
#include "workloads/logged_reservations.hpp"

#include "workloads/logged_instant.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kCreated = "sched: Created reservation=";

/// The word after `key`, up to a blank.
std::string_view word_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find(' '));
}

}  // namespace

std::optional<LoggedReservation> logged_reservation(std::string_view said, Time at,
                                                    const TimeZone& zone) {
  if (!said.starts_with(kCreated)) return std::nullopt;
  const auto start = zone.read(word_after(said, " start="));
  const auto end = zone.read(word_after(said, " end="));
  if (!start || !end) return std::nullopt;
  return LoggedReservation{at, std::string(word_after(said, kCreated)), *start, *end};
}

std::size_t sharpen(std::vector<AdminCommandAt>& commands,
                    const std::vector<LoggedReservation>& logged) {
  std::size_t sharpened = 0;
  LoggedInstants<LoggedReservation> instants(logged);
  for (AdminCommandAt& command : commands) {
    auto* change = std::get_if<ReservationCommand>(&command.action);
    if (change == nullptr || change->verb != ReservationVerb::Create) continue;
    const LoggedReservation* line = instants.take(
        command.at, [&](const LoggedReservation& each) { return each.name == change->words.name; });
    if (line == nullptr) continue;
    command.at = line->at;
    ++sharpened;
    // A start that moves with time stands in the log as if `now` were 1970.
    if (change->words.set.has(ReservationFlag::TimeFloat)) continue;
    change->words.start = line->start;
    change->words.end = line->end;
    change->words.duration.reset();
  }
  put_in_order(commands);
  return sharpened;
}

}  // namespace rehearse
