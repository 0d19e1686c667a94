// sim/controller/reboots.cpp — a request waits for an idle node, a boot for its registration.
#include "sim/controller/reboots.hpp"

#include <algorithm>
#include <string_view>

#include "models/power/boot.hpp"
#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kAsap = "Reboot ASAP";
constexpr std::string_view kRequested = "reboot requested";
constexpr std::string_view kIssued = "reboot issued";
constexpr std::string_view kComplete = "reboot complete";
constexpr std::string_view kTimedOut = "reboot timed out";

void append(std::string& reason, std::string_view what) {
  if (!reason.empty()) reason += " : ";
  reason += what;
}

}  // namespace

void Reboots::order(const RebootNodes& command) {
  if (c_.history_ != nullptr) return;  // what became of nodes is told otherwise
  orders_.resize(c_.cluster_.nodes.size());
  for (const NodeId id : command.nodes) {
    Node& node = c_.cluster_.nodes[id];
    NodeState& state = node.state;
    if (state.reboot_issued || state.powered_down || state.powering_down || state.future) continue;
    if (!state.reboot_requested) ++waiting_;
    Order& order = order_of(node);
    order = {command.asap, command.next, order.generation};
    state.reboot_requested = true;
    if (command.asap) state.drain = true;
    if (!command.reason.empty()) {
      state.reason = command.reason;
    } else if (state.reason.empty()) {
      state.reason = command.asap ? kAsap : kRequested;
    }
    changed(node);
  }
  look_soon();
}

void Reboots::cancel(Node& node) {
  if (!node.state.reboot_requested) return;
  --waiting_;
  node.state.reboot_requested = false;
  if (order_of(node).asap) node.state.drain = false;
  if (!node.state.drain && !node.state.down && !node.state.fail) node.state.reason.clear();
  changed(node);
  c_.something_changed();
  if (node.state.is_available()) c_.request_queued();
}

/// Idle nodes are found at a turn of the background loop.
void Reboots::look_soon() {
  if (waiting_ == 0 || look_due_) return;
  const Duration turn = c_.cluster_.inputs.site.controller.background_turn;
  look_due_ = c_.started_at_ + ((c_.now_ - c_.started_at_) / turn + 1) * turn;
  c_.schedule(*look_due_, RebootFact{});
}

void Reboots::on(const RebootFact& fact) {
  using What = RebootFact::What;
  if (fact.what == What::Look) {
    look_due_.reset();
    for (Node& node : c_.cluster_.nodes) {
      const bool idle =
          c_.cluster_.ledger.use(node.id).jobs == 0 && node.state.completing_jobs == 0;
      if (node.state.reboot_requested && idle) issue(node);
    }
    return;
  }
  Node& node = c_.cluster_.nodes[fact.node];
  if (fact.generation != order_of(node).generation || !node.state.reboot_issued) return;
  if (fact.what == What::Registered) {
    registered(node);
  } else {
    timed_out(node);
  }
}

void Reboots::issue(Node& node) {
  --waiting_;
  node.state.reboot_requested = false;
  node.state.reboot_issued = true;
  append(node.state.reason, kIssued);
  const SlurmConf& conf = c_.cluster_.conf;
  const Duration takes = boot_time(conf, c_.cluster_.inputs.site.power);
  const std::uint32_t generation = ++order_of(node).generation;
  using What = RebootFact::What;
  if (takes <= Duration{conf.resume_timeout}) {
    c_.schedule(c_.now_ + takes, RebootFact{What::Registered, node.id, generation});
  } else {
    c_.schedule(c_.now_ + conf.resume_timeout, RebootFact{What::TimedOut, node.id, generation});
  }
  changed(node);
  c_.something_changed();
}

void Reboots::registered(Node& node) {
  const Order& order = order_of(node);
  NodeState& state = node.state;
  state.reboot_issued = false;
  c_.keeper_.booted_by_order(node.id);
  if (order.asap || order.next != RebootNodes::Next::AsBefore) state.drain = false;
  if (order.next == RebootNodes::Next::Down) {
    append(state.reason, kComplete);
    c_.keeper_.give_up(node, {});
  } else {
    // The default next state of a node that was DOWN is to stay so.
    if (order.next == RebootNodes::Next::Resume) state.down = state.fail = false;
    if (!state.down && !state.drain && !state.fail) state.reason.clear();
    changed(node);
  }
  c_.something_changed();
  if (state.is_available()) c_.request_queued();
}

void Reboots::timed_out(Node& node) {
  node.state.reboot_issued = false;
  append(node.state.reason, kTimedOut);
  c_.keeper_.give_up(node, {});
  c_.something_changed();
}

void Reboots::changed(const Node& node) {
  c_.choice_.forget();
  c_.estimator_.forget();
  c_.observer_.node_changed(node, c_.now());
}

}  // namespace rehearse
