// sim/app/compare_text.cpp — a comparison in tables: the verdict first, then figures, then who.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sim/app/compare_print.hpp"
#include "sim/app/text_wrap.hpp"
#include "sim/config/lint.hpp"
#include "sim/output/text_page.hpp"
#include "sim/study/comparison/moved_jobs.hpp"
#include "sim/study/report/decided_words.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kWhales = 3;  // the largest groups are shown whatever befalls them

std::string value_text(double value, std::string_view units) {
  if (!std::isfinite(value)) return "-";
  if (units == "s") return span_text(value);
  const bool is_whole = value == std::floor(value) && std::abs(value) < 1e9;
  if (is_whole && units == "1") return fmt::format("{:.0f}", value);
  return std::abs(value) < 100 ? fmt::format("{:.2f}", value) : fmt::format("{:.0f}", value);
}

std::string interval_text(const Figure& figure) {
  if (!figure.sure.difference) return figure.users > 0 ? "no interval" : "";
  return fmt::format("{} .. {}", difference_text(figure.sure.difference->low, *figure.info),
                     difference_text(figure.sure.difference->high, *figure.info));
}

class Text : private TextPage {
 public:
  Text(const Comparison& value, const ComparePrint& print)
      : TextPage(print.colours), value_(value), print_(print) {}

  std::string write() {
    sentence(value_.sentence(), "");
    if (print_.populations != nullptr) sentence(populations_sentence(*print_.populations), "");
    line("");
    sentence("A  " + value_.a->label, "   ");
    sentence("B  " + value_.b->label, "   ");
    policies();
    const JobPairs& pairs = value_.pairs;
    line(fmt::format("{} jobs are on both sides, of {} users; {} start at another time",
                     pairs.pairs.size(), pairs.paired_users, value_.moved));
    if (pairs.pairs.empty()) return take();
    configuration();
    doubts();
    if (value_.moved == 0 && all_equal()) return take();
    figures();
    if (print_.populations != nullptr) populations(*print_.populations);
    groups(PairScope::Account, "WHO LOSES, WHO GAINS: MEAN WAIT BY ACCOUNT");
    groups(PairScope::Partition, "MEAN WAIT BY PARTITION");
    groups(PairScope::Qos, "MEAN WAIT BY QOS");
    groups(PairScope::Size, "MEAN WAIT BY GPUS");
    if (print_.users) groups(PairScope::User, "MEAN WAIT BY USER");
    if (print_.jobs > 0) jobs();
    reasons();
    gpu_hours();
    return take();
  }

 private:
  void sentence(const std::string& text, const std::string& indent) { add(wrapped(text, indent)); }
  [[nodiscard]] bool all_equal() const {
    return std::all_of(value_.figures.begin(), value_.figures.end(),
                       [](const Figure& each) { return !(each.a < each.b) && !(each.a > each.b); });
  }

  /// What decides in the place of Slurm's own rules; nothing where nothing does.
  void policies() {
    for (const auto& [name, side] : {std::pair{"A", value_.a}, std::pair{"B", value_.b}}) {
      const std::string policy = policy_words(side->provenance);
      if (policy.empty()) continue;
      sentence(fmt::format("{} decides by {}, in the place of Slurm's own rules", name, policy),
               "   ");
    }
  }

  void figures() {
    title("FIGURES");
    line(fmt::format("  {:<27}{:>10}{:>10}{:>12}{:>27}", "", "A", "B", "difference",
                     fmt::format("{:.0f} % interval", value_.options.level * 100)));
    for (const Figure& each : value_.figures) {
      if (!std::isfinite(each.a) && !std::isfinite(each.b)) continue;
      line(fmt::format("  {:<27}{:>10}{:>10}{:>12}{:>27} {}", each.info->title,
                       figure_text(each.a, *each.info), figure_text(each.b, *each.info),
                       difference_text(each.difference(), *each.info), interval_text(each),
                       judgement_of(each)));
    }
    sentence(
        fmt::format("  * while jobs arrived, of all jobs of each side; the whole run goes on {} "
                    "until its last job ends. pp: percentage points. Waits are of jobs that "
                    "started on both sides. Intervals: {} draws of whole users (seed {}), "
                    "simultaneous over a table; what has none depends on single jobs. They are of "
                    "the queue of these runs: other users would make another one, and differ more "
                    "(--populations simulates such).",
                    tail_text(), value_.options.draws, value_.options.seed),
        "  ");
  }

