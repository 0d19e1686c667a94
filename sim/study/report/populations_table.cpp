// sim/study/report/populations_table.cpp — what other populations of users make of a comparison.
#include <fmt/format.h>

#include "sim/study/report/sections.hpp"

namespace rehearse {

void add_populations(ReportPage& page, const Comparison& comparison, const ReportRequest& request) {
  if (request.populations == nullptr) return;
  const Populations& of = *request.populations;
  const double level = comparison.options.level;
  page.section("other-users", "Would it hold with other users?");
  page.paragraph(populations_sentence(of));
  ReportTable table{
      "populations",
      fmt::format("figures of {} populations of users, both sides simulated", of.asked),
      {{"figure"},
       {"A, median", true},
       {"B, median", true},
       {"difference, median", true},
       {"range of the difference", true},
       {"B less in", true},
       {"B more in", true}},
      {}};
  for (const PopulationFigure& each : of.figures) {
    const PopulationSummary sum = summary_of(each, level);
    if (sum.measured < 2) continue;
    const FigureInfo& info = *each.info;
    table.rows.push_back({title_words(info), figure_words(sum.median_a, info),
                          figure_words(sum.median_b, info),
                          change_words(sum.median_difference, info),
                          fmt::format("{} .. {}", change_words(sum.range.low, info),
                                      change_words(sum.range.high, info)),
                          fmt::format("{}", sum.b_less), fmt::format("{}", sum.b_more)});
  }
  page.table(table, true);
  page.note(populations_note(of, level));
}

}  // namespace rehearse
