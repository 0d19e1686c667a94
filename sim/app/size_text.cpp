// sim/app/size_text.cpp — the answer in a sentence, then what was tried.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/app/compare_print.hpp"
#include "sim/app/size_print.hpp"
#include "sim/app/text_wrap.hpp"

namespace rehearse {
namespace {

using Fields = std::vector<std::string>;

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-";
}

std::string value_text(const TargetFigure& figure, const FigureInfo& info) {
  std::string text = figure_text(figure.value, info);
  if (!figure.band) return text;
  return text + fmt::format(" ({} .. {})", figure_text(figure.band->low, info),
                            figure_text(figure.band->high, info));
}

/// What a row is beside its figures.
std::string marks_of(const SizeAnswer& answer, std::size_t row) {
  const TriedCount& tried = answer.tried[row];
  Fields marks;
  if (answer.search.answer() == tried.count) marks.emplace_back("the answer");
  if (answer.search.has_draws() && answer.search.by_run == tried.count) {
    marks.emplace_back("the run's own");
  }
  if (answer.today == tried.count) marks.emplace_back("today");
  if (answer.knee == row) marks.emplace_back("the knee");
  if (!tried.error.empty()) marks.emplace_back("no such site");
  return fmt::format("{}", fmt::join(marks, ", "));
}

class Table {
 public:
  Table(const SizeAnswer& answer, const SizeRequest& request) : answer_(answer) {
    for (const TriedCount& each : answer.tried) {
      has_cost_ = has_cost_ || each.cost_month.has_value();
      has_gpus_ = has_gpus_ || each.gpus > 0;
      has_stuck_ = has_stuck_ || each.target.cannot_run > 0;
    }
    Fields head{"nodes"};
    for (const FigureQuery& query : request.target.figures) {
      head.emplace_back(query.info->name);
    }
    head.insert(head.end(), {"run", "draws"});
    if (has_stuck_) head.emplace_back("cannot run");
    head.emplace_back(!has_gpus_ ? "CPUs held" : answer.has_mig ? "SMs held" : "GPUs held");
    if (has_gpus_) head.emplace_back("GPUs");
    if (has_cost_) head.emplace_back("cost/month");
    head.emplace_back("");
    rows_.push_back(std::move(head));
    for (std::size_t row = 0; row < answer.tried.size(); ++row) add(row, request);
  }

  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const Fields& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const Fields& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += i + 1 < row.size() ? fmt::format("  {:>{}}", row[i], widths[i]) : "  " + row[i];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

 private:
  void add(std::size_t row, const SizeRequest& request) {
    const TriedCount& tried = answer_.tried[row];
    Fields fields{fmt::format("{}", tried.count)};
    for (std::size_t i = 0; i < tried.target.figures.size(); ++i) {
      fields.push_back(value_text(tried.target.figures[i], *request.target.figures[i].info));
    }
    fields.emplace_back(tried.target.holds ? "meets" : "misses");
    fields.push_back(tried.target.share ? percent(*tried.target.share) : "-");
    if (has_stuck_) fields.push_back(fmt::format("{}", tried.target.cannot_run));
    fields.push_back(percent(has_gpus_ ? tried.gpu_utilization : tried.cpu_utilization));
    if (has_gpus_) fields.push_back(fmt::format("{:g}", tried.gpus));
    if (has_cost_) {
      fields.push_back(tried.cost_month ? fmt::format("{:.0f}", *tried.cost_month) : "-");
    }
    fields.push_back(marks_of(answer_, row));
    rows_.push_back(std::move(fields));
  }

  const SizeAnswer& answer_;
  bool has_cost_ = false, has_gpus_ = false, has_stuck_ = false;
  std::vector<Fields> rows_;
};

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

}  // namespace

std::string size_text(const SizeAnswer& answer, const SizeRequest& request) {
  std::string text = wrapped(answer.sentence, "");
  if (answer.tried.empty()) return text;
  Fields names;
  for (const FigureQuery& query : request.target.figures) names.push_back(to_text(query));
  text += fmt::format("\n{} jobs of {} users start; figures: {}\n", answer.jobs, answer.users,
                      fmt::join(names, ", "));
  text += fmt::format(
      "in brackets what {:g} % of {} draws of users give, whose queue stays that of the run; "
      "draws:\n"
      "the share that meets the target\n",
      100 * request.draws.level, request.draws.draws);
  text += "\n" + Table(answer, request).text();
  if (!answer.doubts.empty()) text += "\nBEFORE YOU RELY ON IT\n";
  for (const std::string& doubt : answer.doubts) text += wrapped("  " + doubt, "    ");
  return text;
}

std::string size_rows(const SizeAnswer& answer, const SizeRequest& request, bool no_header) {
  std::string text;
  if (!no_header) {
    text +=
        "COUNT|FIGURE|UNITS|VALUE|LOW|HIGH|USERS|HOLDS|SHARE|ENOUGH|CANNOT_RUN|GPU_UTILIZATION|"
        "CPU_UTILIZATION|GPUS|COST_MONTH|MARKS\n";
  }
  for (std::size_t row = 0; row < answer.tried.size(); ++row) {
    const TriedCount& tried = answer.tried[row];
    for (std::size_t i = 0; i < tried.target.figures.size(); ++i) {
      const TargetFigure& figure = tried.target.figures[i];
      const auto enough = answer.search.tried.at(tried.count).by_draws;
      text += fmt::format(
          "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", tried.count,
          to_text(request.target.figures[i]), request.target.figures[i].info->units,
          number(figure.value), figure.band ? number(figure.band->low) : "",
          figure.band ? number(figure.band->high) : "", figure.users,
          tried.target.holds ? "yes" : "no", tried.target.share ? number(*tried.target.share) : "",
          enough ? (*enough ? "yes" : "no") : "", tried.target.cannot_run,
          number(tried.gpu_utilization), number(tried.cpu_utilization), number(tried.gpus),
          tried.cost_month ? number(*tried.cost_month) : "", marks_of(answer, row));
    }
  }
  return text;
}

}  // namespace rehearse
