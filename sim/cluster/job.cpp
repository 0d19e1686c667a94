// sim/cluster/job.cpp — the words for a job's state.
#include "sim/cluster/job.hpp"

#include <array>

namespace rehearse {
namespace {

struct StateText {
  std::string_view whole, code;
};

constexpr std::array<StateText, 12> kStates{{{"PENDING", "PD"},
                                             {"RUNNING", "R"},
                                             {"SUSPENDED", "S"},
                                             {"COMPLETED", "CD"},
                                             {"CANCELLED", "CA"},
                                             {"FAILED", "F"},
                                             {"TIMEOUT", "TO"},
                                             {"NODE_FAIL", "NF"},
                                             {"PREEMPTED", "PR"},
                                             {"BOOT_FAIL", "BF"},
                                             {"DEADLINE", "DL"},
                                             {"OUT_OF_MEMORY", "OOM"}}};

}  // namespace

std::string_view to_text(JobState state) {
  return kStates[static_cast<std::size_t>(state)].whole;
}

std::string_view short_text(JobState state) {
  return kStates[static_cast<std::size_t>(state)].code;
}

}  // namespace rehearse
