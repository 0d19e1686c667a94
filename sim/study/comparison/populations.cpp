// sim/study/comparison/populations.cpp — draws, runs, and what they come to.
#include "sim/study/comparison/populations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "sim/output/kpi/kpi.hpp"
#include "sim/study/at_once.hpp"

namespace rehearse {
namespace {

std::unique_ptr<LoadedSite> load_drawn(const SideRequest& side, std::uint64_t seed,
                                       const std::vector<const LoadedSite*>& readers) {
  LoadOptions options = side.options;
  options.resample_users = true;
  options.seed = seed;
  Diagnostics ignored;  // told when the sides were loaded as they are
  return load_site(side.path, options, ignored, readers);
}

/// Figures of one population; none: interrupted.
std::vector<DrawnFigure> run_one(const PopulationsRequest& request, std::uint64_t seed,
                                 const std::atomic<bool>* interrupted) {
  const auto site_a = load_drawn(request.a, seed, {});
  const auto site_b = load_drawn(request.b, seed, {site_a.get()});
  const Simulation a = simulate(*site_a, {}, interrupted);
  if (a.status != RunStatus::Complete) return {};
  const Simulation b = simulate(*site_b, {}, interrupted);
  if (b.status != RunStatus::Complete) return {};
  const JobPairs pairs = pair_jobs(a.result, b.result);
  ResamplingOptions no_draws;
  no_draws.users_min = pairs.users.size() + 1;  // then nobody asks for draws
  const MeasureContext context{&pairs, nullptr, &no_draws, capacity_of(a.result, pairs.window),
                               capacity_of(b.result, pairs.window)};
  return draw_figures(context, pairs.every());
}

}  // namespace

Populations simulate_populations(const PopulationsRequest& request,
                                 const std::function<void(std::size_t done)>& told,
                                 const std::atomic<bool>* interrupted) {
  std::vector<std::vector<DrawnFigure>> runs(request.count);
  std::mutex telling;
  std::size_t done = 0;
  at_once(runs.size(), request.threads, [&](std::size_t i) {
    if (interrupted != nullptr && *interrupted) return;
    runs[i] = run_one(request, request.seed + i, interrupted);
    const std::scoped_lock lock(telling);
    told(++done);
  });
  Populations populations;
  populations.asked = request.count;
  populations.seed = request.seed;
  for (const FigureInfo& info : pair_figures()) populations.figures.push_back({&info, {}, {}});
  for (const std::vector<DrawnFigure>& run : runs) {
    if (run.empty()) populations.is_complete = false;
    for (std::size_t i = 0; i < run.size(); ++i) {
      populations.figures[i].a.push_back(run[i].a);
      populations.figures[i].b.push_back(run[i].b);
    }
  }
  return populations;
}

PopulationSummary summary_of(const PopulationFigure& figure, double level) {
  std::vector<double> a, b, difference;
  for (std::size_t i = 0; i < figure.a.size(); ++i) {
    if (!std::isfinite(figure.a[i]) || !std::isfinite(figure.b[i])) continue;
    a.push_back(figure.a[i]);
    b.push_back(figure.b[i]);
    difference.push_back(figure.b[i] - figure.a[i]);
  }
  PopulationSummary summary;
  summary.measured = difference.size();
  if (difference.size() < 2) return summary;
  for (std::vector<double>* values : {&a, &b, &difference})
    std::sort(values->begin(), values->end());
  summary.median_a = quantile(a, 0.5);
  summary.median_b = quantile(b, 0.5);
  summary.median_difference = quantile(difference, 0.5);
  const auto gaps = static_cast<double>(difference.size() + 1);
  constexpr double kRounding = 1e-9;  // (1 - 0.95) / 2 * 40 is one
  const auto outside = static_cast<std::size_t>(gaps * (1 - level) / 2 + kRounding);
  const std::size_t k = std::clamp<std::size_t>(outside, 1, difference.size() / 2);
  summary.range = {difference[k - 1], difference[difference.size() - k]};
  summary.covers = 1 - 2 * static_cast<double>(k) / gaps;
  for (const double each : difference) {
    if (each < 0) ++summary.b_less;
    if (each > 0) ++summary.b_more;
  }
  return summary;
}

std::string populations_sentence(const Populations& populations) {
  const PopulationSummary wait = summary_of(populations.figures.front(), 0.95);
  if (wait.measured < 2) return "No population of such users has jobs that start on both sides.";
  return fmt::format(
      "Of {} populations of users drawn from these, and simulated on both sides, the mean wait is "
      "longer under B in {} and shorter in {}.",
      wait.measured, wait.b_more, wait.b_less);
}

std::string populations_note(const Populations& populations, double level) {
  const PopulationSummary first = summary_of(populations.figures.front(), level);
  return fmt::format(
      "Each population has as many users as there are, drawn from them with replacement (seeds {} "
      "to {}); a user drawn twice comes again whole weeks later. Both sides are run on it, so the "
      "queue is the one that these users make. The range holds the difference of "
      "{:.0f} % of further such populations: it is as wide as one period differs from another. "
      "Users who are not among these may differ more.",
      populations.seed, populations.seed + populations.asked - 1, first.covers * 100);
}

}  // namespace rehearse
