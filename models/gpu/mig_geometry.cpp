// models/gpu/mig_geometry.cpp — intervals on a handful of slices; everything by plain search.
#include "models/gpu/mig_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "sim/config/text_scan.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

bool contains(const std::vector<std::uint32_t>& all, std::uint32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool overlap(const GpuModel& model, MigInstance a, MigInstance b) {
  return a.start < b.start + model.profiles[b.profile].memory_slices &&
         b.start < a.start + model.profiles[a.profile].memory_slices;
}

MigLayout with(MigLayout layout, MigInstance more) {
  layout.insert(std::upper_bound(layout.begin(), layout.end(), more), more);
  return layout;
}

/// (profile, start) pairs that can still be created.
std::size_t creatable(const GpuModel& model, const MigLayout& there) {
  std::size_t count = 0;
  for (std::uint32_t profile = 0; profile < model.profiles.size(); ++profile) {
    for (const std::uint32_t start : model.profiles[profile].starts) {
      count += may_join(model, there, {start, profile}) ? 1U : 0U;
    }
  }
  return count;
}

/// Larger ones first; equals keep their order.
std::vector<MigWish> large_first(const GpuModel& model, std::vector<MigWish> wishes) {
  std::stable_sort(wishes.begin(), wishes.end(), [&](const MigWish& a, const MigWish& b) {
    const MigProfile& left = model.profiles[a.profile];
    const MigProfile& right = model.profiles[b.profile];
    return std::pair(left.memory_slices, left.compute) >
           std::pair(right.memory_slices, right.compute);
  });
  return wishes;
}

/// Any places for wishes from `at` on, by depth-first search.
bool search(const GpuModel& model, const std::vector<MigWish>& wishes, std::size_t at,
            MigLayout& layout) {
  if (at == wishes.size()) return true;
  const MigWish& wish = wishes[at];
  for (const std::uint32_t start : model.profiles[wish.profile].starts) {
    const MigInstance more{start, wish.profile};
    if ((wish.start && *wish.start != start) || !may_join(model, layout, more)) continue;
    MigLayout longer = with(layout, more);
    if (search(model, wishes, at + 1, longer)) {
      layout = std::move(longer);
      return true;
    }
  }
  return false;
}

/// Calls use(layout) for every legal layout of the profiles, the empty one too.
template <typename Use>
void for_each_layout(const GpuModel& model, const std::vector<std::uint32_t>& profiles,
                     MigLayout& layout, std::uint32_t from, Use&& use) {
  use(layout);
  for (std::uint32_t start = from; start < model.memory_slices; ++start) {
    for (const std::uint32_t profile : profiles) {
      const MigInstance more{start, profile};
      if (!may_join(model, layout, more)) continue;
      layout.push_back(more);  // starts ascend
      for_each_layout(model, profiles, layout, start + 1, use);
      layout.pop_back();
    }
  }
}

std::uint32_t slices(const MigProfile& profile) {
  return profile.compute + profile.memory_slices;
}

std::uint32_t distance(std::uint32_t a, std::uint32_t b) {
  return a > b ? a - b : b - a;
}

std::uint32_t distance(const MigProfile& a, const MigProfile& b) {
  return distance(a.compute, b.compute) + distance(a.memory_slices, b.memory_slices) +
         (a.media != b.media ? 1U : 0U);
}

/// The cheapest pairing of `wanted` with `offered`: over `wanted`, by the set of offered ones
/// taken.
std::uint32_t distance(const GpuModel& model, const std::vector<MigWish>& wanted,
                       const std::vector<std::uint32_t>& offered) {
  constexpr std::uint32_t kFar = UINT32_MAX / 2;
  const std::size_t sets = std::size_t{1} << offered.size();
  std::vector<std::uint32_t> best(sets, kFar);
  best[0] = 0;
  for (const MigWish& wish : wanted) {
    const MigProfile& asked = model.profiles[wish.profile];
    for (std::size_t taken = sets; taken-- > 0;) {
      // Unpaired, or paired with the last one of `taken`.
      std::uint32_t least = best[taken] + slices(asked);
      for (std::size_t i = 0; i < offered.size(); ++i) {
        if ((taken >> i & 1U) == 0) continue;
        const std::uint32_t before = best[taken & ~(std::size_t{1} << i)];
        least = std::min(least, before + distance(asked, model.profiles[offered[i]]));
      }
      best[taken] = least;
    }
  }
  std::uint32_t least = kFar;
  for (std::size_t taken = 0; taken < sets; ++taken) {
    std::uint32_t cost = best[taken];
    for (std::size_t i = 0; i < offered.size(); ++i) {
      if ((taken >> i & 1U) == 0) cost += slices(model.profiles[offered[i]]);
    }
    least = std::min(least, cost);
  }
  return least;
}

std::vector<std::uint32_t> profiles_of(const MigLayout& layout) {
  std::vector<std::uint32_t> profiles;
  for (const MigInstance& instance : layout) profiles.push_back(instance.profile);
  std::sort(profiles.begin(), profiles.end());
  return profiles;
}

}  // namespace

bool may_join(const GpuModel& model, const MigLayout& there, MigInstance more) {
  const MigProfile& profile = model.profiles[more.profile];
  if (!contains(profile.starts, more.start)) return false;
  return std::none_of(there.begin(), there.end(), [&](const MigInstance& other) {
    return overlap(model, other, more) || (profile.media && model.profiles[other.profile].media);
  });
}

