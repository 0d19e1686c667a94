// sim/app/tune_print.hpp — a front as a person, a script and a pipe read it, and as an admin takes
// it over.
#pragma once

#include <filesystem>
#include <string>

#include "sim/study/tuning/tune.hpp"

namespace rehearse {

/// `today`, or the number of a setting in the order in which it was tried, from 1.
[[nodiscard]] std::string setting_name(std::size_t tried);

/// The answer first, then every setting of the front beside today's, then its patch and commands.
[[nodiscard]] std::string tune_text(const TuneAnswer& answer, const StudyConf& study);
/// A row an objective of a setting:
/// `SETTING|FATE|OBJECTIVE|BETTER|TRAINING|HELD_OUT|CHANGE|LOW|HIGH` and a column a key.
[[nodiscard]] std::string tune_rows(const TuneAnswer& answer, const StudyConf& study,
                                    bool no_header);
/// `rehearse-tune/1`: sim/app/schema/tune.schema.json says what stands where. One line.
[[nodiscard]] std::string tune_json(const TuneAnswer& answer, const StudyConf& study);

/// Writes setting-NNNN.diff (for patch) and setting-NNNN.sh (sacctmgr) of every setting of the
/// front; such files of another front, which would be mistaken for these, go. Throws OutputError.
void write_pastes(const TuneAnswer& answer, const StudyConf& study,
                  const std::filesystem::path& folder);

}  // namespace rehearse
