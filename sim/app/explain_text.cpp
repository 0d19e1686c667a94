// sim/app/explain_text.cpp — a page for who has to answer a user.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/app/explain_print.hpp"
#include "sim/app/text_wrap.hpp"
#include "sim/output/kpi/asked_gpus.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"
#include "sim/study/comparison/comparison.hpp"
#include "sim/study/explanation/job_lookup.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kSpansShown = 24;

std::string limit_text(std::uint32_t minutes) {
  if (minutes == kLimitUnlimited) return "UNLIMITED";
  if (minutes == kLimitNone) return "no limit given";
  return squeue_time(std::int64_t{minutes} * 60);
}

std::int64_t wait_end(const Result& result, std::uint32_t row) {
  const RunColumns& r = result.runs;
  if (r.start[row] != kNoTime) return r.start[row];
  return r.end[row] != kNoTime ? r.end[row] : result.end;
}

std::string span_of(std::int64_t seconds) {
  return span_text(static_cast<double>(seconds));
}

/// Reasons with their seconds, the longest first.
std::vector<std::pair<std::int64_t, Reason>> sums_of(const std::vector<ReasonSpan>& spans) {
  std::map<Reason, std::int64_t> seconds;
  for (const ReasonSpan& span : spans) seconds[span.reason] += span.end - span.begin;
  std::vector<std::pair<std::int64_t, Reason>> sums;
  for (const auto& [reason, sum] : seconds) sums.emplace_back(sum, reason);
  std::stable_sort(sums.begin(), sums.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return sums;
}

std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// Rows as columns, each as wide as its longest text and a blank, and at least `least`; the first
/// `left` stand to the left, what follows the columns is as it is.
std::string in_columns(const std::vector<std::vector<std::string>>& rows,
                       std::vector<std::size_t> widths, std::size_t left) {
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size() + 1);
  }
  std::string text;
  for (const auto& row : rows) {
    text += "  ";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += i < left ? fmt::format("{:<{}}", row[i], widths[i])
                       : fmt::format("{:>{}}", row[i], widths[i]);
    }
    for (std::size_t i = widths.size(); i < row.size(); ++i) text += "  " + row[i];
    text += "\n";
  }
  return text;
}

class Page {
 public:
  Page(const Result& result, const ExplainPrint& print)
      : result_(result), r_(result.runs), print_(print), zone_(zone_of(result)) {}

