// sim/config/slurm_conf_numbers.cpp — keys that decide no schedule, whose value is a number, YES or
// NO, or paths: slurmctld stops at another one (formats.md §6.7, §6.8).
#include <fmt/format.h>

#include <array>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

struct NumberKey {
  std::string_view key;
  NumberRule rule;
};

constexpr NumberRule kUpToTwo{.most = 2};

constexpr std::array<NumberKey, 25> kNumberKeys = {{
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
    {"MaxDBDMsgs", {.least = 10000, .may_be_infinite = true}},
    {"MaxNodeCount", kU32},
    {"MaxStepCount", {.least = 1, .may_be_infinite = true}},
    {"PrologEpilogTimeout", kU16OrInfinite},
    {"PropagatePrioProcess", kUpToTwo},
    {"SlurmSchedLogLevel", kU16OrInfinite},
    {"SlurmdPort", kU32OrInfinite},
    {"TCPTimeout", kU16OrInfinite},
    {"TreeWidth", kU16OrInfinite},
    {"VSizeFactor", kU16OrInfinite},
    {"WaitTime", kU16OrInfinite},
}};

/// Whole paths, or `none`.
void check_excluded_libraries(const ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("BcastExclude");
  if (pair == nullptr || equals_ignoring_case(pair->value, "none")) return;
  for (const std::string_view path : split_list(pair->value)) {
    if (path.starts_with('/')) continue;
    reader.error(*pair,
                 fmt::format("{} is no path from the root; slurmctld stops at it", shown(path)),
                 "write none, or paths as /lib,/usr/lib");
  }
}

void check_scheduling_log(const ConfReading& in, const FieldReader& reader) {
  const ConfPair* level = in.globals.own("SlurmSchedLogLevel");
  if (level == nullptr || level->value == "0") return;
  if (in.globals.own("SlurmSchedLogFile") != nullptr) return;
  reader.warning(*level,
                 "there is no SlurmSchedLogFile; slurmctld stops at it; it decides nothing here",
                 "remove it, or add SlurmSchedLogFile=");
}

}  // namespace

void check_plain_numbers(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  for (const NumberKey& each : kNumberKeys) {
    static_cast<void>(reader.number(in.globals.own(each.key), each.rule));
  }
  bool ignored = false;
  for (const std::string_view key : {"TrackWCKey", "UsePAM"}) reader.read(key, ignored);
  check_excluded_libraries(in, reader);
  check_scheduling_log(in, reader);
}

}  // namespace rehearse
