// sim/controller/run_speeds.cpp — runs enter and leave their devices, and their ends move.
#include "sim/controller/run_speeds.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "models/runtime/device_figures.hpp"
#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

SharingModel model_of(std::string_view word) {
  if (word == "none") return SharingModel::None;
  if (word == "proportional") return SharingModel::Proportional;
  if (word == "mps" || word == "mps_one_user") return SharingModel::Mps;
  if (word == "fixed_penalty") return SharingModel::FixedPenalty;
  return SharingModel::PairwiseSum;
}

SharingRules rules_of(const PerformanceConf& conf, std::string_view word) {
  const auto millionths = [](double value) {
    return static_cast<Millionths>(std::llround(value * static_cast<double>(kOne)));
  };
  return {model_of(word), millionths(conf.fixed_penalty), millionths(conf.interference)};
}

/// A run that its program ends by itself after its work: neither one that waits for the clock nor
/// one whose user ends it.
bool ends_with_its_work(const TrueRun& run) {
  return !run.sleeps && run.outcome != RunOutcome::Cancelled &&
         run.outcome != RunOutcome::UntilKilled;
}

}  // namespace

void RunSpeeds::begin() {
  const PerformanceConf& conf = c_.cluster_.inputs.site.performance;
  on_ = conf.enabled && c_.history_ == nullptr;
  if (!on_) return;
  Diagnostics told;  // check_performance() has told them
  catalogue_.emplace(c_.cluster_.inputs.site.gpu, told);
  const GpuInventory gpus(c_.cluster_, *catalogue_, told);
  classes_.emplace(conf, figures_in(*catalogue_), told);
  devices_.emplace(rules_of(conf, conf.shard), rules_of(conf, conf.mps),
                   static_cast<std::int64_t>(conf.context_mib));
  if (conf.mps == "mps_one_user") devices_->serve_one_user();
  for (const rehearse::Node& node : c_.cluster_.nodes) add_node(node, gpus);
}

std::uint32_t RunSpeeds::add_device(const std::string& type, const GpuDevice& known,
                                    SharedDevices::Stands stands) {
  // What the site says of a type goes before the catalogue.
  DeviceHere& here = here_.emplace_back();
  here.type = type.empty() ? name_of(known) : type;
  here.figures = figures_of(known.model, known.profile);
  if (const auto own = classes_->own_figures(type)) here.figures = *own;
  return devices_->add(here.figures, stands);
}

void RunSpeeds::add_node(const rehearse::Node& node, const GpuInventory& gpus) {
  Node& made = nodes_.emplace_back();
  for (std::size_t i = 0; i < node.gres.size(); ++i) {
    const NodeGres& gres = node.gres[i];
    if (c_.cluster_.names.text(gres.name) != "gpu") continue;
    made.gpu_gres = i;
    const auto stands =
        gres.count_only ? SharedDevices::Stands::ForMany : SharedDevices::Stands::ForOne;
    for (std::size_t at = 0; at < gres.devices.size(); ++at) {
      made.devices.push_back(add_device(c_.cluster_.names.text(gres.devices[at].type),
                                        gpus.device(node.id, at), stands));
    }
  }
  if (made.gpu_gres != SIZE_MAX) made.unknown = add_device({}, {}, SharedDevices::Stands::ForMany);
}

RunSpeeds::Run* RunSpeeds::find(const Job& job) {
  if (!on_) return nullptr;
  const auto at = runs_.find(job.index);
  return at == runs_.end() ? nullptr : &at->second;
}

std::vector<RunSpeeds::Held> RunSpeeds::held_by(const Job& job) const {
  std::vector<Held> all;
  for (const NodeShare& share : job.allocation.nodes) {
    if (nodes_[index_of(share.node)].gpu_gres == SIZE_MAX) continue;
    for (const DeviceShare& each : share.devices) {
      const std::optional<Held> held = held_at(share.node, each);
      if (!held) continue;
      const bool is_new = std::none_of(
          all.begin(), all.end(), [&](const Held& other) { return other.device == held->device; });
      if (is_new) all.push_back(*held);
    }
  }
  return all;
}

std::optional<RunSpeeds::Held> RunSpeeds::held_at(NodeId id, const DeviceShare& share) const {
  const Node& node = nodes_[index_of(id)];
  const NodeGres& gres = c_.cluster_.nodes[id].gres[share.gres];
  const bool is_gpu = share.gres == node.gpu_gres;
  if (!is_gpu && gres.shares != node.gpu_gres) return std::nullopt;
  Held held;
  held.device = share.device < node.devices.size() ? node.devices[share.device] : node.unknown;
  if (is_gpu) return held;
  held.held_as = HeldAs::Shard;
  if (c_.cluster_.names.text(gres.name) == "mps") {
    held.held_as = HeldAs::Mps;
    if (share.device < gres.devices.size()) {
      held.cap = mps_cap(share.units, gres.devices[share.device].units);
    }
  }
  return held;
}

