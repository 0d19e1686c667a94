// sim/app/own_inputs.hpp — no verb writes over what it reads: asked once for all of them, before
// any of them runs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "sim/app/verb.hpp"

namespace rehearse {

/// Every file that stands behind a word of the command line: itself, or those that a site folder or
/// scenario is read from, with what its slurm.conf includes. Empty where nothing is there.
[[nodiscard]] std::vector<std::filesystem::path> files_behind(const std::filesystem::path& named);

/// Tells on stderr that the verb would write over a file that it reads, by whatever name or link;
/// the exit code of that. None: it would not.
[[nodiscard]] std::optional<Exit> refuse_own_inputs(const Verb& verb);

}  // namespace rehearse
