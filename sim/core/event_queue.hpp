// sim/core/event_queue.hpp — the one total order of events: time, then phase, then sequence.
//
// A 4-ary heap of (key, event). Within an instant the phases are the documented order: what ends
// gives back its resources, then arrivals are queued, then decisions are taken, then observed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/core/check.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// The order within one instant. Changing it changes results: a decision, never an accident.
enum class Phase : std::uint8_t { Release, Arrive, Decide, Observe };

struct EventKey {
  Time time;
  Phase phase = Phase::Release;
  std::uint64_t sequence = 0;

  friend constexpr bool operator<(const EventKey& a, const EventKey& b) {
    return std::tie(a.time, a.phase, a.sequence) < std::tie(b.time, b.phase, b.sequence);
  }
};

template <typename Event>
class EventQueue {
 public:
  struct Item {
    EventKey key;
    Event event;
  };

  /// Schedules `event`; returns its sequence number, which breaks ties in order of scheduling.
  std::uint64_t push(Time time, Phase phase, Event event) {
    items_.push_back({EventKey{time, phase, next_sequence_}, std::move(event)});
    sift_up(items_.size() - 1);
    return next_sequence_++;
  }

  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] const Item& top() const { return items_.front(); }

  /// Takes the first event. The queue must not be empty.
  Item pop() {
    REHEARSE_CHECK(!items_.empty(), "pop from an empty event queue");
    Item first = std::move(items_.front());
    if (items_.size() > 1) items_.front() = std::move(items_.back());
    items_.pop_back();
    if (!items_.empty()) sift_down(0);
    return first;
  }

 private:
  static constexpr std::size_t kArity = 4;

  void sift_up(std::size_t at) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kArity;
      if (!(items_[at].key < items_[parent].key)) return;
      std::swap(items_[at], items_[parent]);
      at = parent;
    }
  }

  void sift_down(std::size_t at) {
    for (;;) {
      const std::size_t first = at * kArity + 1;
      if (first >= items_.size()) return;
      const std::size_t last = std::min(first + kArity, items_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < last; ++child) {
        if (items_[child].key < items_[least].key) least = child;
      }
      if (!(items_[least].key < items_[at].key)) return;
      std::swap(items_[least], items_[at]);
      at = least;
    }
  }

  std::vector<Item> items_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace rehearse
