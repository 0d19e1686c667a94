// sim/study/report/figures_table.cpp — the figures of a run as a table: value, formula,
// denominator.
#include <fmt/format.h>

#include <cmath>

#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

/// Money in the site's own.
std::string money_words(double value, std::string_view per, const std::string& currency) {
  return fmt::format("{:.2f} {}{}", value, currency.empty() ? "of its currency" : currency, per);
}

std::string value_words(double value, std::string_view units, std::string_view name,
                        const std::string& currency) {
  if (!std::isfinite(value)) return "-";
  constexpr std::string_view kMoney = "currency";
  if (units.starts_with(kMoney)) {
    return money_words(value, units.substr(kMoney.size()), currency);
  }
  if (units == "s") return span_text(value);
  const bool is_share = name.find("utilization") != std::string_view::npos ||
                        name.ends_with("_share") || name.ends_with("_rate");
  if (is_share) return percent_words(value);
  if (units == "1") return count_words(value);
  return fmt::format("{} {}", count_words(value), units);
}

}  // namespace

void add_figures(ReportPage& page, const ReportSides& sides, const ReportSpan& span) {
  page.section("figures", "Figures, and how each is computed");
  ReportTable table{"figures-table", "figures of the whole run", {{"figure"}}, {}};
  for (const ReportSide& each : sides) table.columns.push_back({each.name, true});
  table.columns.push_back({"formula"});
  table.columns.push_back({"of"});
  for (const KpiDefinition& kpi : kpi_definitions()) {
    std::vector<std::string> row{std::string(kpi.long_name)};
    bool is_known = false;
    for (const ReportSide& each : sides) {
      const double value = each.side->kpis.overall(kpi.name);
      is_known = is_known || std::isfinite(value);
      row.push_back(value_words(value, kpi.units, kpi.name, each.side->result.gpu.currency));
    }
    row.emplace_back(kpi.formula);
    row.emplace_back(kpi.denominator);
    if (is_known) table.rows.push_back(std::move(row));
  }
  page.table(table, false);
  if (span.until.empty()) return;
  page.note(fmt::format(
      "These are of the whole run, its tail included, in which the last jobs run out and nobody "
      "submits: utilization is lower here than above, where it is {}.",
      span.of_arrivals));
}

}  // namespace rehearse
