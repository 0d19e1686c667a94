// sim/controller/power_keeper.cpp — the power saving thread: who sleeps, who wakes, who is ready.
#include "sim/controller/power_keeper.hpp"

#include <algorithm>
#include <utility>

#include "models/power/boot.hpp"
#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

constexpr Seconds kThreadPeriod{1};
constexpr Seconds kMinute{60};
constexpr std::string_view kGaveUp = "ResumeTimeout reached";

/// The times of one node: of its partitions' own values the longest.
PowerKeeper::Times times_of(const Cluster& cluster, NodeId node) {
  PowerKeeper::Times times;
  std::optional<Seconds> time, down, up;
  const auto longest = [](std::optional<Seconds>& known, const std::optional<Seconds>& other) {
    if (!other) return;
    const bool never = (known && *known < Seconds{0}) || *other < Seconds{0};
    known = never ? Seconds{-1} : std::max(known.value_or(*other), *other);
  };
  for (const Partition& partition : cluster.partitions) {
    if (!partition.nodes.test(index_of(node))) continue;
    longest(time, partition.conf.suspend_time);
    longest(down, partition.conf.suspend_timeout);
    longest(up, partition.conf.resume_timeout);
  }
  const Seconds after = time.value_or(cluster.conf.suspend_time);
  if (after >= Seconds{0}) times.suspend_time = after;
  times.suspend_timeout = down.value_or(cluster.conf.suspend_timeout);
  times.resume_timeout = up.value_or(cluster.conf.resume_timeout);
  return times;
}

}  // namespace

void PowerKeeper::begin() {
  const SlurmConf& conf = c_.cluster_.conf;
  on_ = saves_power(conf) && c_.history_ == nullptr;
  power_.assign(c_.cluster_.nodes.size(), {});
  if (!on_) return;
  boot_time_ = boot_time(conf, c_.cluster_.inputs.site.power);
  for (const Node& node : c_.cluster_.nodes) {
    Power& own = power(node);
    own.times = times_of(c_.cluster_, node.id);
    own.idle_since = c_.started_at_;
    const std::string& name = c_.cluster_.names.text(node.name);
    own.excluded = std::find(conf.suspend_exc_nodes.begin(), conf.suspend_exc_nodes.end(), name) !=
                   conf.suspend_exc_nodes.end();
    for (const Partition& partition : c_.cluster_.partitions) {
      const bool named =
          std::find(conf.suspend_exc_parts.begin(), conf.suspend_exc_parts.end(),
                    c_.cluster_.names.text(partition.name)) != conf.suspend_exc_parts.end();
      if (named && partition.nodes.test(index_of(node.id))) own.excluded = true;
    }
  }
  schedule_work();
}

Time PowerKeeper::turn_after(Time at, Duration period) const {
  if (at < c_.started_at_) return c_.started_at_;
  return c_.started_at_ + ((at - c_.started_at_) / period + 1) * period;
}

bool PowerKeeper::is_idle(const Node& node) const {
  return c_.cluster_.ledger.use(node.id).jobs == 0 && node.state.completing_jobs == 0;
}

/// SuspendExcStates of 23.02 and later.
bool PowerKeeper::is_excluded(const Node& node) const {
  const NodeState& state = node.state;
  for (const std::string& word : c_.cluster_.conf.suspend_exc_states) {
    if ((word == "down" && state.down) || (word.starts_with("drain") && state.drain) ||
        (word.starts_with("fail") && state.fail) || (word == "maint" && state.maint) ||
        (word == "planned" && state.planned) || (word == "not_responding" && state.no_respond)) {
      return true;
    }
  }
  return false;
}

std::optional<Time> PowerKeeper::sleep_due(const Node& node) const {
  const NodeState& state = node.state;
  const Power& own = power(node);
  // Nodes that are DOWN go to sleep like idle ones.
  if (state.powering_down || state.powered_down || state.powering_up || state.reboot_issued ||
      state.future || !is_idle(node)) {
    return std::nullopt;
  }
  if (own.wanted_down) return c_.now_;
  if (!own.times.suspend_time || own.excluded || is_excluded(node)) return std::nullopt;
  return own.idle_since + *own.times.suspend_time;
}

/// The thread looks every second for nodes that jobs wait for, and each power_save_interval for
/// idle ones.
void PowerKeeper::schedule_work() {
  if (!on_) return;
  const Duration interval = std::max<Duration>(c_.cluster_.conf.power_save_interval, kThreadPeriod);
  std::optional<Time> due;
  const auto by = [&](Time at) { due = due ? std::min(*due, at) : at; };
  if (!to_wake_.empty()) {
    const Duration least =
        std::max<Duration>(c_.cluster_.conf.power_save_min_interval, kThreadPeriod);
    by(turn_after(c_.now_, least));
  }
  for (const Node& node : c_.cluster_.nodes) {
    const auto at = sleep_due(node);
    if (at) by(turn_after(std::max(*at, c_.now_), interval));
  }
  if (!due || (work_due_ && *work_due_ <= *due)) return;
  work_due_ = due;
  c_.schedule(*due, PowerFact{});
}

bool PowerKeeper::has_room(std::deque<Time>& orders, std::uint32_t rate) const {
  while (!orders.empty() && orders.front() + kMinute <= c_.now_) orders.pop_front();
  return rate == 0 || orders.size() < rate;
}

