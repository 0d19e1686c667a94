// sim/study/simulate.cpp — one simulation of a loaded site, and its record.
#include "sim/study/simulate.hpp"

#include <utility>

#include "sim/controller/controller.hpp"
#include "sim/output/recorder.hpp"
#include "sim/study/refused_commands.hpp"
#include "sim/study/site_feedback.hpp"
#include "sim/study/tee.hpp"

namespace rehearse {

Simulation simulate(LoadedSite& site, const std::vector<Observer*>& others,
                    const std::atomic<bool>* interrupted) {
  RecorderOptions options;
  options.gpus = {&site.gpus, &site.mig};
  Recorder recorder(options);
  RefusedCommands refused;
  std::vector<Observer*> observers{&recorder, &refused};
  observers.insert(observers.end(), others.begin(), others.end());
  SiteFeedback users(site);
  if (Observer* listener = users.listener()) observers.push_back(listener);
  Tee tee(std::move(observers));
  Controller controller(*site.cluster, users.source(), site.commands, tee, interrupted);
  if (site.start) {
    controller.takeover().expect(site.start->opening);
  } else {
    controller.follow_clock(recorded_clock(site));
  }
  controller.follow_mig(site.mig_plan);
  Simulation done;
  done.status = controller.run();
  done.refused_commands = refused.text(site.zone);
  done.opened = controller.takeover().counts();
  done.result = recorder.take(done.status == RunStatus::Complete);
  users.give_to(done.result);
  return done;
}

}  // namespace rehearse
