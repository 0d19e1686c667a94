// models/gpu/recut.cpp — dealing wishes to devices, node by node.
#include "models/gpu/recut.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// A GPU while wishes are dealt.
struct Work {
  const GpuNow* now = nullptr;
  std::vector<bool> used;             // beside the instances: held, or dealt as they are
  std::vector<std::uint32_t> wanted;  // profiles that were dealt, the whole GPU as the last one
  MigLayout layout;                   // once it is to be cut anew, without the rest
  bool is_recut = false;

  [[nodiscard]] const ChangingGpu& gpu() const { return *now->gpu; }
};

/// The profile of the GPU that a Type is; none: it is never cut so.
std::optional<std::uint32_t> profile_of(const ChangingGpu& gpu, NameId type) {
  const auto at = std::find(gpu.types.begin(), gpu.types.end(), type);
  if (at == gpu.types.end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - gpu.types.begin());
}

std::uint32_t profile_at(const Work& work, std::size_t instance) {
  return work.now->cut.whole ? work.gpu().whole() : work.now->cut.layout[instance].profile;
}

/// An instance of the profile that is there and neither held nor dealt.
std::optional<std::size_t> free_instance(const Work& work, std::uint32_t profile) {
  if (work.is_recut || !work.now->in_service) return std::nullopt;
  for (std::size_t i = 0; i < work.used.size(); ++i) {
    if (!work.used[i] && profile_at(work, i) == profile) return i;
  }
  return std::nullopt;
}

MigLayout held_of(const Work& work) {
  MigLayout held;
  for (std::size_t i = 0; i < work.now->cut.layout.size(); ++i) {
    if (work.now->held[i]) held.push_back(work.now->cut.layout[i]);
  }
  return held;
}

class Dealer {
 public:
  Dealer(const RecutPolicy& policy, std::span<const GpuNow> gpus, OtherDevices others)
      : policy_(policy), others_(std::move(others)) {
    for (const GpuNow& gpu : gpus) works_.push_back({&gpu, gpu.held, {}, {}, false});
  }

  /// True if all of its nodes were found.
  bool deal(const DeviceWish& wish) {
    NodeSet left = wish.where;
    for (std::uint64_t i = 0; i < wish.nodes; ++i) {
      const auto node = choose(wish, left);
      if (!node) return false;
      left.reset(index_of(*node));
    }
    return true;
  }

  [[nodiscard]] const std::vector<Work>& works() const { return works_; }

 private:
  /// Deals one node's share: where all is there, else where GPUs can be cut for it.
  std::optional<NodeId> choose(const DeviceWish& wish, const NodeSet& where) {
    for (const bool may_cut : {false, true}) {
      std::optional<NodeId> chosen;
      for_each_bit(where, [&](std::size_t node) {
        if (chosen) return;
        const NodeId id = id_at<NodeId>(node);
        if (deal_on(id, wish, may_cut)) chosen = id;
      });
      if (chosen) return chosen;
    }
    return std::nullopt;
  }

  /// All or nothing.
  bool deal_on(NodeId node, const DeviceWish& wish, bool may_cut) {
    const auto [first, last] = range_of(node);
    const std::vector<Work> before(works_.begin() + first, works_.begin() + last);
    const auto other = others_.find({node, wish.type});
    const std::uint64_t elsewhere = other == others_.end() ? 0 : std::min(other->second, wish.each);
    std::uint64_t dealt = elsewhere;
    for (; dealt < wish.each; ++dealt) {
      if (!deal_one(first, last, wish.type, may_cut)) break;
    }
    if (dealt < wish.each) {
      std::copy(before.begin(), before.end(), works_.begin() + first);
      return false;
    }
    if (elsewhere > 0) other->second -= elsewhere;
    return true;
  }

  bool deal_one(std::ptrdiff_t first, std::ptrdiff_t last, NameId type, bool may_cut) {
    for (std::ptrdiff_t i = first; i < last; ++i) {
      Work& work = works_[static_cast<std::size_t>(i)];
      const auto profile = profile_of(work.gpu(), type);
      const auto instance = profile ? free_instance(work, *profile) : std::nullopt;
      if (!instance) continue;
      work.used[*instance] = true;
      work.wanted.push_back(*profile);
      return true;
    }
    return may_cut && cut_one(first, last, type);
  }

