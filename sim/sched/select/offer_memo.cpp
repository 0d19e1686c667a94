// sim/sched/select/offer_memo.cpp — a table by request, class of node and what is held of it;
// weights are never remembered.
#include "sim/sched/select/offer_memo.hpp"

#include <algorithm>
#include <bit>

namespace rehearse {
namespace {

constexpr std::size_t kSlotsPerNode = 64;
constexpr std::size_t kMostSlots = std::size_t{1} << 16U;  // a power of two, as all their numbers

/// Adds what the node gives that `from` holds alone.
void append(const Offers& from, Offers& to) {
  const auto sockets = static_cast<std::uint32_t>(to.socket_units.size());
  NodeOffer& offer = to.offers.emplace_back(from.offers.front());
  offer.gres_at = static_cast<std::uint32_t>(to.gres.size());
  for (GresOffer gres : from.gres) {
    gres.sockets_at += sockets;
    to.gres.push_back(gres);
  }
  to.socket_units.insert(to.socket_units.end(), from.socket_units.begin(), from.socket_units.end());
}

}  // namespace

void OfferMemo::sort_nodes(const IdVector<NodeId, Node>& nodes) {
  classes_ = classes_of(nodes);
  for (const Node& node : nodes) {
    const std::size_t number = classes_[node.id];
    if (number < keeps_marks_.size()) continue;
    const bool shares = std::any_of(node.gres.begin(), node.gres.end(),
                                    [](const NodeGres& gres) { return gres.shares.has_value(); });
    keeps_marks_.push_back(shares ? 1 : 0);
  }
}

bool OfferMemo::covers(const Scene& scene, const Node& node) {
  if (classes_.empty()) sort_nodes(scene.nodes);
  // Marks of shared GPUs outlive their jobs, and MaxCPUsPerNode counts those of one partition, as
  // does who borrows sockets.
  return scene.request.max_cpus_per_node == UINT32_MAX && keeps_marks_[classes_[node.id]] == 0 &&
         !scene.ledger.lends_sockets_to(scene.partition);
}

OfferMemo::Slot& OfferMemo::slot_of(const Key& key, std::size_t nodes) {
  if (slots_.empty()) slots_.resize(std::min(std::bit_ceil(nodes * kSlotsPerNode), kMostSlots));
  std::uint64_t hash =
      key.content.high + std::uint64_t{index_of(key.request)} * 0x9e3779b97f4a7c15U;
  hash = (hash ^ (hash >> 29U)) +
         std::uint64_t{key.node_class * 2 + (key.all_cores ? 1U : 0U)} * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 32U)) * 0x94d049bb133111ebU;
  return slots_[(hash >> 32U) & (slots_.size() - 1)];
}

bool OfferMemo::knows(const Scene& scene, RequestId number, const Node& node, bool all_cores) {
  if (classes_.empty()) sort_nodes(scene.nodes);
  const Key key{scene.ledger.content(node.id),
                number,
                scene.partition,
                classes_[node.id],
                scene.max_nodes,
                scene.first,
                all_cores};
  Slot& slot = slot_of(key, scene.nodes.size());
  last_ = &slot;
  if (slot.key == key) return true;
  slot.key = key;
  return false;
}

void OfferMemo::learn(const Scene& scene, const Node& node, const CoreSet& cores) {
  Slot& slot = *last_;
  slot.near = 0;
  slot.of_all_cores = {};
  slot.choice = 0;
  slot.of_node.clear();
  slot.offers = !cores.none() && measure_node(scene, node, cores, slot.of_node, slot.near);
  if (!slot.offers || slot.of_node.gres.empty()) return;
  // Whoever still holds the offer that stood here before finds another number.
  if (slot.fits == nullptr) slot.fits = std::make_unique<CoreFits>();
  for (FittedCores& fitted : slot.fits->of_attempt) fitted.of_cpus.reset();
  slot.fits->offer = ++learned_;
  slot.of_node.offers.front().fits = slot.fits.get();
  slot.of_node.offers.front().number = learned_;
}

/// The first of its nodes in this choice brings the offer.
void OfferMemo::lay_down_last(Offers& offers) {
  last_->choice = choice_;
  last_->place = static_cast<std::uint32_t>(offers.offers.size());
  append(last_->of_node, offers);
}

}  // namespace rehearse