  void populations(const Populations& of) {
    title(fmt::format("OTHER USERS: {} POPULATIONS DRAWN FROM THESE, BOTH SIDES SIMULATED FOR EACH",
                      of.asked));
    for (const std::string& each : populations_lines(of, value_.options.level)) line(each);
    sentence("  " + populations_note(of, value_.options.level), "  ");
  }

  /// From the last submission to the end of the longer side.
  [[nodiscard]] std::string tail_text() const {
    const std::int64_t end = std::max(value_.a->result.end, value_.b->result.end);
    return span_text(static_cast<double>(end - value_.pairs.window.to));
  }

  /// The most hurt, the most helped, and the largest of all, in order of harm.
  [[nodiscard]] std::vector<const GroupRow*> shown(const std::vector<GroupRow>& rows,
                                                   PairScope scope) const {
    std::vector<const GroupRow*> all;
    for (const GroupRow& row : rows) all.push_back(&row);
    if (scope == PairScope::Size) {  // sizes stay in their order
      std::sort(all.begin(), all.end(), [](const GroupRow* a, const GroupRow* b) {
        return std::atoi(a->name.c_str()) < std::atoi(b->name.c_str());
      });
      return all;
    }
    if (all.size() <= print_.groups) return small_last(std::move(all));
    std::set<const GroupRow*> chosen;
    std::vector<const GroupRow*> by_size = all;
    std::stable_sort(by_size.begin(), by_size.end(), [](const GroupRow* a, const GroupRow* b) {
      return a->gpu_hours > b->gpu_hours || (a->gpu_hours >= b->gpu_hours && a->jobs > b->jobs);
    });
    for (std::size_t i = 0; i < std::min(kWhales, print_.groups); ++i) chosen.insert(by_size[i]);
    for (std::size_t i = 0; chosen.size() < print_.groups; ++i) {
      chosen.insert(all[i]);
      if (chosen.size() < print_.groups) chosen.insert(all[all.size() - 1 - i]);
    }
    std::erase_if(all, [&](const GroupRow* row) { return !chosen.contains(row); });
    return small_last(std::move(all));
  }

  static std::vector<const GroupRow*> small_last(std::vector<const GroupRow*> rows) {
    std::stable_partition(rows.begin(), rows.end(),
                          [](const GroupRow* row) { return !row->is_small; });
    return rows;
  }

  void groups(PairScope scope, const std::string& heading) {
    const std::vector<GroupRow>& rows = value_.groups[static_cast<std::size_t>(scope)];
    if (rows.size() < 2) return;
    title(heading);
    line(fmt::format("  {:<18}{:>8}{:>10}{:>8}{:>8}{:>9}{:>20}{:>9}", "", "jobs", "GPU-h", "A", "B",
                     "diff", "interval", "job-h"));
    const auto chosen = shown(rows, scope);
    bool is_among_small = scope == PairScope::Size;  // sizes stay in their order
    for (const GroupRow* row : chosen) {
      if (row->is_small && !is_among_small) {
        line("  small ones, together less than 5 % of the jobs and of the GPU-hours:");
        is_among_small = true;
      }
      line(fmt::format("  {:<18.18}{:>8}{:>10.0f}{:>8}{:>8}{:>9}{:>20}{:>+9.0f} {}", row->name,
                       row->jobs, row->gpu_hours, span_text(row->wait.a), span_text(row->wait.b),
                       signed_span(row->wait.difference()), group_interval(*row),
                       row->started > 0 ? row->added_hours() : 0, judgement_of(row->wait)));
    }
    if (chosen.size() < rows.size()) {
      line(fmt::format("  ... and {} between: --groups {}", rows.size() - chosen.size(),
                       rows.size()));
    }
  }

  [[nodiscard]] std::string group_interval(const GroupRow& row) const {
    if (!row.wait.sure.difference)
      return fmt::format("{} user{}", row.wait.users, row.wait.users == 1 ? "" : "s");
    return fmt::format("{} .. {}", signed_span(row.wait.sure.difference->low),
                       signed_span(row.wait.sure.difference->high));
  }