void PowerKeeper::work() {
  const SlurmConf& conf = c_.cluster_.conf;
  work_due_.reset();
  while (!to_wake_.empty() && has_room(woken_, conf.resume_rate)) {
    Node& node = c_.cluster_.nodes[to_wake_.front()];
    to_wake_.pop_front();
    woken_.push_back(c_.now_);
    order_boot(node);
  }
  for (Node& node : c_.cluster_.nodes) {
    const auto due = sleep_due(node);
    if (!due || *due > c_.now_ || (!power(node).wanted_down && *due == c_.now_)) continue;
    if (!has_room(slept_, conf.suspend_rate)) break;
    slept_.push_back(c_.now_);
    put_to_sleep(node);
  }
  schedule_work();
}

void PowerKeeper::put_to_sleep(Node& node) {
  Power& own = power(node);
  own.wanted_down = false;
  NodeState& state = node.state;
  if (c_.cluster_.conf.idle_on_node_suspend) {  // whatever it was, it may be woken again
    state.down = state.drain = state.fail = state.no_respond = false;
    state.reason.clear();
  }
  state.powering_down = true;
  const Time over = c_.now_ + own.times.suspend_timeout;
  c_.schedule(turn_after(over, kThreadPeriod),
              PowerFact{PowerFact::What::PoweredDown, node.id, ++own.generation});
  changed(node);
}

void PowerKeeper::wake(Node& node) {
  node.state.powered_down = false;
  node.state.powering_up = true;
  to_wake_.push_back(node.id);
  c_.settle_completing(node.id);
  changed(node);
  schedule_work();
}

/// ResumeProgram runs. A node that needs longer than ResumeTimeout counts as broken.
void PowerKeeper::order_boot(Node& node) {
  Power& own = power(node);
  const bool in_time = boot_time_ <= own.times.resume_timeout;
  using What = PowerFact::What;
  if (in_time) {
    c_.schedule(c_.now_ + boot_time_, PowerFact{What::Booted, node.id, ++own.generation});
  } else {
    c_.schedule(turn_after(c_.now_ + own.times.resume_timeout, kThreadPeriod),
                PowerFact{What::GaveUp, node.id, ++own.generation});
  }
}

bool PowerKeeper::wakes(const Job& job) {
  if (!on_) return false;
  bool waits = false;
  for (const NodeShare& share : job.allocation.nodes) {
    Node& node = c_.cluster_.nodes[share.node];
    if (node.state.powered_down) wake(node);
    waits = waits || node.state.powering_up;
  }
  return waits;
}

void PowerKeeper::job_left(const Job& job) {
  if (!on_) return;
  for (const NodeShare& share : job.allocation.nodes) {
    const Node& node = c_.cluster_.nodes[share.node];
    if (is_idle(node)) power(node).idle_since = c_.now_;
  }
  schedule_work();
}

void PowerKeeper::on(const PowerFact& fact) {
  using What = PowerFact::What;
  if (fact.what == What::Work) {
    if (work_due_ == c_.now_) work();
    return;
  }
  if (fact.what == What::ConfiguredScan) return finish_configuring();
  Node& node = c_.cluster_.nodes[fact.node];
  Power& own = power(node);
  if (fact.generation != own.generation) return;
  if (fact.what == What::GaveUp) return gave_up(node);
  if (fact.what == What::Booted) return booted(node);
  node.state.powering_down = false;
  node.state.powered_down = true;
  if (std::exchange(own.drained_for_it, false)) node.state.drain = false;
  changed(node);
  c_.something_changed();
  if (node.state.is_available()) c_.request_queued();
}

/// It has registered. The scan finds that a job's nodes are ready (lifecycle.md §4).
void PowerKeeper::booted(Node& node) {
  node.state.powering_up = false;
  power(node).idle_since = c_.now_;
  c_.keeper_.booted_by_order(node.id);
  c_.settle_completing(node.id);
  changed(node);
  c_.something_changed();
  if (is_idle(node)) c_.request_queued();
  c_.schedule(c_.background_->scan_at(c_.now_ + Duration{1}),
              PowerFact{PowerFact::What::ConfiguredScan, {}, 0});
  schedule_work();
}

void PowerKeeper::gave_up(Node& node) {
  node.state.powering_up = false;
  node.state.powered_down = true;
  c_.settle_completing(node.id);
  c_.keeper_.give_up(node, kGaveUp);
  c_.something_changed();
}

void PowerKeeper::finish_configuring() {
  const std::vector<Job*> running = c_.charged_;
  for (Job* job : running) {
    if (!job->configuring) continue;
    const auto& shares = job->allocation.nodes;
    const bool ready = std::none_of(shares.begin(), shares.end(), [&](const NodeShare& share) {
      return c_.cluster_.nodes[share.node].state.powering_up;
    });
    if (ready) c_.finish_configuring(*job);
  }
}

void PowerKeeper::command(Node& node, NodeStateChange::To to) {
  using To = NodeStateChange::To;
  if (!on_) return;
  Power& own = power(node);
  if (to == To::PowerUp) {
    own.wanted_down = false;
    if (node.state.powered_down) wake(node);
    return;
  }
  if (node.state.powered_down || node.state.powering_down) return;
  own.wanted_down = true;
  if (to == To::PowerDownAsap && !node.state.drain) {
    own.drained_for_it = node.state.drain = true;
    changed(node);
  }
  if (to == To::PowerDownForce) c_.keeper_.end_jobs(node);
  schedule_work();
}

void PowerKeeper::changed(Node& node) {
  c_.estimator_.forget();  // a node that sleeps is chosen last
  c_.observer_.node_changed(node, c_.now());
}

}  // namespace rehearse
