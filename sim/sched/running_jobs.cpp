// sim/sched/running_jobs.cpp — a job enters and leaves its place in the list, and those of its
// nodes.
#include "sim/sched/running_jobs.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "sim/core/mix.hpp"

namespace rehearse {
namespace {

bool comes_before(const Job* a, const Job* b) {
  return ends_before(*a, *b);
}

template <typename Values>
auto nth(Values& values, std::size_t n) {
  return values.begin() + static_cast<std::ptrdiff_t>(n);
}

}  // namespace

bool ends_before(const Job& a, const Job& b) {
  return std::tuple(a.end, a.index) < std::tuple(b.end, b.index);
}

std::size_t RunningJobs::place_of(const Job& job) const {
  return static_cast<std::size_t>(std::lower_bound(jobs_.begin(), jobs_.end(), &job, comes_before) -
                                  jobs_.begin());
}

/// A job that was added anew, with another end or in another slot, is another one.
void RunningJobs::look_again(OfNode& node) const {
  node.look = 0;
  for (const Resident& each : node.residents) {
    const std::uint64_t who = added_[each.slot];
    const std::uint64_t word = who * 2 + (each.job->suspension.lends_cores ? 1U : 0U) + 1;
    node.look = mixed(std::rotl(node.look, 27) ^ word);
  }
}

void RunningJobs::add(Job& job) {
  ++changes_;
  const std::size_t at = place_of(job);
  auto slot = static_cast<std::uint32_t>(slot_count());
  if (!free_slots_.empty()) {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  if (slot >= added_.size()) added_.resize(slot + 1);
  added_[slot] = adds_++;
  jobs_.insert(nth(jobs_, at), &job);
  departures_.insert(nth(departures_, at), departure_of(job));
  slots_.insert(nth(slots_, at), slot);
  for (const NodeShare& share : job.allocation.nodes) {
    if (index_of(share.node) >= nodes_.size()) nodes_.resize(index_of(share.node) + 1);
    OfNode& node = nodes_[index_of(share.node)];
    const auto before =
        std::lower_bound(node.residents.begin(), node.residents.end(), &job,
                         [](const Resident& a, const Job* b) { return ends_before(*a.job, *b); });
    node.residents.insert(before, {&job, &share, slot});
    look_again(node);
  }
}

void RunningJobs::remove(Job& job) {
  ++changes_;
  const std::size_t at = place_of(job);
  if (at == jobs_.size() || jobs_[at] != &job) return;
  free_slots_.push_back(slots_[at]);
  jobs_.erase(nth(jobs_, at));
  departures_.erase(nth(departures_, at));
  slots_.erase(nth(slots_, at));
  for (const NodeShare& share : job.allocation.nodes) {
    OfNode& node = nodes_[index_of(share.node)];
    std::erase_if(node.residents, [&](const Resident& each) { return each.job == &job; });
    look_again(node);
  }
}

bool RunningJobs::adds_up() const {
  if (!std::is_sorted(jobs_.begin(), jobs_.end(), comes_before)) return false;
  if (departures_ != departures_of(jobs_)) return false;
  std::vector<std::vector<Resident>> anew(nodes_.size());
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    for (const NodeShare& share : jobs_[i]->allocation.nodes) {
      if (index_of(share.node) >= anew.size()) return false;
      anew[index_of(share.node)].push_back({jobs_[i], &share, slots_[i]});
    }
  }
  return std::equal(nodes_.begin(), nodes_.end(), anew.begin(),
                    [](const OfNode& kept, const auto& all) { return kept.residents == all; });
}

}  // namespace rehearse
