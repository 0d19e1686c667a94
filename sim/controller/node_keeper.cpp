// sim/controller/node_keeper.cpp — node states as slurmctld moves them, and daemons that fall
// silent.
#include "sim/controller/node_keeper.hpp"

#include <algorithm>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kNotResponding = "Not responding";
constexpr std::string_view kRebooted = "Node unexpectedly rebooted";

}  // namespace

void NodeKeeper::begin() {
  daemons_.assign(c_.cluster_.nodes.size(), {});
  for (Daemon& daemon : daemons_) daemon.heard = c_.started_at_;
  pings_.emplace(c_.cluster_.conf.slurmd_timeout, c_.started_at_,
                 c_.cluster_.inputs.site.controller.background_turn);
  expect_known_silences();
  begin_failures();
}

void NodeKeeper::update(const UpdateNodes& update) {
  for (const NodeId id : update.nodes) {
    Node& node = c_.cluster_.nodes[id];
    if (update.weight) node.weight = *update.weight;
    if (update.features) node.features = *update.features;
    set(node, update.change);
  }
  if (update.weight || update.features) c_.configuration_changed();
}

void NodeKeeper::reconfigure() {
  for (Node& node : c_.cluster_.nodes) {
    const NodeConf& conf = c_.cluster_.conf.nodes[index_of(node.id)];
    node.weight = conf.weight;
    node.features.clear();
    for (const std::string& each : conf.features) {
      node.features.push_back(c_.cluster_.names.intern(each));
    }
  }
}

void NodeKeeper::set(Node& node, const NodeStateChange& change) {
  NodeState& state = node.state;
  using To = NodeStateChange::To;
  if (!change.reason.empty() && change.to != To::Down) state.reason = change.reason;
  switch (change.to) {
    case To::None:
      break;
    case To::Resume:
      resume(node);
      return;
    case To::Undrain:
      state.drain = false;
      if (!state.down && !state.fail) state.reason.clear();
      break;
    case To::Drain:
      state.drain = true;
      break;
    case To::Fail:
      state.fail = true;
      break;
    case To::NoRespond:
      state.no_respond = true;
      if (pings_->is_on()) ask(node, next_ping(node.id));
      break;
    case To::PowerUp:
    case To::PowerDown:
    case To::PowerDownAsap:
    case To::PowerDownForce:
      c_.power_.command(node, change.to);
      return;
    case To::CancelReboot:
      c_.reboots_.cancel(node);
      return;
    case To::Down:
      daemon(node.id).not_responding_down = false;
      set_down(node, change.reason);
      return;
  }
  changed(node);
}

/// lifecycle.md §12: a node that is resumed has to answer first. It is asked at the next turn of
/// the background loop, too late for the pass of that turn.
void NodeKeeper::resume(Node& node) {
  NodeState& state = node.state;
  if (!state.down && !state.drain && !state.fail) return;  // "Invalid node state specified"
  state.down = state.drain = state.fail = false;
  state.no_respond = !state.powered_down;
  state.reason.clear();
  daemon(node.id).not_responding_down = false;
  if (state.powered_down) {  // nobody is there to be asked
    c_.something_changed();
    c_.request_queued();
    return changed(node);
  }
  const Time turn = pings_->turn_after(c_.now_);
  if (pings_->is_on()) {
    for (Daemon& daemon : daemons_) {
      if (!daemon.silent) daemon.heard = pings_->last_heard(daemon.heard, turn - Duration{1});
    }
    pings_->restart(turn);
    round_due_.reset();
    schedule_round();
  }
  const Duration latency = c_.cluster_.inputs.site.controller.completion_latency;
  ask(node, turn + std::max(latency, Duration{1}));
  changed(node);
}

void NodeKeeper::set_down(Node& node, std::string_view reason) {
  if (!reason.empty()) node.state.reason = reason;
  node.state.down = true;
  const bool had_jobs = fail_jobs(node);
  changed(node);
  clean_again();
  // ReturnToService=2: the first answer brings it back, be it to the message that ends its jobs.
  if (c_.cluster_.conf.return_to_service != 2 || daemon(node.id).silent) return;
  if (had_jobs) {
    const SiteConf::Controller& daemons = c_.cluster_.inputs.site.controller;
    ask(node, c_.now_ + daemons.completion_latency + daemons.kill_latency);
  } else if (pings_->is_on()) {
    // Which round pings it hangs on all that was heard of it; a log knows.
    const auto known = c_.recorded_.next_answer(c_.cluster_.names.text(node.name), c_.now_);
    ask(node, known.value_or(next_ping(node.id)));
  }
}

Time NodeKeeper::next_ping(NodeId node) {
  const Time heard = pings_->last_heard(daemon(node).heard, c_.now_);
  const Time round = pings_->round_after(c_.now_);
  return pings_->leaves_out(heard, round) ? pings_->round_after(round) : round;
}

