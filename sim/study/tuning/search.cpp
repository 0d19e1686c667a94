// sim/study/tuning/search.cpp — one generation after another.
#include "sim/study/tuning/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/config/text_scan.hpp"
#include "sim/core/check.hpp"
#include "sim/study/design.hpp"

namespace rehearse {
namespace {

// As in the paper's studies.
constexpr double kCrossing = 0.9;          // probability that two parents mix
constexpr double kCrossingIndex = 15;      // the more, the nearer children are to parents
constexpr double kMutationIndex = 20;      // the more, the smaller the steps
constexpr std::size_t kTries = 50;         // for a child that is new
constexpr double kGrid = 1024.0 * 1024.0;  // places are whole 2^-20: pow may differ in its last bit

double on_grid(double place) {
  const double whole = std::floor(place * kGrid);
  return std::clamp(whole, 0.0, kGrid - 1) / kGrid;
}

bool all_numbers(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const std::string& value) { return text::parse_real(value).has_value(); });
}

/// The values of one parameter; none: more than `most`.
std::optional<Setting> values_of_one(const StudyParameter& parameter, std::size_t most) {
  if (!parameter.is_range()) return parameter.values;
  const double count = *parameter.most - *parameter.least + 1;
  if (!parameter.is_whole || count > static_cast<double>(most)) return std::nullopt;
  Setting values;
  for (double value = *parameter.least; value <= *parameter.most; value += 1) {
    values.push_back(std::to_string(std::llround(value)));
  }
  return values;
}

}  // namespace

std::optional<std::vector<Setting>> all_settings(const std::vector<StudyParameter>& parameters,
                                                 std::size_t most) {
  std::vector<Setting> chosen{{}};
  for (const StudyParameter& parameter : parameters) {
    const auto values = values_of_one(parameter, most);
    if (!values || chosen.size() > most / std::max<std::size_t>(1, values->size())) {
      return std::nullopt;
    }
    std::vector<Setting> longer;
    for (const Setting& head : chosen) {
      for (const std::string& value : *values) {
        longer.push_back(head);
        longer.back().push_back(value);
      }
    }
    chosen = std::move(longer);
  }
  return chosen;
}

SettingSearch::SettingSearch(const std::vector<StudyParameter>& parameters, const TuneConf& how,
                             std::uint64_t seed, std::size_t budget)
    : parameters_(parameters), how_(how), seed_(seed), left_(budget) {
  all_ = all_settings(parameters, budget);
  for (const StudyParameter& parameter : parameters) {
    is_ordered_.push_back(parameter.is_range() || all_numbers(parameter.values));
    chance_.emplace_back(seed, "tune/random/" + parameter.name);
  }
}

Setting SettingSearch::values_of(const Places& places) const {
  Setting values;
  for (std::size_t p = 0; p < places.size(); ++p) {
    values.push_back(value_at(parameters_[p], places[p]));
  }
  return values;
}

void SettingSearch::keep(Places places) {
  Setting values = values_of(places);
  if (!tried_.insert(values).second) return;
  asked_.push_back(std::move(values));
  asked_places_.push_back(std::move(places));
}

void SettingSearch::keep_random(std::size_t count) {
  for (std::size_t i = 0; i < kTries * count && asked_.size() < count; ++i) {
    Places places;
    for (Rng& rng : chance_) places.push_back(on_grid(rng.uniform()));
    keep(std::move(places));
  }
}

void SettingSearch::keep_sobol(std::size_t count) {
  for (Places& places : sobol_places(parameters_, seed_, count)) {
    for (double& place : places) place = on_grid(place);
    keep(std::move(places));
  }
  keep_random(count);  // in place of those that came to the same values
}

const SettingSearch::Member& SettingSearch::tournament(Rng& rng) const {
  const auto last = static_cast<std::int64_t>(population_.size()) - 1;
  const auto a = static_cast<std::size_t>(rng.between(0, last));
  const auto b = static_cast<std::size_t>(rng.between(0, last));
  if (rank_[a] != rank_[b]) return population_[rank_[a] < rank_[b] ? a : b];
  return population_[alone_[b] > alone_[a] ? b : a];
}

