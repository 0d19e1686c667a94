// models/runtime/shared_devices.cpp — neighbours on a device, in order of their jobs.
#include "models/runtime/shared_devices.hpp"

#include <algorithm>

namespace rehearse {
namespace {

bool is_before(const Occupant& occupant, std::uint32_t job) {
  return occupant.job < job;
}

}  // namespace

std::uint32_t SharedDevices::add(const DeviceFigures& figures, Stands stands) {
  devices_.push_back({figures, stands, {}, {}});
  return static_cast<std::uint32_t>(devices_.size() - 1);
}

Occupant* SharedDevices::find(std::uint32_t device, std::uint32_t job) {
  auto& all = devices_[device].occupants;
  const auto at = std::lower_bound(all.begin(), all.end(), job, is_before);
  return at != all.end() && at->job == job ? &*at : nullptr;
}

void SharedDevices::enter(std::uint32_t device, const Occupant& occupant) {
  auto& all = devices_[device].occupants;
  const auto at = std::lower_bound(all.begin(), all.end(), occupant.job, is_before);
  if (at != all.end() && at->job == occupant.job) return;
  all.insert(at, occupant);
  auto& users = devices_[device].users;
  const bool is_client = one_user_ && occupant.held_as == HeldAs::Mps;
  if (is_client && std::find(users.begin(), users.end(), occupant.user) == users.end()) {
    users.push_back(occupant.user);
  }
}

void SharedDevices::leave(std::uint32_t device, std::uint32_t job) {
  auto& all = devices_[device].occupants;
  std::erase_if(all, [&](const Occupant& each) { return each.job == job; });
  std::erase_if(devices_[device].users, [&](std::uint32_t user) {
    return std::none_of(all.begin(), all.end(), [&](const Occupant& each) {
      return each.held_as == HeldAs::Mps && each.user == user;
    });
  });
}

/// Where only the number of GPUs is known nobody waits for another.
bool SharedDevices::computes(std::uint32_t device, const Occupant& each) const {
  const Device& here = devices_[device];
  const bool waits = each.held_as == HeldAs::Mps && here.stands == Stands::ForOne &&
                     !here.users.empty() && here.users.front() != each.user;
  return each.is_awake && !waits;
}

bool SharedDevices::is_served(std::uint32_t device, std::uint32_t job) const {
  const auto& all = occupants(device);
  const auto at = std::lower_bound(all.begin(), all.end(), job, is_before);
  if (at == all.end() || at->job != job) return true;
  Occupant awake = *at;
  awake.is_awake = true;
  return computes(device, awake);
}

void SharedDevices::set_awake(std::uint32_t device, std::uint32_t job, bool is_awake) {
  if (Occupant* occupant = find(device, job)) occupant->is_awake = is_awake;
}

void SharedDevices::set_grown(std::uint32_t device, std::uint32_t job) {
  if (Occupant* occupant = find(device, job)) occupant->has_grown = true;
}

std::size_t SharedDevices::neighbours(std::uint32_t device, std::uint32_t job) const {
  const auto& all = occupants(device);
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Occupant& each) {
    return computes(device, each) && each.job != job && concerns(device, each, job);
  }));
}

Stretch SharedDevices::stretch(std::uint32_t device, std::uint32_t job) const {
  std::vector<Sharer> sharers;
  std::size_t own = 0;
  Millionths by_device = kOne;
  bool all_mps = true;
  for (const Occupant& each : occupants(device)) {
    if (!computes(device, each) && each.job != job) continue;
    if (!concerns(device, each, job)) continue;
    if (each.job == job) {
      own = sharers.size();
      by_device = each.by_device;
    }
    all_mps = all_mps && each.held_as == HeldAs::Mps;
    sharers.push_back({each.here, each.cap});
  }
  if (sharers.empty()) return {};
  const Stretch here = stretches(sharers, all_mps ? mps_ : shard_)[own];
  const Millionths within_cap = scaled(by_device, here.by_device, alone(sharers[own].job));
  return {within_cap, scaled(within_cap, here.in_all, here.by_device)};
}

bool SharedDevices::has_memory(std::uint32_t device, std::uint32_t job) const {
  std::int64_t wanted = 0, contexts = 0;
  bool has_mps = false;
  for (const Occupant& each : occupants(device)) {
    if (!each.has_grown || !concerns(device, each, job)) continue;
    wanted += each.memory_mib;
    contexts += each.held_as == HeldAs::Mps ? 0 : 1;
    has_mps = has_mps || each.held_as == HeldAs::Mps;
  }
  return fits_memory(wanted, contexts + (has_mps ? 1 : 0), context_mib_, figures(device));
}

}  // namespace rehearse
