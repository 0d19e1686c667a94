// sim/study/refused_commands.cpp — one sentence.
#include "sim/study/refused_commands.hpp"

#include <fmt/format.h>

namespace rehearse {

std::string RefusedCommands::text(const TimeZone& zone) const {
  if (count_ == 0) return {};
  return fmt::format("{} refused, first at {}: {}: {}",
                     count_ == 1 ? std::string("1 admin command was")
                                 : fmt::format("{} admin commands were", count_),
                     zone.print(at_), command_, why_);
}

}  // namespace rehearse
