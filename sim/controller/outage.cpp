// sim/controller/outage.cpp — what waits for a controller, and in which order it is told.
#include "sim/controller/outage.hpp"

#include <utility>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

template <typename E>
bool is(const Event& event) {
  return std::holds_alternative<E>(event);
}

}  // namespace

void Outage::begin(const Reconfigure& again) {
  if (on_) return;
  on_ = true;
  files_ = {&again};
  if (c_.cluster_.conf.controllers < 2) return;
  c_.schedule(c_.now_ + c_.cluster_.conf.slurmctld_timeout,
              NodeFact{NodeFact::What::ControllerBack, {}, 0});
}

bool Outage::keeps(const Event& event) {
  if (!on_ || is<CommandIssued>(event)) return false;
  if (const auto* fact = std::get_if<NodeFact>(&event)) {
    if (fact->what == NodeFact::What::ControllerBack) return false;
    if (fact->what == NodeFact::What::FailureDue) return false;
  }
  events_.push_back(event);
  return true;
}

bool Outage::keeps(const AdminCommandAt& command) {
  if (!on_ || std::holds_alternative<ChangeDaemons>(command.action) ||
      std::holds_alternative<ChangeController>(command.action)) {
    return false;
  }
  commands_.push_back(&command);
  return true;
}

void Outage::end(const Reconfigure& edited) {
  if (!on_) {
    if (!edited.file.empty()) c_.change(edited);
    return;
  }
  files_.push_back(&edited);
  end();
}

void Outage::end() {
  if (!on_) return;
  on_ = false;
  for (const Reconfigure* again : files_) c_.change(*again);  // before what waited is told
  ended_ = c_.now_;
  const SiteConf::Controller& daemon = c_.cluster_.inputs.site.controller;
  c_.background_.emplace(c_.cluster_.conf.scheduler_parameters, c_.now_, daemon.background_turn);
  c_.backfill_clock_.emplace(c_.cluster_.conf.scheduler_type == SchedulerType::Backfill
                                 ? c_.cluster_.conf.scheduler_parameters.bf_interval
                                 : std::nullopt,
                             c_.now_);
  ++c_.background_generation_;
  ++c_.backfill_generation_;
  c_.background_due_.reset();
  c_.backfill_due_.reset();
  c_.yield_.reset();
  c_.weights_.forget();
  c_.reschedule_background();
  c_.keeper_.controller_returned();
  // Ends that nobody heard are told again at once, in their order; limits are looked at by the
  // first scan, and the loops have clocks of their own again.
  for (const Event& event : std::exchange(events_, {})) {
    if (is<BackgroundTurned>(event) || is<BackfillWoken>(event)) continue;
    const bool at_scan = is<TimeLimitReached>(event) || is<LimitsScanned>(event);
    const Time at = at_scan ? c_.background_->scan_at(c_.now_ + Duration{1}) : c_.now_;
    std::visit([&](const auto& fact) { c_.schedule(at, fact); }, event);
  }
  for (const AdminCommandAt* command : std::exchange(commands_, {})) c_.carry_out(*command);
  c_.something_changed();
  c_.request_queued();
}

}  // namespace rehearse