bool is_legal(const GpuModel& model, const MigLayout& layout) {
  MigLayout so_far;
  for (const MigInstance& instance : layout) {
    if (instance.profile >= model.profiles.size() || !may_join(model, so_far, instance)) {
      return false;
    }
    so_far.push_back(instance);
  }
  return true;
}

std::optional<std::uint32_t> default_start(const GpuModel& model, const MigLayout& there,
                                           std::uint32_t profile) {
  std::optional<std::uint32_t> best;
  std::size_t most = 0;
  for (const std::uint32_t start : model.profiles[profile].starts) {
    if (!may_join(model, there, {start, profile})) continue;
    const std::size_t left = creatable(model, with(there, {start, profile}));
    if (!best || left > most) {
      best = start;
      most = left;
    }
  }
  return best;
}

std::optional<MigLayout> place_in_order(const GpuModel& model, const std::vector<MigWish>& wishes) {
  MigLayout layout;
  for (const bool has_start : {true, false}) {
    for (const MigWish& wish : wishes) {
      if (wish.start.has_value() != has_start) continue;
      const auto start = has_start ? wish.start : default_start(model, layout, wish.profile);
      if (!start || !may_join(model, layout, {*start, wish.profile})) return std::nullopt;
      layout = with(layout, {*start, wish.profile});
    }
  }
  return layout;
}

std::optional<MigLayout> place(const GpuModel& model, const std::vector<MigWish>& wishes) {
  if (auto layout = place_in_order(model, wishes)) return layout;
  const std::vector<MigWish> sorted = large_first(model, wishes);
  if (auto layout = place_in_order(model, sorted)) return layout;
  if (wishes.size() > model.memory_slices) return std::nullopt;
  MigLayout layout;
  if (search(model, sorted, 0, layout)) return layout;
  return std::nullopt;
}

std::vector<MigLayout> maximal_layouts(const GpuModel& model,
                                       const std::vector<std::uint32_t>& profiles) {
  std::vector<MigLayout> all;
  MigLayout layout;
  for_each_layout(model, profiles, layout, 0, [&](const MigLayout& one) {
    for (const std::uint32_t profile : profiles) {
      for (const std::uint32_t start : model.profiles[profile].starts) {
        if (may_join(model, one, {start, profile})) return;
      }
    }
    all.push_back(one);
  });
  std::sort(all.begin(), all.end());
  return all;
}

MigLayout nearest_legal(const GpuModel& model, const std::vector<MigWish>& wishes) {
  if (auto layout = place(model, wishes)) return *layout;
  std::vector<std::uint32_t> every(model.profiles.size());
  for (std::uint32_t i = 0; i < every.size(); ++i) every[i] = i;
  // Places do not matter to the distance: one layout of each set of profiles.
  std::vector<std::vector<std::uint32_t>> sets;
  MigLayout scratch;
  for_each_layout(model, every, scratch, 0,
                  [&](const MigLayout& one) { sets.push_back(profiles_of(one)); });
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  std::vector<std::uint32_t> wanted;
  for (const MigWish& wish : wishes) wanted.push_back(wish.profile);
  std::sort(wanted.begin(), wanted.end());
  const std::vector<std::uint32_t>* nearest = nullptr;
  // Distance, instances that are not as wanted, compute slices that are not used.
  std::tuple<std::uint32_t, std::size_t, std::uint32_t> least;
  for (const std::vector<std::uint32_t>& set : sets) {
    std::uint32_t compute = 0;
    for (const std::uint32_t profile : set) compute += model.profiles[profile].compute;
    std::vector<std::uint32_t> kept;
    std::set_intersection(set.begin(), set.end(), wanted.begin(), wanted.end(),
                          std::back_inserter(kept));
    const std::tuple cost{distance(model, wishes, set), wanted.size() - kept.size(),
                          model.compute_slices - compute};
    if (nearest != nullptr && cost >= least) continue;
    nearest = &set;
    least = cost;
  }
  std::vector<MigWish> found;
  for (const std::uint32_t profile : *nearest) found.push_back({profile, std::nullopt});
  const auto layout = place(model, large_first(model, found));
  REHEARSE_CHECK(layout.has_value(), "a legal set of {} instances finds no places", found.size());
  return *layout;
}

std::string to_text(const GpuModel& model, const MigLayout& layout) {
  std::string text;
  for (const MigInstance& instance : layout) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", model.profiles[instance.profile].name,
                        instance.start);
  }
  return text.empty() ? "none" : text;
}

std::vector<MigWish> parse_mig_wish(const GpuModel& model, std::string_view text) {
  constexpr std::uint32_t kMost = 64;
  std::uint32_t count = 1;
  if (const std::size_t times = text.find('*'); times != std::string_view::npos) {
    const auto number = text::parse_decimal32(text.substr(0, times));
    if (!number || *number == 0 || *number > kMost) return {};
    count = *number;
    text.remove_prefix(times + 1);
  }
  MigWish wish;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    wish.start = text::parse_decimal32(text.substr(colon + 1));
    if (!wish.start || count > 1) return {};
    text = text.substr(0, colon);
  }
  const auto name = parse_mig_name(text);
  const MigProfile* profile = name ? model.find_profile(*name) : nullptr;
  if (profile == nullptr) return {};
  wish.profile = static_cast<std::uint32_t>(profile - model.profiles.data());
  return std::vector<MigWish>(count, wish);
}

}  // namespace rehearse
