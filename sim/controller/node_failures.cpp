// sim/controller/node_failures.cpp — the model's failures, as events of nodes and admins.
#include "sim/controller/controller.hpp"
#include "sim/controller/node_keeper.hpp"

namespace rehearse {

void NodeKeeper::begin_failures() {
  if (c_.cluster_.inputs.site.failures.empty() || c_.history_ != nullptr) return;
  failures_.emplace(c_.cluster_, c_.started_at_);
  next_failure_ = failures_->next();
  c_.schedule(next_failure_->at, NodeFact{NodeFact::What::FailureDue, {}, 0});
}

/// A repaired node is booted, and an admin resumes it.
void NodeKeeper::failure_due() {
  const NodeFailure failure = *next_failure_;
  next_failure_ = failures_->next();
  c_.schedule(next_failure_->at, NodeFact{NodeFact::What::FailureDue, {}, 0});
  Node& node = c_.cluster_.nodes[failure.node];
  using To = NodeStateChange::To;
  if (failure.repaired) {
    --broken_;
    if (failure.how == NodeFailure::How::Crash) came_back(failure.node, Registers::AfterABoot);
    if (node.state.down || node.state.drain) set(node, {To::Resume, ""});
    c_.last_activity_ = c_.now_;
  } else {
    ++broken_;
    if (failure.how == NodeFailure::How::Crash) return fell_silent(failure.node, true);
    const bool down = failure.how == NodeFailure::How::Down;
    set(node, {down ? To::Down : To::Drain, failure.reason});
  }
  c_.something_changed();
  c_.request_queued();
}

}  // namespace rehearse
