// sim/study/tuning/tune_front.cpp — the front of the training weeks, measured on the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/design.hpp"
#include "sim/study/tuning/tune.hpp"

namespace rehearse {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Mean of what there is; NaN: nothing.
double mean_of(const std::vector<double>& values) {
  double sum = 0;
  double count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : kNothing;
}

/// What the figure costs more than today's; `sign` is negative where more is better.
CostChange cost_change(const TunedFigure& figure, double today, double sign) {
  CostChange change{sign * (figure.training - today), sign * figure.change, figure.interval};
  if (figure.interval && sign < 0) {
    change.interval = Interval{-figure.interval->high, -figure.interval->low};
  }
  return change;
}

}  // namespace

/// By week; of fewer than three, by replication. The jobs of a unit are the same on both sides.
std::vector<double> TuneStudy::unit_differences(const Measured& here, const Measured& today,
                                                std::size_t objective) const {
  const std::size_t weeks = weeks_.spans(true).size();
  const std::size_t replications = study_.replications;
  const bool by_week = weeks >= kUnitsLeast || replications < kUnitsLeast;
  std::vector<std::vector<double>> units(by_week ? weeks : replications);
  for (std::size_t week = 0; week < weeks; ++week) {
    for (std::size_t r = 0; r < replications; ++r) {
      const std::size_t cell = week * replications + r;
      const double difference =
          here.cells[cell].figures[objective] - today.cells[cell].figures[objective];
      units[by_week ? week : r].push_back(difference);
    }
  }
  std::vector<double> differences;
  for (const auto& unit : units) differences.push_back(mean_of(unit));
  return differences;
}

void TuneStudy::judge_front(TuneAnswer& answer, const std::vector<Measured>& measured) const {
  const Measured& today = measured.front();
  const std::size_t objectives = study_.objectives.size();
  std::vector<std::vector<double>> columns;
  for (std::size_t s = 0; s < answer.front.size(); ++s) {
    for (std::size_t i = 0; i < objectives && !measured[s + 1].cells.empty(); ++i) {
      columns.push_back(unit_differences(measured[s + 1], today, i));
    }
  }
  const auto intervals = intervals_of(columns, study_.tune.level);
  const TriedSetting& tried_today = answer.tried.front();
  const TriedSetting still = compare(tried_today.values, today, today);
  for (std::size_t i = 0; i < objectives; ++i) {
    answer.today.push_back({tried_today.training[i], still.training[i], 0, std::nullopt});
  }
  std::vector<Fitness> held_out{still.fitness};
  std::size_t column = 0;
  for (std::size_t s = 0; s < answer.front.size(); ++s) {
    TunedSetting& setting = answer.front[s];
    const TriedSetting& tried = answer.tried[setting.tried];
    const TriedSetting compared = compare(tried.values, measured[s + 1], today);
    held_out.push_back(compared.fitness);
    const bool has_run = !measured[s + 1].cells.empty();
    std::vector<CostChange> changes;
    for (std::size_t i = 0; i < objectives; ++i) {
      TunedFigure figure{tried.training[i], compared.training[i], kNothing, std::nullopt};
      if (has_run) {
        figure.change = mean_of(columns[column]);
        figure.interval = intervals[column++];
      }
      changes.push_back(cost_change(figure, tried_today.training[i], sign(i)));
      setting.figures.push_back(figure);
    }
    setting.unstarted_held_out = compared.unstarted;
    const bool runs = compared.error.empty() && !(compared.fitness.violation > 0);
    setting.fate = runs ? fate_of(changes) : Fate::Fails;
  }
  const std::vector<std::size_t> best = front_of(held_out);
  for (std::size_t s = 0; s < answer.front.size(); ++s) {
    answer.front[s].is_on_held_out_front = std::binary_search(best.begin(), best.end(), s + 1);
  }
}

void TuneStudy::add_paste(TunedSetting& setting, const Setting& values) const {
  std::vector<std::string> set;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    set.push_back(fmt::format("{}={}", keys_[i].change, written(keys_[i], values[i])));
  }
  const LoadedSite& site = runner_.site();
  setting.paste = paste_of(site.folder, site.inputs.slurm_conf.cluster_name, set);
}

bool TuneStudy::hold_out(TuneAnswer& answer, const Told& told,
                         const std::atomic<bool>* interrupted) {
  std::vector<Fitness> all;
  for (const TriedSetting& tried : answer.tried) all.push_back(tried.fitness);
  std::vector<std::size_t> chosen = front_of(all);
  // Today's settings come first and stay beside the front, whether they are on it or not.
  answer.today_is_on_front = !chosen.empty() && chosen.front() == 0;
  if (answer.today_is_on_front) chosen.erase(chosen.begin());
  answer.front_size = chosen.size();
  chosen = spread_of(all, std::move(chosen), study_.tune.front);
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return all[a].costs < all[b].costs; });
  std::vector<Setting> settings{answer.tried.front().values};
  for (const std::size_t tried : chosen) {
    TunedSetting& setting = answer.front.emplace_back();
    setting.tried = tried;
    setting.dominates_on_training = dominates(all[tried].costs, all.front().costs);
    add_paste(setting, answer.tried[tried].values);
    settings.push_back(answer.tried[tried].values);
  }
  const auto measured = measure(settings, true, told, interrupted);
  if (!measured) return false;
  if (!measured->front().error.empty()) {
    throw InputError({study_.site.string(), 0, 0},
                     "the site as it is cannot run: " + measured->front().error);
  }
  judge_front(answer, *measured);
  const std::size_t weeks = weeks_.spans(true).size();
  if (weeks >= kUnitsLeast) {
    answer.units = "weeks";
  } else if (study_.replications >= kUnitsLeast) {
    answer.units = "replications";
  }
  return true;
}

}  // namespace rehearse
