// sim/study/tuning/search.hpp — which settings to try next: NSGA-II, or chance alone.
//
// NSGA-II (Deb, Pratap, Agarwal and Meyarivan, 2002) on the places of values in [0, 1): ranges and
// lists of numbers by simulated binary crossover and polynomial mutation (Deb and Agrawal, 1995),
// lists of words by exchange and by chance. It begins with Sobol's sequence. A generation is asked
// for as a whole and told as a whole, so what is asked follows from the seed and the answers alone,
// never from threads or time. No setting is asked for twice; where all there are fit into the
// budget, they are all asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "sim/study/study_conf.hpp"
#include "sim/study/tuning/pareto.hpp"

namespace rehearse {

using Setting = std::vector<std::string>;  ///< a value for each parameter, as chosen

/// Every setting there is, the last parameter changing fastest; none: more than `most`.
[[nodiscard]] std::optional<std::vector<Setting>> all_settings(
    const std::vector<StudyParameter>& parameters, std::size_t most);

class SettingSearch {
 public:
  /// `parameters` must outlive it. `budget`: settings at most.
  SettingSearch(const std::vector<StudyParameter>& parameters, const TuneConf& how,
                std::uint64_t seed, std::size_t budget);

  /// The next settings, each new; none: the budget is spent, or nothing new was found.
  [[nodiscard]] std::vector<Setting> ask();
  /// What they came to, in their order.
  void tell(std::vector<Fitness> fitness);
  /// All that there are will be tried.
  [[nodiscard]] bool is_exhaustive() const { return all_.has_value(); }

 private:
  using Places = std::vector<double>;  // by parameter, in [0, 1)
  struct Member {
    Places places;
    Fitness fitness;
  };

  [[nodiscard]] Setting values_of(const Places& places) const;
  void keep(Places places);
  void keep_sobol(std::size_t count);
  void keep_random(std::size_t count);
  void keep_children(std::size_t count);
  [[nodiscard]] const Member& tournament(Rng& rng) const;
  void cross(Rng& rng, Places& a, Places& b) const;
  void mutate(Rng& rng, Places& places) const;
  void select();

  const std::vector<StudyParameter>& parameters_;
  const TuneConf how_;
  std::uint64_t seed_;
  std::size_t left_;
  std::vector<bool> is_ordered_;  // by parameter: neighbours are alike
  std::optional<std::vector<Setting>> all_;
  std::size_t next_of_all_ = 0;
  std::uint64_t generation_ = 0;
  std::vector<Rng> chance_;  // a stream a parameter
  std::set<Setting> tried_;
  std::vector<Setting> asked_;
  std::vector<Places> asked_places_;
  std::vector<Member> population_;
  std::vector<std::size_t> rank_;
  std::vector<double> alone_;  // crowding within its rank
};

}  // namespace rehearse