const JobClass& RunSpeeds::class_of(const Job& job, std::uint32_t first) const {
  const NamePool& names = c_.cluster_.names;
  const JobSpec& spec = *job.spec;
  JobTraits traits;
  traits.user = names.text(spec.user);
  traits.account = names.text(spec.account);
  traits.partition = names.text(c_.cluster_.partitions[job.partition].name);
  if (job.qos) traits.qos = names.text(c_.cluster_.accounts.qos[*job.qos].name);
  traits.name = names.text(spec.name);
  if (spec.extras) traits.wckey = spec.extras->wckey;
  traits.gpu_type = here_[first].type;
  return classes_->of(traits);
}

void RunSpeeds::enter(const Job& job, Run& run) {
  const NamePool& names = c_.cluster_.names;
  const std::string& stated = c_.cluster_.inputs.site.performance.recorded_on;
  const NameId type = job.run.gpu_type;
  const std::string& recorded = type != kNoName ? names.text(type) : stated;
  run.devices.clear();
  for (const Held& held : held_by(job)) {
    run.devices.push_back(held.device);
    Occupant occupant;
    occupant.job = static_cast<std::uint32_t>(job.index);
    occupant.user = static_cast<std::uint32_t>(job.spec->user);
    occupant.held_as = held.held_as;
    occupant.cap = held.cap;
    occupant.here = on_device(run.job_class->profile, devices_->figures(held.device),
                              run.job_class->measured_on);
    occupant.by_device = classes_->by_device(*run.job_class, here_[held.device], recorded);
    occupant.memory_mib = run.job_class->memory_mib;
    occupant.is_awake = !run.work.is_paused();
    devices_->enter(held.device, occupant);
  }
}

void RunSpeeds::leave(const Job& job, Run& run) {
  for (const std::uint32_t device : run.devices) {
    devices_->leave(device, static_cast<std::uint32_t>(job.index));
  }
}

void RunSpeeds::run_began(Job& job) {
  if (!on_) return;
  const auto expected = expected_.extract(job.index);
  const Program program = expected.empty() ? Program{} : expected.mapped();
  const std::vector<Held> held = held_by(job);
  if (held.empty()) return;
  const bool ends = job.program_end && ends_with_its_work(job.run);
  const Time begins =
      job.program_end ? *job.program_end - program.last_second - program.work : Time{*job.start};
  const RemainingWork all(ends ? std::optional<Duration>(program.work) : std::nullopt, begins);
  Run& run =
      runs_
          .insert_or_assign(
              job.index,
              Run{all, program.last_second, nullptr, {}, 0, 0, {}, false, false, false, ends})
          .first->second;
  run.job_class = &class_of(job, held.front().device);
  enter(job, run);
  update(job, run);
  update_neighbours(run.devices, job);
  expect_growth(job, run, begins);
}

/// What was done until now counts; without the server there is no end to expect.
bool RunSpeeds::settle_server(Job& job, Run& run) {
  const auto number = static_cast<std::uint32_t>(job.index);
  const bool waits = std::any_of(run.devices.begin(), run.devices.end(), [&](std::uint32_t device) {
    return !devices_->is_served(device, number);
  });
  if (waits == run.awaits_server) return false;
  run.awaits_server = waits;
  if (waits) {
    run.work.pause(c_.now_);
    if (run.work_ends) job.program_end.reset();
  } else if (!job.is_suspended()) {
    run.work.resume(c_.now_);
  }
  return true;
}

bool RunSpeeds::update(Job& job, Run& run) {
  const bool served_anew = settle_server(job, run);
  const auto number = static_cast<std::uint32_t>(job.index);
  Stretch slowest{0, 0};
  for (const std::uint32_t device : run.devices) {
    const Stretch here = devices_->stretch(device, number);
    if (here.in_all > slowest.in_all) {
      slowest = here;
      run.slowest = device;
    }
    const auto neighbours = static_cast<std::uint32_t>(devices_->neighbours(device, number));
    if (!run.work.is_paused()) run.most_neighbours = std::max(run.most_neighbours, neighbours);
  }
  if (slowest.in_all == 0) slowest = {};
  run.work.advance(c_.now_);
  run.work.go_at(slowest);
  const std::optional<Time> done = run.work.end();
  if (!done || *done + run.last_second == job.program_end) return served_anew;
  job.program_end = *done + run.last_second;
  return true;
}

