// sim/config/sbatch_values.hpp — readers for the arguments of submit options.
#pragma once

#include <cstdint>
#include <string>

#include "sim/config/sbatch_options.hpp"

namespace rehearse::submit {

/// Readers return nothing after reporting `--option: 'value' is not …` at the value.
[[nodiscard]] std::optional<std::uint32_t> count(const OptionUse& use, Diagnostics& found,
                                                 std::uint32_t least = 1);
[[nodiscard]] std::optional<std::uint64_t> memory(const OptionUse& use, Diagnostics& found);
[[nodiscard]] std::optional<Minutes> minutes(const OptionUse& use, Diagnostics& found);
[[nodiscard]] std::string word(const OptionUse& use);
[[nodiscard]] std::string lower_word(const OptionUse& use);

/// Those that need more than a number.
void nodes(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void extra_node_info(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void gres(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void gpus(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void gpus_per_node(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void gpus_per_task(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void tres_per_task(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void gpus_per_socket(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void gres_flags(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void exclusive(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void oversubscribe(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void hint(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void nice(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void priority(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void switches(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void array(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void dependency(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void kill_on_invalid_dep(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void ntasks(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void no_kill(SbatchArgs& args, const OptionUse& use, Diagnostics& found);
void signal(SbatchArgs& args, const OptionUse& use, Diagnostics& found);

}  // namespace rehearse::submit