void SettingSearch::cross(Rng& rng, Places& a, Places& b) const {
  if (rng.uniform() >= kCrossing) return;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const double u = rng.uniform();
    const bool is_mixed = rng.uniform() < 0.5;
    const bool is_exchanged = rng.uniform() < 0.5;
    if (!is_mixed) continue;
    if (is_exchanged) std::swap(a[p], b[p]);
    if (!is_ordered_[p]) continue;
    const double power = 1 / (kCrossingIndex + 1);
    const double spread = u <= 0.5 ? std::pow(2 * u, power) : std::pow(1 / (2 * (1 - u)), power);
    const double middle = (a[p] + b[p]) / 2;
    const double half = spread * (b[p] - a[p]) / 2;
    a[p] = on_grid(middle - half);
    b[p] = on_grid(middle + half);
  }
}

void SettingSearch::mutate(Rng& rng, Places& places) const {
  const double probability = 1 / static_cast<double>(places.size());
  for (std::size_t p = 0; p < places.size(); ++p) {
    const double u = rng.uniform();
    if (rng.uniform() >= probability) continue;
    const double power = 1 / (kMutationIndex + 1);
    const double step = u < 0.5 ? std::pow(2 * u, power) - 1 : 1 - std::pow(2 * (1 - u), power);
    places[p] = on_grid(is_ordered_[p] ? places[p] + step : u);
  }
}

void SettingSearch::keep_children(std::size_t count) {
  Rng rng(seed_, "tune/generation", generation_);
  for (std::size_t i = 0; i < kTries * count && asked_.size() < count; ++i) {
    Places a = tournament(rng).places;
    Places b = tournament(rng).places;
    cross(rng, a, b);
    mutate(rng, a);
    mutate(rng, b);
    keep(std::move(a));
    if (asked_.size() < count) keep(std::move(b));
  }
  keep_random(count);  // where children are all known
}

std::vector<Setting> SettingSearch::ask() {
  asked_.clear();
  asked_places_.clear();
  const std::size_t count = std::min<std::size_t>(how_.population, left_);
  if (all_) {
    const std::size_t end = std::min(all_->size(), next_of_all_ + how_.population);
    for (; next_of_all_ < end; ++next_of_all_) asked_.push_back((*all_)[next_of_all_]);
    return asked_;
  }
  if (count == 0) return {};
  if (how_.method == TuneMethod::Random) {
    keep_random(count);
  } else if (generation_ == 0) {
    keep_sobol(count);
  } else {
    keep_children(count);
  }
  left_ -= asked_.size();
  ++generation_;
  return asked_;
}

void SettingSearch::tell(std::vector<Fitness> fitness) {
  REHEARSE_CHECK(fitness.size() == asked_.size(), "{} answers to {} settings", fitness.size(),
                 asked_.size());
  if (all_ || how_.method == TuneMethod::Random) return;
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    population_.push_back({std::move(asked_places_[i]), std::move(fitness[i])});
  }
  select();
}

void SettingSearch::select() {
  std::vector<Fitness> all;
  for (const Member& member : population_) all.push_back(member.fitness);
  const std::vector<std::size_t> rank = ranks_of(all);
  std::vector<double> alone(all.size());
  const std::size_t ranks = *std::max_element(rank.begin(), rank.end()) + 1;
  for (std::size_t r = 0; r < ranks; ++r) {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < rank.size(); ++i) {
      if (rank[i] == r) which.push_back(i);
    }
    const std::vector<double> here = crowding_of(all, which);
    for (std::size_t i = 0; i < which.size(); ++i) alone[which[i]] = here[i];
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank[a] != rank[b] ? rank[a] < rank[b] : alone[a] > alone[b];
  });
  order.resize(std::min<std::size_t>(order.size(), how_.population));
  std::vector<Member> kept;
  rank_.clear();
  alone_.clear();
  for (const std::size_t i : order) {
    kept.push_back(std::move(population_[i]));
    rank_.push_back(rank[i]);
    alone_.push_back(alone[i]);
  }
  population_ = std::move(kept);
}

}  // namespace rehearse
