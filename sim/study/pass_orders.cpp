// sim/study/pass_orders.cpp — a counter of mixed radix over what is open.
#include "sim/study/pass_orders.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kMostOrders = 100;
constexpr std::size_t kEndStates = 3;    // clean, COMPLETING, running
constexpr std::size_t kCleanStates = 2;  // clean, COMPLETING

/// Digits of the counter: one a fact, or one for all facts alike.
struct Radix {
  std::size_t ends, completing, submissions, others;
  bool together = false;

  [[nodiscard]] std::size_t orders() const {
    std::size_t product = submissions * others;
    for (std::size_t i = 0; i < ends && product <= kMostOrders; ++i) product *= kEndStates;
    for (std::size_t i = 0; i < completing && product <= kMostOrders; ++i) product *= kCleanStates;
    return product;
  }
};

PassQuestion order_of(std::size_t number, const OpenFacts& facts, const Radix& radix) {
  PassQuestion question;
  const auto digit = [&number](std::size_t base) {
    const std::size_t value = number % base;
    number /= base;
    return value;
  };
  question.started = facts.earlier;
  if (digit(radix.others) == 1) {
    question.started.insert(question.started.end(), facts.others.begin(), facts.others.end());
  }
  const std::size_t fewer = digit(radix.submissions);
  question.submitted = fewer == 0       ? facts.submitted_max
                       : radix.together ? facts.submitted_min
                                        : facts.submitted_max - fewer;
  std::size_t state = 0;
  for (std::size_t i = 0; i < facts.completing.size(); ++i) {
    if (i < radix.completing) state = digit(kCleanStates);
    if (state == 0) question.cleaned.push_back(facts.completing[i]);
  }
  for (std::size_t i = 0; i < facts.ends.size(); ++i) {
    if (i < radix.ends) state = digit(kEndStates);
    if (state < 2) question.ended.push_back(facts.ends[i]);
    if (state == 0) question.cleaned.push_back(facts.ends[i]);
  }
  return question;
}

}  // namespace

std::vector<PassQuestion> possible_orders(const OpenFacts& facts, StartedBy loop) {
  const std::size_t open = facts.submitted_max - facts.submitted_min;
  Radix radix{facts.ends.size(), facts.completing.size(), open + 1,
              facts.others.empty() ? std::size_t{1} : std::size_t{2}};
  if (radix.orders() > kMostOrders) {
    radix = {facts.ends.empty() ? std::size_t{0} : 1, facts.completing.empty() ? std::size_t{0} : 1,
             open == 0 ? std::size_t{1} : 2, radix.others, true};
  }
  std::vector<PassQuestion> orders;
  for (std::size_t number = 0; number < radix.orders(); ++number) {
    orders.push_back(order_of(number, facts, radix));
    orders.back().loop = loop;
  }
  return orders;
}

}  // namespace rehearse