void NodeKeeper::ask(Node& node, Time at) {
  const std::uint32_t question = ++daemon(node.id).asked;
  const Time answer = recorded_answer(node.id).value_or(at);
  c_.schedule(answer, NodeFact{NodeFact::What::Answered, node.id, question});
}

std::optional<Time> NodeKeeper::recorded_answer(NodeId node) const {
  const NameId name = c_.cluster_.nodes[node].name;
  return c_.recorded_.answer_of(c_.cluster_.names.text(name), c_.now_);
}

void NodeKeeper::returns(NodeId node, Registers how) {
  const auto known = recorded_answer(node);
  if (!known || *known == c_.now_) return came_back(node, how);
  using What = NodeFact::What;
  c_.schedule(*known,
              NodeFact{how == Registers::AfterABoot ? What::RegisteredAfterBoot : What::Registered,
                       node, 0});
}

/// A message of the node's slurmd has come.
void NodeKeeper::answered(Node& node) {
  Daemon& truth = daemon(node.id);
  NodeState& state = node.state;
  truth.heard = c_.now_;
  const std::uint32_t back = c_.cluster_.conf.return_to_service;
  const bool returns = state.down && (back == 2 || (back == 1 && truth.not_responding_down));
  if (!state.no_respond && !returns) return;
  state.no_respond = false;
  if (returns) {
    state.down = truth.not_responding_down = false;
    if (!state.drain && !state.fail) state.reason.clear();
  }
  changed(node);
  c_.something_changed();
  if (state.is_available() && asks_for_a_pass()) c_.request_queued();
}

/// An answer mostly has a pass follow within three seconds, and now and then none; a log knows.
bool NodeKeeper::asks_for_a_pass() const {
  constexpr Seconds kSoon{4};
  return !c_.background_->follows_passes() || c_.background_->knows_pass_within(c_.now_, kSoon);
}

void NodeKeeper::on(const NodeFact& fact) {
  if (fact.what == NodeFact::What::ControllerBack) return c_.outage_.end();
  if (fact.what == NodeFact::What::FailureDue) return failure_due();
  if (fact.what == NodeFact::What::PingRound) {
    if (round_due_ == c_.now_) ping_round();
    return;
  }
  using What = NodeFact::What;
  if (fact.what == What::Registered) return came_back(fact.node, Registers::OnTheSameBoot);
  if (fact.what == What::RegisteredAfterBoot) return came_back(fact.node, Registers::AfterABoot);
  Node& node = c_.cluster_.nodes[fact.node];
  const Daemon& truth = daemon(fact.node);
  if (fact.what == NodeFact::What::Answered) {
    if (!truth.silent && fact.question == truth.asked) answered(node);
  } else if (fact.what == What::GivenUp) {
    if (truth.silent && !node.state.down) give_up_silent(node);
  } else if (truth.silent && !node.state.no_respond) {
    node.state.no_respond = true;
    changed(node);
    c_.something_changed();
  }
}

void NodeKeeper::controller_returned() {
  pings_.emplace(c_.cluster_.conf.slurmd_timeout, c_.now_,
                 c_.cluster_.inputs.site.controller.background_turn);
  round_due_.reset();
  schedule_round();
}

void NodeKeeper::ping_round() {
  round_due_.reset();
  for (Node& node : c_.cluster_.nodes) {
    Daemon& truth = daemon(node.id);
    if (!truth.silent || node.state.down) continue;
    if (pings_->is_given_up(truth.heard, c_.now_)) {
      give_up_silent(node);
    } else if (!pings_->leaves_out(truth.heard, c_.now_)) {
      c_.schedule(c_.now_ + PingClock::kGivesUp, NodeFact{NodeFact::What::Unanswered, node.id, 0});
    }
  }
  schedule_round();
}

void NodeKeeper::give_up_silent(Node& node) {
  daemon(node.id).not_responding_down = true;
  node.state.no_respond = true;
  set_down(node, node.state.reason.empty() ? kNotResponding : std::string_view{});
  c_.something_changed();
}

/// Which round finds out hangs on turns of the background loop and on all that was heard of the
/// node; a log knows.
void NodeKeeper::expect_known_silences() {
  for (const Node& node : c_.cluster_.nodes) {
    const auto known = c_.recorded_.silences.find(c_.cluster_.names.text(node.name));
    if (known == c_.recorded_.silences.end()) continue;
    for (const KnownSilence& each : known->second) {
      const auto what = each.sets_down ? NodeFact::What::GivenUp : NodeFact::What::Unanswered;
      if (each.at >= c_.now_) c_.schedule(each.at, NodeFact{what, node.id, 0});
    }
  }
}

