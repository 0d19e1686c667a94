// sim/output/views/node_state.cpp — from flags and what is held to sinfo's words.
#include "sim/output/views/node_state.hpp"

#include <utility>

#include "sim/output/result.hpp"

namespace rehearse {

NodeStateText node_state(std::uint16_t flags, std::int64_t cpus, std::uint32_t effective_cpus,
                         bool completing) {
  constexpr int kDrainBit = 0x200;
  constexpr int kCompletingBit = 0x800;
  constexpr int kFailBit = 0x1000;
  constexpr int kMaintBit = 0x8000;  // sinfo has them above all others
  const bool full = cpus > 0 && cpus >= std::int64_t{effective_cpus};
  NodeStateText state = cpus <= 0 ? NodeStateText{"idle", "idle", 2}
                        : full    ? NodeStateText{"alloc", "allocated", 3}
                                  : NodeStateText{"mix", "mixed", 5};
  if (completing) {
    state = {full ? "alloc+" : "comp", full ? "allocated+" : "completing",
             state.number + kCompletingBit};
  }
  const bool busy = cpus > 0 || completing;
  if ((flags & kNodeFail) != 0) {
    state = busy ? NodeStateText{"failg", "failing", state.number + kFailBit}
                 : NodeStateText{"fail", "fail", state.number + kFailBit};
  }
  // A draining node is never called mixed or completing: with jobs it is draining (outputs.md §2).
  if ((flags & kNodeDrain) != 0) {
    state = busy ? NodeStateText{"drng", "draining", 3 + kDrainBit}
                 : NodeStateText{"drain", "drained", 2 + kDrainBit};
  }
  const bool maint = (flags & kNodeMaint) != 0;
  const bool is_word = maint && !busy && (flags & (kNodeDrain | kNodeDown)) == 0;
  if (is_word) state = {"maint", "maint", state.number};
  if ((flags & kNodeDown) != 0) state = {"down", "down", 1};
  if (maint) state.number += kMaintBit;
  const char* const suffix = (flags & kNodeNoRespond) != 0      ? "*"
                             : (flags & kNodePoweredDown) != 0  ? "~"
                             : (flags & kNodePoweringUp) != 0   ? "#"
                             : (flags & kNodePoweringDown) != 0 ? "%"
                             : maint && !is_word                ? "$"
                                                                : "";
  state.code += suffix;
  state.whole += suffix;
  return state;
}

std::string scontrol_node_state(std::uint16_t flags, std::int64_t cpus,
                                std::uint32_t effective_cpus, bool completing) {
  std::string text = (flags & kNodeFuture) != 0            ? "FUTURE"
                     : (flags & kNodeDown) != 0            ? "DOWN"
                     : cpus <= 0                           ? "IDLE"
                     : cpus < std::int64_t{effective_cpus} ? "MIXED"
                                                           : "ALLOCATED";
  if (completing) text += "+COMPLETING";
  // A node of a maintenance reservation is a reserved one.
  constexpr std::pair<std::uint16_t, const char*> kFlags[] = {{kNodeDrain, "+DRAIN"},
                                                              {kNodeFail, "+FAIL"},
                                                              {kNodeMaint, "+MAINTENANCE"},
                                                              {kNodeNoRespond, "+NOT_RESPONDING"},
                                                              {kNodePoweredDown, "+POWERED_DOWN"},
                                                              {kNodePoweringDown, "+POWERING_DOWN"},
                                                              {kNodePoweringUp, "+POWERING_UP"},
                                                              {kNodeMaint, "+RESERVED"}};
  for (const auto& [flag, word] : kFlags) {
    if ((flags & flag) != 0) text += word;
  }
  return text;
}

}  // namespace rehearse
