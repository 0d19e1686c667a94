// sim/controller/run_status.hpp — how a run ended, for those who need nothing else of a controller.
#pragma once

#include <cstdint>

namespace rehearse {

enum class RunStatus : std::uint8_t { Complete, Interrupted };

}  // namespace rehearse
