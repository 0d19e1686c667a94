// sim/study/outside.hpp — points that an outside optimiser asks for, line by line.
//
// First a line that says what may be asked:
//   {"parameters": [{"name": …, "least": …, "most": …, "whole": …, "scale": …}], "objectives": […]}
// Then every line of the input is a question, and every line of the output an answer, as it comes:
//   {"ask": 7, "parameters": {"PriorityWeightAge": 2000}}
//   {"tell": 7, "design": 3, "status": "complete", "objectives": {"wait_mean": 5120.5}}
// `ask` is the optimiser's own name for it and comes back as `tell`. Objectives are means over
// replications, null where there is nothing to measure; a failed question has an `error`. What was
// asked before is answered from the registry.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/registry.hpp"
#include "sim/study/sweep.hpp"

namespace rehearse {

/// Whole lines of a descriptor; waits for them, but not for longer than an interruption.
class QuestionLines {
 public:
  QuestionLines(int descriptor, const std::atomic<bool>* interrupted)
      : descriptor_(descriptor), interrupted_(interrupted) {}
  /// None: the end, or interrupted.
  [[nodiscard]] std::optional<std::string> next();

 private:
  int descriptor_;
  const std::atomic<bool>* interrupted_;
  std::string buffer_;
  bool ended_ = false;
};

class OutsidePoints {
 public:
  using Tell = std::function<void(const std::string& line)>;
  /// `tell` is given whole lines, one at a time.
  OutsidePoints(PointRunner& runner, StudyRegistry& registry, QuestionLines& lines, Tell tell);

  /// The first line.
  void introduce() const;
  /// The next point that must run; answers what needs no run on its way.
  [[nodiscard]] std::optional<StudyPoint> next();
  void keep(const PointOutcome& outcome);

 private:
  struct Question {
    std::vector<std::string> names;  // `ask` of each who wants to know, as JSON
    std::size_t open = 0;            // points yet to run
    std::vector<std::uint32_t> points;
  };

  void ask(const std::string& line);
  [[nodiscard]] std::optional<std::vector<std::string>> values_of(const std::string& json,
                                                                  std::string& wrong) const;
  void answer(std::uint32_t design);
  void refuse(const std::string& name, const std::string& wrong) const;

  PointRunner& runner_;
  StudyRegistry& registry_;
  QuestionLines& lines_;
  Tell tell_;
  std::mutex lock_;  // of what follows, and of the registry
  std::deque<StudyPoint> waiting_;
  std::map<std::uint32_t, Question> questions_;       // by design, until answered
  std::map<std::uint32_t, std::uint32_t> design_of_;  // by point, until it has run
};

}  // namespace rehearse