  std::string write(const Explanation& explanation) {
    for (std::size_t i = 0; i < explanation.runs.size(); ++i) {
      if (i > 0) line("");
      run(explanation.runs[i], i, explanation.runs.size());
    }
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  void title(const std::string& text) {
    line("");
    line(print_.colours ? "\x1b[1m" + text + "\x1b[0m" : text);
  }
  [[nodiscard]] std::string at(std::int64_t time) const {
    return zone_.print(from_epoch_seconds(time));
  }

  void run(const ExplainedRun& run, std::size_t number, std::size_t of) {
    const std::uint32_t row = run.row;
    text_ += wrapped(
        fmt::format("job {} ({}), user {}, account {}, QOS {}, partition {}",
                    job_id_text(result_, row), text_of(result_.names.job_name, r_.job_name[row]),
                    text_of(result_.names.user, r_.user[row]),
                    text_of(result_.names.account, r_.account[row]),
                    r_.qos[row] < result_.cluster.qos.size() ? result_.cluster.qos[r_.qos[row]].name
                                                             : "(none)",
                    text_of(result_.names.partition_list, r_.requested_partitions[row])),
        "  ");
    line(fmt::format("asks for {}, {}, {}, {}", gpus_asked_for(row),
                     counted(r_.requested_cpus[row], "CPU"),
                     counted(r_.requested_nodes[row], "node"), limit_text(r_.limit_min[row])));
    if (of > 1) line(fmt::format("run {} of {}", number + 1, of));
    head(run);
    reasons(run);
    priorities(run);
    overtakers(run);
    preempted(run);
  }

  [[nodiscard]] std::string gpus_asked_for(std::uint32_t row) const {
    const std::string& tres = text_of(result_.names.tres_set, r_.requested_tres[row]);
    if (const auto shards = asked_units(tres, "shard")) return fmt::format("{} shards", shards);
    if (const auto mps = asked_units(tres, "mps")) return fmt::format("{} MPS", mps);
    // A Type may be a slice of a GPU, as squeue's %b tells.
    const std::string& per_node = text_of(result_.names.text, r_.tres_per_node[row]);
    const bool is_typed = std::count(per_node.begin(), per_node.end(), ':') > 2;
    return counted(r_.requested_gpus[row], "GPU") + (is_typed ? " (" + per_node + ")" : "");
  }

  void head(const ExplainedRun& run) {
    const std::uint32_t row = run.row;
    const std::int64_t end = wait_end(result_, row);
    const std::int64_t waited = end - r_.submit[row];
    std::string text = fmt::format("submitted {}, ", at(r_.submit[row]));
    if (r_.start[row] != kNoTime) {
      constexpr std::array<const char*, 4> kBy{"nobody", "submission", "the main loop", "backfill"};
      text += fmt::format("started {} by {} on {}", at(end), kBy[r_.started_by[row]],
                          text_of(result_.names.node_list, r_.node_list[row]));
    } else if (r_.end[row] != kNoTime) {
      text += fmt::format("ended {} without a run ({})", at(end), run_state_text(r_.state[row]));
      const std::uint32_t id = r_.array_job[row] != 0 ? r_.array_job[row] : r_.job_id[row];
      const std::string refusal = refusal_of(result_, id);
      if (!refusal.empty()) text += ": refused, " + refusal;
    } else {
      text += fmt::format("still pending at {}", at(end));
      if (result_.complete) text += ", when nothing was left that might start it";
    }
    line(text);
    std::string most;
    for (const auto& [seconds, reason] : sums_of(run.spans)) {
      if (!most.empty() && seconds * 20 < waited) break;
      most += fmt::format("{}{} {}", most.empty() ? ": " : ", ", span_of(seconds), to_text(reason));
    }
    std::size_t ready = 0;
    for (const Overtaker& each : run.overtakers)
      ready += each.rule == OvertakeRule::NotReady ? 0 : 1;
    line("");
    line(fmt::format("It waited {}{}.", span_of(waited), most));
    if (run.overtakers.empty()) {
      line("No job that was submitted later started before it on nodes of its partition.");
    } else {
      line(fmt::format(
          "{} later jobs started before it; {} of them while it was itself ready to start.",
          run.overtakers.size(), ready));
    }
  }

  void reasons(const ExplainedRun& run) {
    if (run.spans.empty()) return;
    title("WHAT SQUEUE SAID");
    const std::size_t shown = std::min(run.spans.size(), kSpansShown);
    for (std::size_t i = 0; i < shown; ++i) {
      const ReasonSpan& span = run.spans[i];
      line(fmt::format("  {}  {:>6}  {}", at(span.begin), span_of(span.end - span.begin),
                       span.text.empty() ? std::string(to_text(span.reason)) : span.text));
    }
    if (shown < run.spans.size())
      line(fmt::format("  ... and {} more intervals", run.spans.size() - shown));
    title("WHAT THAT MEANS");
    std::map<std::pair<Reason, bool>, std::int64_t> seconds;
    for (const ReasonSpan& span : run.spans)
      seconds[{span.reason, says_unavailable(span)}] += span.end - span.begin;
    std::vector<std::pair<std::int64_t, std::pair<Reason, bool>>> sums;
    for (const auto& [what, sum] : seconds) sums.emplace_back(sum, what);
    std::stable_sort(sums.begin(), sums.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [sum, what] : sums) {
      const auto [reason, is_unavailable] = what;
      text_ += wrapped(fmt::format("  {:>6}  {}: {}", span_of(sum), to_text(reason),
                                   meaning_of(is_unavailable ? Reason::ReqNodeNotAvail : reason)),
                       "          ");
      if (!is_unavailable) continue;
      for (const std::string& nodes : unavailable_nodes(result_, run, reason))
        text_ += wrapped("          " + nodes, "            ");
    }
  }

  void priorities(const ExplainedRun& run) {
    if (run.priorities.empty()) return;
    title("ITS PRIORITY (between samples as last recalculated)");
    const bool has_tres = std::any_of(run.priorities.begin(), run.priorities.end(),
                                      [](const PriorityAt& each) { return each.parts.tres != 0; });
    std::vector<std::vector<std::string>> rows{
        {"", "PRIORITY", "AGE", "FAIRSHARE", "JOBSIZE", "PARTITION", "QOS", "ASSOC", "NICE"}};
    if (has_tres) rows.front().emplace_back("TRES");
    for (const PriorityAt& each : run.priorities) {
      const PriorityParts& p = each.parts;
      rows.push_back({at(each.time)});
      for (const auto part :
           {p.total, p.age, p.fair_share, p.job_size, p.partition, p.qos, p.assoc})
        rows.back().push_back(fmt::format("{}", part));
      rows.back().push_back(fmt::format("{}", p.nice));
      if (has_tres) rows.back().push_back(fmt::format("{}", p.tres));
    }
    std::vector<std::size_t> widths{19, 10, 10, 10, 10, 10, 10, 10, 8};
    if (has_tres) widths.push_back(10);
    text_ += in_columns(rows, std::move(widths), 1);
  }

  void overtakers(const ExplainedRun& run) {
    if (run.overtakers.empty()) return;
    title("WHO WENT FIRST, BY WHAT RULE");
    std::map<std::pair<OvertakeRule, std::string>, std::size_t> counts;
    for (const Overtaker& each : run.overtakers) {
      // Of a factor its name, not by how much; of backfill no single limit.
      const bool is_counted =
          each.rule == OvertakeRule::Priority || each.rule == OvertakeRule::NotReady;
      ++counts[{each.rule, is_counted ? each.detail.substr(0, each.detail.find(" (")) : ""}];
    }
    std::vector<std::pair<std::size_t, std::string>> lines;
    for (const auto& [what, count] : counts) {
      lines.emplace_back(count, fmt::format("{}{}{}", to_text(what.first),
                                            what.second.empty() ? "" : ": ", what.second));
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [count, text] : lines) line(fmt::format("  {:>6}  {}", count, text));
    std::vector<const Overtaker*> largest;
    for (const Overtaker& each : run.overtakers) largest.push_back(&each);
    const auto weight = [&](const Overtaker* each) {
      return std::pair{r_.gpu_milli[each->row], r_.cpus[each->row]};
    };
    std::stable_sort(largest.begin(), largest.end(),
                     [&](const Overtaker* a, const Overtaker* b) { return weight(a) > weight(b); });
    largest.resize(std::min(largest.size(), print_.overtakers));
    if (largest.empty()) return;
    line("");
    std::vector<std::vector<std::string>> rows{
        {"JOBID", "USER", "START", "GPUS", "CPUS", "PRIORITY", "OURS", "RULE"}};
    for (const Overtaker* each : largest) {
      const std::uint32_t row = each->row;
      rows.push_back({job_id_text(result_, row), text_of(result_.names.user, r_.user[row]),
                      at(r_.start[row]),
                      fmt::format("{:.1f}", static_cast<double>(r_.gpu_milli[row]) / 1000),
                      fmt::format("{}", r_.cpus[row]), fmt::format("{}", each->priority),
                      fmt::format("{}", each->own_priority), rule_text(*each)});
    }
    text_ += in_columns(rows, {11, 9, 20, 5, 5, 9, 9}, 3);
    if (largest.size() < run.overtakers.size()) {
      line(fmt::format("  ... the largest {} of {}: --limit {}", largest.size(),
                       run.overtakers.size(), run.overtakers.size()));
    }
  }

  static std::string rule_text(const Overtaker& each) {
    if (each.rule == OvertakeRule::NotReady) return "ours: " + each.detail;
    if (each.rule == OvertakeRule::Priority) return each.detail;
    return fmt::format("{}, {}", to_text(each.rule), each.detail);
  }

  void preempted(const ExplainedRun& run) {
    if (r_.state[run.row] != static_cast<std::uint8_t>(JobState::Preempted)) return;
    title("IT WAS PREEMPTED");
    line(fmt::format("  {}, after {}", at(r_.end[run.row]),
                     span_of(r_.end[run.row] - r_.start[run.row])));
    for (std::size_t i = 0; i < std::min<std::size_t>(run.took_its_nodes.size(), 5); ++i) {
      const std::uint32_t row = run.took_its_nodes[i];
      line(fmt::format("  job {} of {} (QOS {}, partition {}) started on its nodes at {}",
                       job_id_text(result_, row), text_of(result_.names.user, r_.user[row]),
                       r_.qos[row] < result_.cluster.qos.size()
                           ? result_.cluster.qos[r_.qos[row]].name
                           : "(none)",
                       result_.cluster.partitions[r_.partition[row]].name, at(r_.start[row])));
    }
  }

  const Result& result_;
  const RunColumns& r_;
  const ExplainPrint& print_;
  TimeZone zone_;
  std::string text_;
};

}  // namespace