void RunSpeeds::update_neighbours(const std::vector<std::uint32_t>& devices, const Job& except) {
  std::set<JobIndex> others;
  for (const std::uint32_t device : devices) {
    for (const Occupant& each : devices_->occupants(device)) others.insert(JobIndex{each.job});
  }
  others.erase(except.index);
  for (const JobIndex index : others) {
    Job& job = c_.cluster_.jobs[index];
    if (update(job, runs_.at(index))) c_.schedule_ends(job);
  }
}

void RunSpeeds::suspended(Job& job) {
  Run* run = find(job);
  if (run == nullptr) return;
  run->work.pause(c_.now_);
  for (const std::uint32_t device : run->devices) {
    devices_->set_awake(device, static_cast<std::uint32_t>(job.index), false);
  }
  update_neighbours(run->devices, job);
}

void RunSpeeds::resumed(Job& job) {
  Run* run = find(job);
  if (run == nullptr) return;
  if (!run->awaits_server) run->work.resume(c_.now_);
  for (const std::uint32_t device : run->devices) {
    devices_->set_awake(device, static_cast<std::uint32_t>(job.index), true);
  }
  update(job, *run);
  update_neighbours(run->devices, job);
  if (std::exchange(run->growth_put_off, false)) expect_growth(job, *run, c_.now_);
}

void RunSpeeds::resized(Job& job) {
  Run* run = find(job);
  if (run == nullptr) return;
  std::vector<std::uint32_t> touched = run->devices;
  leave(job, *run);
  enter(job, *run);
  touched.insert(touched.end(), run->devices.begin(), run->devices.end());
  if (update(job, *run)) c_.schedule_ends(job);
  update_neighbours(touched, job);
}

void RunSpeeds::warned(const Job& job) {
  Run* run = find(job);
  if (run == nullptr) return;
  run->work.advance(c_.now_);
  run->done_at_warning = run->work.done();
}

void RunSpeeds::run_ended(Job& job) {
  if (on_) expected_.erase(job.index);
  Run* found = find(job);
  if (found == nullptr) return;
  found->work.advance(c_.now_);
  leave(job, *found);
  const Run run = std::move(*found);
  runs_.erase(job.index);
  update_neighbours(run.devices, job);
  c_.observer_.run_paced(job, {run.work.pace(), run.job_class->name, here_[run.slowest].type,
                               run.most_neighbours, run.lacked_memory});
}

void RunSpeeds::expect_growth(const Job& job, const Run& run, Time begins) {
  const PerformanceConf& conf = c_.cluster_.inputs.site.performance;
  if (!conf.memory_fails || run.job_class->memory_mib == 0) return;
  c_.schedule(begins + conf.out_of_memory_after, DeviceMemoryGrown{job.index, job.run_number});
}

void RunSpeeds::on(const DeviceMemoryGrown& event) {
  Job& job = c_.cluster_.jobs[event.job];
  Run* run = find(job);
  if (run == nullptr || job.run_number != event.run_number) return;
  if (run->work.is_paused()) {
    run->growth_put_off = true;
    return;
  }
  bool has_room = true;
  for (const std::uint32_t device : run->devices) {
    devices_->set_grown(device, static_cast<std::uint32_t>(job.index));
    has_room = has_room && devices_->has_memory(device, static_cast<std::uint32_t>(job.index));
  }
  if (has_room || c_.keeper_.is_lost(job) || c_.follows_leader(job)) return;
  run->lacked_memory = true;
  constexpr std::int32_t kProgramError = 1;
  job.run.exit_code = kProgramError;
  // An error of the program: OUT_OF_MEMORY is about the host's memory (gpu-models.md §6.1).
  c_.end_run(job, JobState::Failed, Reason::NonZeroExitCode, AfterEnd::Gone, false);
  c_.end_followers(job, {JobState::Failed, Reason::NonZeroExitCode, AfterEnd::Gone, false});
}

Seconds RunSpeeds::worked(const Job& job, Seconds ran) {
  Run* run = find(job);
  if (run == nullptr) return ran;
  run->work.advance(c_.now_);
  return std::chrono::floor<Seconds>(run->work.done());
}

Seconds RunSpeeds::worked_until_warning(const Job& job, Seconds ran) const {
  const auto at = runs_.find(job.index);
  if (at == runs_.end() || !at->second.done_at_warning) return ran;
  return std::chrono::floor<Seconds>(*at->second.done_at_warning);
}

}  // namespace rehearse