  void jobs() {
    const MovedJobs moved = moved_jobs(value_, print_.jobs);
    named_jobs("JOBS THAT WAIT LONGER UNDER B, AND FOR WHAT THERE", moved.longer,
               moved.longer_count, &MovedJob::reason_b);
    named_jobs("JOBS THAT WAIT LESS UNDER B, AND FOR WHAT UNDER A", moved.shorter,
               moved.shorter_count, &MovedJob::reason_a);
  }

  void named_jobs(const std::string& heading, const std::vector<MovedJob>& jobs, std::size_t count,
                  std::string MovedJob::*reason) {
    if (jobs.empty()) return;
    title(heading);
    line(fmt::format("  {:<14}{:<11}{:<11}{:<11}{:>5}{:>8}{:>8}{:>8}  {}", "", "user", "account",
                     "partition", "GPUs", "A", "B", "diff", "mostly pending for"));
    const NamePool& names = value_.pairs.names;
    const auto wait = [](const JobOutcome& of) {
      return of.has_started() ? span_text(static_cast<double>(of.wait())) : std::string("never");
    };
    for (const MovedJob& each : jobs) {
      const JobPair& pair = *each.pair;
      const auto difference =
          each.difference ? signed_span(static_cast<double>(*each.difference)) : std::string("-");
      line(fmt::format("  {:<14}{:<11.10}{:<11.10}{:<11.10}{:>5}{:>8}{:>8}{:>8}  {:.22}",
                       to_text(pair.a.key), names.text(pair.of(PairScope::User)),
                       names.text(pair.of(PairScope::Account)),
                       names.text(pair.of(PairScope::Partition)), each.gpus, wait(pair.a),
                       wait(pair.b), difference, each.*reason));
    }
    if (jobs.size() < count) line(fmt::format("  ... and {} more", count - jobs.size()));
  }

  void reasons() {
    if (value_.reasons.empty()) return;
    title("WHY JOBS WAITED (job-hours pending)");
    line(fmt::format("  {:<34}{:>14}{:>14}{:>14}", "", "A", "B", "difference"));
    for (std::size_t i = 0; i < std::min(value_.reasons.size(), print_.groups); ++i) {
      const ReasonRow& row = value_.reasons[i];
      line(fmt::format("  {:<34.34}{:>14.1f}{:>14.1f}{:>+14.1f}", row.reason, row.hours_a,
                       row.hours_b, row.hours_b - row.hours_a));
    }
    if (value_.hours_left_a > 0 || value_.hours_left_b > 0) {
      line(fmt::format("  {:<34}{:>14.1f}{:>14.1f}{:>+14.1f}", "(of jobs that pend to the end)",
                       value_.hours_left_a, value_.hours_left_b,
                       value_.hours_left_b - value_.hours_left_a));
    }
  }

  void gpu_hours() {
    double all = 0;
    for (const double hours : value_.gpu_hours_a) all += hours;
    for (const double hours : value_.gpu_hours_b) all += hours;
    if (all <= 0) return;
    title("WHERE THE GPU-HOURS WENT (whole run)");
    line(fmt::format("  {:<46}{:>14}{:>14}{:>14}", "", "A", "B", "difference"));
    for (std::size_t i = 0; i < kGpuHoursCount; ++i) {
      const double a = value_.gpu_hours_a[i];
      const double b = value_.gpu_hours_b[i];
      if (a <= 0 && b <= 0) continue;
      line(fmt::format("  {:<46}{:>14.1f}{:>14.1f}{:>+14.1f}", title_of(static_cast<GpuHours>(i)),
                       a, b, b - a));
    }
  }

