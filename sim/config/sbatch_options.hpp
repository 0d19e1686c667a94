// sim/config/sbatch_options.hpp — every option of sbatch, salloc and srun 22.05, and what it sets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/config/sbatch_args.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// Whether an option takes an argument; an optional one stands behind `=` (long) or is joined
/// (short), never in the next word.
enum class ArgumentKind : std::uint8_t { None, Required, Optional };

/// The programs that know an option, as bits.
enum Programs : std::uint8_t { kSbatch = 1, kSalloc = 2, kSrun = 4, kSubmitters = 7 };

/// One occurrence on a line.
struct OptionUse {
  std::string_view name;                  ///< as a person would write it: `--mem`, `-N`
  std::optional<std::string_view> value;  ///< none: no argument was given
  SourcePosition option_at, value_at;
};

using ApplyOption = void (*)(SbatchArgs&, const OptionUse&, Diagnostics&);

struct SubmitOption {
  std::string_view name;  ///< long name without dashes; empty: there is only the letter
  char letter = 0;        ///< 0: none
  ArgumentKind argument = ArgumentKind::None;
  Programs programs = kSubmitters;
  ApplyOption apply = nullptr;  ///< null: steers no scheduling; skipped with its argument
};

[[nodiscard]] std::span<const SubmitOption> submit_options();

/// The option of this long name or of an unambiguous beginning of it, as getopt_long finds it.
struct FoundOption {
  const SubmitOption* option = nullptr;  ///< null: unknown, or ambiguous
  bool is_ambiguous = false;
};
[[nodiscard]] FoundOption find_long_option(std::string_view name, Programs programs);
[[nodiscard]] const SubmitOption* find_short_option(char letter, Programs programs);

}  // namespace rehearse
