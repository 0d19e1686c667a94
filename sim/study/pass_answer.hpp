// sim/study/pass_answer.hpp — what a copy of the state found out in a pass, and its way back as
// text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/observer.hpp"
#include "sim/study/passes.hpp"

namespace rehearse {

struct PassAnswer {
  std::vector<DecidedStart> made;
  std::vector<DecidedSignal> signalled;
  std::map<JobId, std::string> held;  ///< of each job in question: what holds it
};

[[nodiscard]] std::string to_text(const PassAnswer& answer);
[[nodiscard]] PassAnswer read_answer(std::string_view text);

/// Collects what a pass starts, and whom it preempts.
class PassWatch final : public Observer {
 public:
  void job_started(const Job& job, SlurmTime now) override;
  [[nodiscard]] bool asks_for_plans() const override { return true; }  // told beside what is held
  void job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) override;
  PassAnswer answer;
};

}  // namespace rehearse