  bool cut_one(std::ptrdiff_t first, std::ptrdiff_t last, NameId type) {
    Work* best = nullptr;
    std::optional<MigLayout> layout;
    std::uint32_t least = 0, wanted = 0;
    for (std::ptrdiff_t i = first; i < last; ++i) {
      Work& work = works_[static_cast<std::size_t>(i)];
      const ChangingGpu& gpu = work.gpu();
      const auto profile = profile_of(gpu, type);
      if (!profile || !work.now->may_change ||
          !std::binary_search(gpu.allowed.begin(), gpu.allowed.end(), *profile)) {
        continue;
      }
      auto made = fit(work, *profile);
      if (!made) continue;
      MigLayout so_far = work.is_recut ? work.layout : held_of(work);
      const std::uint32_t loss = policy_.loss(*gpu.model, so_far, *made);
      if (best != nullptr && loss >= least) continue;
      best = &work;
      least = loss;
      wanted = *profile;
      layout = std::move(made);
    }
    if (best == nullptr) return false;
    best->wanted.push_back(wanted);
    best->layout = std::move(*layout);
    best->is_recut = true;
    return true;
  }

  /// A whole GPU shares with nobody.
  [[nodiscard]] std::optional<MigLayout> fit(const Work& work, std::uint32_t profile) const {
    const ChangingGpu& gpu = work.gpu();
    const bool is_held =
        std::find(work.now->held.begin(), work.now->held.end(), true) != work.now->held.end();
    if (profile == gpu.whole()) {
      return is_held || !work.wanted.empty() ? std::nullopt : std::optional(MigLayout{});
    }
    const bool has_whole = !work.wanted.empty() && work.wanted.front() == gpu.whole();
    if (has_whole || (work.now->cut.whole && is_held)) return std::nullopt;
    std::vector<std::uint32_t> wanted = work.wanted;
    wanted.push_back(profile);
    return policy_.fit(*gpu.model, held_of(work), wanted);
  }

  [[nodiscard]] std::pair<std::ptrdiff_t, std::ptrdiff_t> range_of(NodeId node) const {
    const auto first = std::partition_point(
        works_.begin(), works_.end(), [&](const Work& work) { return work.gpu().node < node; });
    const auto last = std::partition_point(
        first, works_.end(), [&](const Work& work) { return work.gpu().node == node; });
    return {first - works_.begin(), last - works_.begin()};
  }

  const RecutPolicy& policy_;
  OtherDevices others_;
  std::vector<Work> works_;  // beside the GPUs: by node
};

/// The rest of the GPU: the largest of the allowed profiles that fits, again and again.
MigLayout filled(const ChangingGpu& gpu, MigLayout layout) {
  for (;;) {
    std::optional<MigInstance> best;
    for (const std::uint32_t profile : gpu.allowed) {
      if (profile == gpu.whole()) continue;
      const auto start = default_start(*gpu.model, layout, profile);
      if (!start) continue;
      const MigProfile& one = gpu.model->profiles[profile];
      const auto size = std::pair(one.compute, one.memory_slices);
      if (best) {
        const MigProfile& other = gpu.model->profiles[best->profile];
        if (size <= std::pair(other.compute, other.memory_slices)) continue;
      }
      best = MigInstance{*start, profile};
    }
    if (!best) return layout;
    layout.insert(std::upper_bound(layout.begin(), layout.end(), *best), *best);
  }
}

}  // namespace

std::vector<std::pair<std::uint32_t, GpuCut>> recut(const RecutPolicy& policy,
                                                    std::span<const GpuNow> gpus,
                                                    OtherDevices others,
                                                    std::span<const DeviceWish> wishes) {
  Dealer dealer(policy, gpus, std::move(others));
  for (const DeviceWish& wish : wishes) (void)dealer.deal(wish);
  std::vector<std::pair<std::uint32_t, GpuCut>> cuts;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Work& work = dealer.works()[i];
    if (!work.is_recut) continue;
    GpuCut cut;
    cut.whole = work.wanted.front() == work.gpu().whole();
    if (!cut.whole) cut.layout = filled(work.gpu(), work.layout);
    if (cut != gpus[i].cut) cuts.emplace_back(static_cast<std::uint32_t>(i), std::move(cut));
  }
  return cuts;
}

std::uint32_t largest_free(const GpuModel& model, const MigLayout& layout) {
  std::uint32_t largest = 0;
  for (std::uint32_t i = 0; i < model.profiles.size(); ++i) {
    const MigProfile& profile = model.profiles[i];
    if (profile.memory_slices <= largest) continue;
    const bool fits = std::any_of(profile.starts.begin(), profile.starts.end(), [&](auto start) {
      return may_join(model, layout, {start, i});
    });
    if (fits) largest = profile.memory_slices;
  }
  return largest;
}

std::unique_ptr<RecutPolicy> make_recut_policy(MigPolicy policy) {
  switch (policy) {
    case MigPolicy::OnDemand:
      return make_recut_on_demand();
    case MigPolicy::Packed:
      return make_recut_packed();
    case MigPolicy::None:
      break;
  }
  return nullptr;
}

}  // namespace rehearse