std::string explanation_text(const Result& result, const Explanation& explanation,
                             const ExplainPrint& print) {
  return Page(result, print).write(explanation);
}

std::string longest_waiting(const Result& result, const std::vector<std::uint32_t>& rows) {
  std::uint32_t longest = rows.front();
  const auto wait = [&](std::uint32_t row) {
    return wait_end(result, row) - result.runs.submit[row];
  };
  for (const std::uint32_t row : rows) {
    if (result.runs.array_task[row] >= 0 && wait(row) > wait(longest)) longest = row;
  }
  return job_id_text(result, longest);
}

std::string array_text(const Result& result, const std::vector<std::uint32_t>& rows,
                       const TableOptions& format) {
  const TimeZone zone = zone_of(result);
  const RunColumns& r = result.runs;
  ViewOptions options;
  options.parsable = format.parsable;
  options.no_header = format.no_header;
  ViewTable table;
  table.columns = {{"JOBID", 18}, {"STATE", 12}, {"START", 19}, {"WAIT", 9}, {"MOSTLY FOR", 0}};
  for (const std::uint32_t row : rows) {
    const auto sums = sums_of(spans_of(result, row));
    table.rows.push_back(
        {job_id_text(result, row), std::string(run_state_text(r.state[row])),
         r.start[row] != kNoTime ? zone.print(from_epoch_seconds(r.start[row])) : "",
         span_of(wait_end(result, row) - r.submit[row]),
         sums.empty() ? "" : std::string(to_text(sums.front().second))});
  }
  return table.as_squeue(options);
}

}  // namespace rehearse
