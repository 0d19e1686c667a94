// sim/study/report/gpu_hours.cpp — where the GPU-hours that existed went: a waterfall down to those
// that jobs held; of two runs bar beside bar.
#include <fmt/format.h>

#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

ReportChart empty_chart(const ReportSpan& span) {
  ReportChart chart;
  chart.id = "gpu-hours";
  chart.title = "Where the GPU-hours went, " + span.of_arrivals;
  chart.text = "bars from the GPU-hours that existed down to those that jobs held, cause by cause";
  chart.note = fmt::format(
      "GPU-hours {}. Idle ones have one cause each, and add up. Idle for want of demand: fewer "
      "GPUs "
      "were asked for than idle. Wanted ones are shared by the Reasons of the jobs that waited, as "
      "many GPUs as they ask for, over cells of the result's grid.",
      span.of_arrivals);
  chart.columns = {"side", "what", "from", "to", "hours", "share", "kind", "label"};
  chart.table = {"gpu-hours-table",
                 "GPU-hours by what became of them",
                 {{"run"}, {"what"}, {"GPU-hours", true}, {"of all", true}},
                 {}};
  return chart;
}

/// The bars of one side, from the top down. `told`: causes that any side has.
void add_waterfall(ReportChart& chart, const ReportSide& side, const GpuHoursByCause& hours,
                   const std::vector<bool>& told) {
  double existing = 0;
  for (const double each : hours) existing += each;
  const auto add = [&](std::string_view what, double from, double to, const char* kind) {
    const std::string amount = count_words(to - from);
    const std::string share = percent_words((to - from) / existing);
    chart.rows.push_back({side.name, what, chart_number(from), chart_number(to), amount, share,
                          kind, fmt::format("{} ({})", amount, share)});
    chart.table.rows.push_back({side.name, std::string(what), amount, share});
  };
  const double busy = hours[static_cast<std::size_t>(GpuHours::Busy)];
  const double down = hours[static_cast<std::size_t>(GpuHours::Unavailable)];
  add("existing", 0, existing, "all");
  double left = existing;
  for (std::size_t i = 1; i < hours.size(); ++i) {
    const auto what = static_cast<GpuHours>(i);
    if (what == GpuHours::NoDemand) add("idle, in all", busy, existing - down, "idle, in all");
    if (!told[i]) continue;
    const bool wanted = what != GpuHours::NoDemand && what != GpuHours::Left;
    const char* const kind = what == GpuHours::Unavailable ? "out of order"
                             : wanted                      ? "idle, and wanted"
                                                           : "idle, not wanted";
    add(title_of(what), left - hours[i], left, kind);
    left -= hours[i];
  }
  add(title_of(GpuHours::Busy), 0, busy, "held");
}

ReportJson kind_colour() {
  return {
      {"field", "kind"},
      {"type", "nominal"},
      {"scale",
       {{"domain",
         {"all", "out of order", "idle, in all", "idle, not wanted", "idle, and wanted", "held"}},
        {"range",
         {"var(--c9)", "var(--c4)", "var(--c10)", "var(--c6)", "var(--c2)", "var(--c1)"}}}},
      {"legend", {{"title", nullptr}}}};
}

ReportJson spec_of(const ReportSides& sides, double most) {
  constexpr double kRoomForLabels = 1.25;
  ReportJson y = {{"field", "what"},
                  {"type", "nominal"},
                  {"sort", nullptr},
                  {"axis", {{"title", nullptr}, {"labelLimit", 320}}}};
  const ReportJson tooltip = {{{"field", "side"}, {"title", "run"}},
                              {{"field", "what"}},
                              {{"field", "hours"}, {"title", "GPU-hours"}},
                              {{"field", "share"}, {"title", "of all"}}};
  ReportJson encoding = {{"y", y}, {"tooltip", tooltip}};
  if (sides.size() > 1) {
    encoding["yOffset"] = {{"field", "side"}, {"type", "nominal"}, {"sort", nullptr}};
  }
  const ReportJson bars = {{"mark", {{"type", "bar"}}},
                           {"encoding",
                            {{"x",
                              {{"field", "from"},
                               {"type", "quantitative"},
                               {"scale", {{"domain", {0, most * kRoomForLabels}}, {"nice", false}}},
                               {"axis", {{"title", "GPU-hours"}, {"tickCount", 8}}}}},
                             {"x2", {{"field", "to"}}},
                             {"color", sides.size() > 1 ? side_colour(sides) : kind_colour()}}}};
  const ReportJson labels = {
      {"mark", {{"type", "text"}, {"align", "left"}, {"dx", 4}, {"fontSize", 11}}},
      {"encoding",
       {{"x", {{"field", "to"}, {"type", "quantitative"}}},
        {"text", {{"field", "label"}}},
        {"color", {{"value", "var(--ink)"}}}}}};
  return {{"height", {{"step", sides.size() > 1 ? 15 : 24}}},
          {"encoding", encoding},
          {"layer", ReportJson::array({bars, labels})}};
}

}  // namespace

void add_gpu_hours(ReportPage& page, const ReportSides& sides, const ReportSpan& span) {
  ReportChart chart = empty_chart(span);
  std::vector<GpuHoursByCause> hours;
  std::vector<bool> told(kGpuHoursCount);
  double most = 0;
  for (const ReportSide& side : sides) {
    hours.push_back(gpu_hours_by_cause(side.side->result, span.arrivals.from, span.arrivals.to));
    double existing = 0;
    for (std::size_t i = 0; i < kGpuHoursCount; ++i) {
      told[i] = told[i] || hours.back()[i] > 0;
      existing += hours.back()[i];
    }
    most = std::max(most, existing);
  }
  for (std::size_t i = 0; i < sides.size() && most > 0; ++i) {
    add_waterfall(chart, sides[i], hours[i], told);
  }
  if (chart.rows.empty()) {
    page.note("The cluster has no GPUs: there are no GPU-hours to account for.");
    return;
  }
  chart.spec = spec_of(sides, most);
  page.chart(chart);
}

}  // namespace rehearse
