// sim/config/slurm_conf_numbers.cpp — keys that decide no schedule, whose value is a number or YES
// or NO: slurmctld stops at another one (formats.md §6.7).
#include <array>

#include "sim/config/slurm_conf_reader.hpp"

namespace rehearse {
namespace {

struct NumberKey {
  std::string_view key;
  NumberRule rule;
};

constexpr NumberRule kUpToTwo{.most = 2};

constexpr std::array<NumberKey, 24> kNumberKeys = {{
    {"AccountingStoragePort", kU16OrInfinite},
    {"AcctGatherNodeFreq", kU16OrInfinite},
    {"EioTimeout", kU16OrInfinite},
    {"EpilogMsgTime", kU32OrInfinite},
    {"ExtSensorsFreq", kU16OrInfinite},
    {"GetEnvTimeout", kU16OrInfinite},
    {"GroupUpdateForce", kU16OrInfinite},
    {"GroupUpdateTime", kU16OrInfinite},
    {"HealthCheckInterval", kU16OrInfinite},
    {"InactiveLimit", kU16OrInfinite},
    {"JobCompPort", kU32OrInfinite},
    {"JobFileAppend", kU16OrInfinite},
    {"KeepAliveTime", kU32OrInfinite},
    {"KillOnBadExit", kU16OrInfinite},
    {"MaxDBDMsgs", kU32OrInfinite},
    {"MaxNodeCount", kU32},
    {"MaxStepCount", kU32OrInfinite},
    {"PrologEpilogTimeout", kU16OrInfinite},
    {"PropagatePrioProcess", kUpToTwo},
    {"SlurmdPort", kU32OrInfinite},
    {"TCPTimeout", kU16OrInfinite},
    {"TreeWidth", kU16OrInfinite},
    {"VSizeFactor", kU16OrInfinite},
    {"WaitTime", kU16OrInfinite},
}};

}  // namespace

void check_plain_numbers(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  for (const NumberKey& each : kNumberKeys) {
    static_cast<void>(reader.number(in.globals.own(each.key), each.rule));
  }
  bool ignored = false;
  for (const std::string_view key : {"TrackWCKey", "UsePAM"}) reader.read(key, ignored);
}

}  // namespace rehearse