/// Rounds matter only while a daemon is silent of which slurmctld does not know yet.
void NodeKeeper::schedule_round() {
  if (round_due_ || !pings_->is_on() || !c_.recorded_.silences.empty()) return;
  for (const Node& node : c_.cluster_.nodes) {
    if (!daemon(node.id).silent || node.state.down) continue;
    round_due_ = pings_->round_after(c_.now_);
    c_.schedule(*round_due_, NodeFact{});
    return;
  }
}

void NodeKeeper::change(const ChangeDaemons& change) {
  using To = ChangeDaemons::To;
  for (const NodeId node : change.nodes) {
    if (change.to == To::Silent) fell_silent(node, false);
    if (change.to == To::Crashed) fell_silent(node, true);
    if (change.to == To::Booted && !daemon(node).crashed) fell_silent(node, true);
    if (change.to == To::Answering) returns(node, Registers::OnTheSameBoot);
    if (change.to == To::Booted) returns(node, Registers::AfterABoot);
    if (change.to == To::Hung) hung_.hang(node);
    if (change.to == To::Recovered || change.to == To::Booted) hung_.recover(node);
  }
}

void NodeKeeper::fell_silent(NodeId node, bool crashed) {
  Daemon& truth = daemon(node);
  if (!truth.silent) truth.heard = pings_->last_heard(truth.heard, c_.now_);
  truth.silent = true;
  if (crashed) {
    truth.crashed = true;
    for (Job* job : c_.charged_) {
      if (!job->allocated_nodes.test(index_of(node))) continue;
      // The script runs on the first node; one that only waits misses none of the others.
      const bool lives_on =
          (job->spec->no_kill || job->run.sleeps) && job->allocation.nodes.front().node != node;
      if (lives_on) continue;
      lost_.emplace(job->index, job->run_number);
      c_.schedule_ends(*job);  // its limit is all that can end it
    }
  }
  schedule_round();
}

void NodeKeeper::booted_by_order(NodeId node) {
  Daemon& truth = daemon(node);
  if (!truth.silent) return;
  truth.silent = truth.crashed = truth.not_responding_down = false;
  truth.heard = c_.now_;
  ++truth.asked;
  clean_again();
}

/// slurmd registers as soon as it runs (lifecycle.md §12). A boot that nobody ordered sets the node
/// DOWN, or leaves it so, unless ReturnToService is 2.
void NodeKeeper::came_back(NodeId id, Registers how) {
  Daemon& truth = daemon(id);
  if (!truth.silent) return;
  Node& node = c_.cluster_.nodes[id];
  truth.silent = truth.crashed = false;
  ++truth.asked;
  requeue_missing(node);
  if (how == Registers::AfterABoot) {
    if (c_.cluster_.conf.return_to_service != 2) {
      truth.not_responding_down = false;
      for (const Job& job : c_.cluster_.jobs) {
        if (!job.completing || !job.requeues) continue;
        if (job.allocated_nodes.test(index_of(id))) leave_unnoticed(job);
      }
      if (!node.state.down) set_down(node, kRebooted);
    }
  }
  answered(node);
  clean_again();
}

void NodeKeeper::job_started(const Job& job) {
  for (const NodeShare& share : job.allocation.nodes) {
    Daemon& truth = daemon(share.node);
    if (!truth.silent) {
      truth.heard = c_.now_;
    } else if (share.node == job.allocation.nodes.front().node || !job.run.sleeps) {
      lost_.emplace(job.index, job.run_number);  // its launch reaches nobody
      c_.schedule_ends(c_.cluster_.jobs[job.index]);
    }
  }
}

bool NodeKeeper::has_clean_nodes(Job& job) {
  for (const NodeShare& share : job.allocation.nodes) {
    if (!daemon(share.node).silent || c_.cluster_.nodes[share.node].state.down) continue;
    unclean_.push_back(job.index);
    return false;
  }
  return hung_.lets_go(job);
}

void NodeKeeper::job_cleaned(const Job& job) {
  lost_.erase({job.index, job.run_number});
  unnoticed_.erase({job.index, job.run_number});
  for (const NodeShare& share : job.allocation.nodes) {
    if (!daemon(share.node).silent) daemon(share.node).heard = c_.now_;
  }
}

/// A silent node is back or DOWN: jobs that waited for it may be done.
void NodeKeeper::clean_again() {
  const std::vector<JobIndex> waiting = std::exchange(unclean_, {});
  for (const JobIndex index : waiting) {
    Job& job = c_.cluster_.jobs[index];
    if (!job.completing) continue;
    drop_down_nodes(job);
    c_.schedule(c_.now_, NodesCleaned{index, job.run_number});
  }
}

void NodeKeeper::changed(const Node& node) {
  c_.observer_.node_changed(node, c_.now());
}

}  // namespace rehearse
