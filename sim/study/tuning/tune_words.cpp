// sim/study/tuning/tune_words.cpp — what a front comes to, and what speaks against believing it.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/study/tuning/tune.hpp"

namespace rehearse {
namespace {

constexpr double kStillGrowing = 0.01;  // of the volume, over the last quarter of the settings

std::size_t count_of(const TuneAnswer& answer, Fate fate) {
  return static_cast<std::size_t>(
      std::count_if(answer.front.begin(), answer.front.end(),
                    [&](const TunedSetting& each) { return each.fate == fate; }));
}

std::string counted(std::size_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

/// The part by which the volume grew over the last quarter of the settings.
double late_growth(const std::vector<TuneProgress>& progress) {
  const TuneProgress& last = progress.back();
  double before = progress.front().volume;
  for (const TuneProgress& each : progress) {
    if (4 * each.tried <= 3 * last.tried) before = each.volume;
  }
  return before > 0 ? last.volume / before - 1 : 0;
}

}  // namespace

std::string value_of_today(const StudyParameter& key, const SlurmConf& conf) {
  const bool is_word = key.change.ends_with('+');
  const std::string name = is_word ? key.change.substr(0, key.change.size() - 1) : key.change;
  const auto raw = std::find_if(conf.raw.begin(), conf.raw.end(), [&](const auto& one) {
    return equals_ignoring_case(one.first, name);
  });
  if (raw == conf.raw.end()) return std::string(kAsItIs);
  if (!is_word) return raw->second.text;
  const std::string_view begin = std::string_view(key.form).substr(0, key.form.find('{'));
  for (const text::Piece& word : text::split_at(raw->second.text, ',')) {
    const std::string_view text = trimmed(word.text);
    if (!begin.empty() && text.starts_with(begin)) return std::string(text.substr(begin.size()));
  }
  return std::string(kAsItIs);
}

std::string tune_sentence(const TuneAnswer& answer) {
  const std::size_t tried = answer.tried.size() - 1;
  if (answer.front.empty()) {
    return fmt::format("None of {} beats today's settings in any objective on the training weeks.",
                       counted(tried, "setting", "settings"));
  }
  std::string text =
      fmt::format("Of {}, {} on the front of the training weeks{}. ",
                  counted(tried, "setting", "settings"), counted(answer.front_size, "is", "are"),
                  answer.today_is_on_front ? ", as are today's" : "; today's are not");
  if (answer.front.size() < answer.front_size) {
    text +=
        fmt::format("The {} that lie farthest apart were measured again. ", answer.front.size());
  }
  return text + fmt::format(
                    "On the held-out weeks {} today's settings, {} off one objective for "
                    "another, {} not surely better in anything, and {}.",
                    counted(count_of(answer, Fate::Dominates), "dominates", "dominate"),
                    counted(count_of(answer, Fate::Trades), "trades", "trade"),
                    counted(count_of(answer, Fate::Unsure), "is", "are"),
                    counted(count_of(answer, Fate::Fails), "fails", "fail"));
}

void TuneStudy::add_doubts(TuneAnswer& answer) const {
  auto& doubts = answer.doubts;
  const std::size_t held_out = weeks_.spans(true).size();
  doubts.emplace_back(
      "Each week is a run of its own and begins with an empty cluster: what a week inherits from "
      "the one before is not in these figures.");
  if (answer.units.empty()) {
    doubts.push_back(fmt::format(
        "{} held out, and {} of each run: no interval can be given, so no setting is called surely "
        "better. A longer trace, shorter stretches (tune: days) or more replications with "
        "resample_users give one.",
        counted(held_out, "week is", "weeks are"),
        counted(study_.replications, "replication", "replications")));
  } else if (answer.units == "replications") {
    doubts.emplace_back(
        "Intervals are over draws of users in the held-out weeks as they were: what other weeks "
        "would bring is not in them.");
  }
  if (weeks_.jobs_left_out > 0) {
    doubts.push_back(fmt::format("{} submitted behind the last whole week have no part in this.",
                                 counted(weeks_.jobs_left_out, "job", "jobs")));
  }
  const double growth = late_growth(answer.progress);
  if (!answer.is_exhaustive && growth > kStillGrowing) {
    doubts.push_back(fmt::format(
        "The front still grew by {:.1f} % over the last quarter of the settings: more of them "
        "(samples) may find better ones; the same registry is continued.",
        100 * growth));
  }
  if (answer.failed > 0) {
    doubts.push_back(fmt::format(
        "{} could not run; rehearse query REGISTRY --sql \"SELECT point, error FROM points WHERE "
        "status = 'failed'\" says why.",
        counted(answer.failed, "setting", "settings")));
  }
  if (answer.broken > 0) {
    doubts.push_back(
        fmt::format("{} more jobs without a start, or killed for good, than today's and cannot be "
                    "on the front (tune: unstarted).",
                    counted(answer.broken, "setting leaves", "settings leave")));
  }
  if (!study_.set.empty() || !runner_.site().folder.set.empty()) {
    doubts.emplace_back(
        "The study or its scenario changes the site before anything is tuned (set:): today's "
        "settings here have those changes, and the patches do not.");
  }
  for (const TunedSetting& each : answer.front) {
    if (each.paste.by_hand.empty()) continue;
    doubts.push_back(
        fmt::format("Some changes have no line of their own in slurm.conf, and are "
                    "left to a hand: {}.",
                    fmt::join(each.paste.by_hand, "; ")));
    break;
  }
}

}  // namespace rehearse