  void configuration() {
    const ConfDifference& conf = value_.conf;
    if (conf.keys.empty() && conf.nodes.empty() && conf.inputs.empty()) {
      line("the inputs are the same on both sides");
      return;
    }
    title("WHAT IS DIFFERENT");
    const auto shown_value = [](const std::string& text) {
      constexpr std::size_t kLongest = 60;
      if (text.empty()) return std::string("(not set)");
      return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
    };
    const KeyDifference* last = nullptr;  // keys of one meaning, and one effect, are told it once
    const auto is_told_as_last = [&](const KeyDifference& key) {
      return last != nullptr && last->meaning == key.meaning && last->effect == key.effect;
    };
    const auto tell_meaning = [&](const KeyDifference& key) {
      const bool is_plain = key.effect == KeyEffect::Simulated;
      const std::string effect = is_plain ? "" : fmt::format(" [{}]", to_text(key.effect));
      sentence(fmt::format("    {}{}", key.meaning, effect), "    ");
    };
    for (const KeyDifference& key : conf.keys) {
      if (last != nullptr && !is_told_as_last(key)) tell_meaning(*last);
      sentence(fmt::format("  {}{}{}: {} -> {}", key.where, key.where.empty() ? "" : " ", key.key,
                           shown_value(key.a), shown_value(key.b)),
               "    ");
      last = &key;
    }
    if (last != nullptr) tell_meaning(*last);
    for (const std::string& node : conf.nodes) sentence("  nodes " + node, "    ");
    for (const InputDifference& input : conf.inputs) {
      line(fmt::format("  {}: {}", input.file,
                       input.has_text ? fmt::format("{} lines only in A, {} only in B",
                                                    input.lines_only_a, input.lines_only_b)
                                      : "another file"));
      for (const std::string& each : input.only_a) line(fmt::format("    A: {:.94}", each));
      for (const std::string& each : input.only_b) line(fmt::format("    B: {:.94}", each));
    }
  }

  void doubts() {
    if (value_.doubts.empty()) return;
    title("WHAT MAKES THE ANSWER LESS SURE");
    for (const std::string& doubt : value_.doubts) sentence("  " + doubt, "    ");
  }

  const Comparison& value_;
  const ComparePrint& print_;
};

}  // namespace

std::string figure_text(double value, const FigureInfo& info) {
  if (!std::isfinite(value)) return "-";
  return info.is_share() ? fmt::format("{:.2f} %", value * 100) : value_text(value, info.units);
}

std::string difference_text(double value, const FigureInfo& info) {
  const bool is_points = info.is_share() && std::isfinite(value);
  const std::string text =
      is_points ? fmt::format("{:.2f} pp", value * 100) : figure_text(value, info);
  return value > 0 && text != "-" ? "+" + text : text;
}

std::string_view judgement_of(const Figure& figure) {
  if (figure.is_worse()) return "worse";
  if (figure.is_better()) return "better";
  if (figure.sure.is_significant()) return "changed";
  return "";
}

std::string comparison_text(const Comparison& value, const ComparePrint& print) {
  return Text(value, print).write();
}

std::string comparison_rows(const Comparison& value, const ComparePrint& print) {
  std::string text;
  if (!print.no_header)
    text += "SCOPE|GROUP|FIGURE|UNITS|A|B|DIFFERENCE|LOW|HIGH|JUDGEMENT|USERS|JOBS\n";
  const auto number = [](double x) {
    return std::isfinite(x) ? fmt::format("{}", x) : std::string();
  };
  const auto add = [&](std::string_view scope, std::string_view group, const Figure& each,
                       std::size_t jobs) {
    const auto& interval = each.sure.difference;
    text +=
        fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", scope, group, each.info->name,
                    each.info->units, number(each.a), number(each.b), number(each.difference()),
                    interval ? number(interval->low) : "", interval ? number(interval->high) : "",
                    judgement_of(each), each.users, jobs);
  };
  for (const Figure& each : value.figures) add("all", "", each, value.pairs.pairs.size());
  if (print.populations != nullptr) {
    text += populations_rows(*print.populations, value.options.level);
  }
  for (std::size_t scope = 0; scope < kPairScopeCount; ++scope) {
    if (static_cast<PairScope>(scope) == PairScope::User && !print.users) continue;
    for (const GroupRow& row : value.groups[scope]) {
      add(to_text(static_cast<PairScope>(scope)), row.name, row.wait, row.jobs);
    }
  }
  if (print.jobs == 0) return text;
  const MovedJobs moved = moved_jobs(value, print.jobs);
  const auto wait = [](const JobOutcome& of) {
    return of.has_started() ? fmt::format("{}", of.wait()) : std::string();
  };
  for (const auto* list : {&moved.longer, &moved.shorter}) {
    for (const MovedJob& each : *list) {
      text += fmt::format("job|{}|wait|s|{}|{}|{}||||1|1\n", to_text(each.pair->a.key),
                          wait(each.pair->a), wait(each.pair->b),
                          each.difference ? fmt::format("{}", *each.difference) : "");
    }
  }
  return text;
}

}  // namespace rehearse
