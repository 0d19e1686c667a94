// sim/app/calibrate_print.hpp — simulated waits against recorded ones, as a person and a script
// read them.
#pragma once

#include <string>

#include "sim/study/calibration/waits.hpp"

namespace rehearse {

/// Tables of at most 100 columns; ends in a newline.
[[nodiscard]] std::string calibration_text(const WaitCalibration& answer);
/// One line of JSON, `rehearse-calibrate/1`.
[[nodiscard]] std::string calibration_json(const WaitCalibration& answer);

}  // namespace rehearse
