// sim/config/sbatch_values.cpp — the arguments of submit options: counts, sizes, lists, grammars.
#include "sim/config/sbatch_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse::submit {
namespace {

std::string_view value_of(const OptionUse& use) {
  return use.value.value_or(std::string_view{});
}

void refuse(const OptionUse& use, std::string_view what, Diagnostics& found,
            const std::string& hint = {}) {
  found.error(use.value_at,
              fmt::format("{}: '{}' is not {}", use.name, shortened(value_of(use)), what), hint);
}

/// `16`, `2k`: a count with the suffixes that node counts may have.
std::optional<std::uint32_t> scaled_count(std::string_view text) {
  std::uint64_t scale = 1;
  if (!text.empty() && (text.back() == 'k' || text.back() == 'K')) scale = 1024;
  if (!text.empty() && (text.back() == 'm' || text.back() == 'M'))
    scale = std::uint64_t{1024} * 1024;
  if (scale > 1) text.remove_suffix(1);
  const auto value = text::parse_decimal32(text);
  if (!value || *value * scale > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*value * scale);
}

}  // namespace

std::optional<std::uint32_t> count(const OptionUse& use, Diagnostics& found, std::uint32_t least) {
  const auto value = text::parse_decimal32(value_of(use));
  if (value && *value >= least) return value;
  refuse(use, least == 0 ? "a number" : "a number above 0", found);
  return std::nullopt;
}

std::optional<std::uint64_t> memory(const OptionUse& use, Diagnostics& found) {
  const auto value = parse_memory_mib(value_of(use));
  if (!value) refuse(use, "a size", found, "write 4000, 4000M or 4G; without a unit it is MB");
  return value;
}

std::optional<Minutes> minutes(const OptionUse& use, Diagnostics& found) {
  const auto value = parse_time_minutes(value_of(use));
  if (!value) {
    refuse(use, "a time limit", found, "write minutes, HH:MM:SS or D-HH:MM:SS");
    return std::nullopt;
  }
  // man sbatch: a limit of zero asks for no limit.
  return *value == Minutes{0} ? kUnlimited : *value;
}

std::string word(const OptionUse& use) {
  return std::string(value_of(use));
}
std::string lower_word(const OptionUse& use) {
  return to_lower(value_of(use));
}

void nodes(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const std::string_view text = value_of(use);
  const std::size_t dash = text.find('-');
  const auto min = scaled_count(text.substr(0, dash));
  NodeRange range;
  range.max = min;
  if (dash != std::string_view::npos) range.max = scaled_count(text.substr(dash + 1));
  if (!min || !range.max || *min == 0 || *range.max < *min) {
    refuse(use, "a node count", found, "write -N 4 or -N 2-4");
    return;
  }
  range.min = *min;
  args.nodes = range;
}

void ntasks(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  if (const auto value = count(use, found)) args.ntasks = value;
}

void extra_node_info(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const std::vector<text::Piece> parts = text::split_at(value_of(use), ':');
  std::optional<std::uint32_t>* const targets[] = {&args.sockets_per_node, &args.cores_per_socket,
                                                   &args.threads_per_core};
  if (parts.size() > 3) {
    refuse(use, "sockets[:cores[:threads]]", found);
    return;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].text == "*") continue;  // any
    const auto value = text::parse_decimal32(parts[i].text);
    if (!value || *value == 0) {
      refuse(use, "sockets[:cores[:threads]]", found);
      return;
    }
    *targets[i] = value;
  }
  args.extra_node_info = true;
}

void gres_flags(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  constexpr std::array<std::string_view, 5> kFlags = {
      "enforce-binding", "disable-binding", "one-task-per-sharing", "multiple-tasks-per-sharing",
      "allow-task-sharing"};
  for (const text::Piece& piece : text::split_at(value_of(use), ',')) {
    const std::string flag = to_lower(piece.text);
    if (flag == "enforce-binding") {
      args.enforce_binding = true;
    } else if (flag == "disable-binding") {
      args.enforce_binding = false;  // no more than that with cons_tres (gres.md §2.1)
    } else if (std::find(kFlags.begin(), kFlags.end(), flag) == kFlags.end()) {
      refuse(use, "a GRES flag", found, did_you_mean(flag, kFlags));
      return;
    }
  }
}

/// Of it and --oversubscribe the last counts (scheduling.md §5.3).
void exclusive(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const std::string mode = to_lower(value_of(use));
  if (mode.empty() || mode == "exclusive") {
    args.exclusive = ExclusiveMode::Exclusive;
  } else if (mode == "user") {
    args.exclusive = ExclusiveMode::User;
  } else if (mode == "mcs") {
    args.exclusive = ExclusiveMode::Mcs;
  } else {
    refuse(use, "a way to be exclusive", found, "write --exclusive, --exclusive=user or =mcs");
    return;
  }
  args.exclusive_node = args.exclusive == ExclusiveMode::Exclusive;
  args.oversubscribe = false;
}

void oversubscribe(SbatchArgs& args, const OptionUse&, Diagnostics&) {
  args.oversubscribe = true;
  args.exclusive = ExclusiveMode::None;
  args.exclusive_node = false;
}

void hint(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  constexpr std::array<std::string_view, 5> kHints = {"nomultithread", "multithread",
                                                      "compute_bound", "memory_bound", "help"};
  const std::string hint = to_lower(value_of(use));
  // The binding that the bounds ask for is the step's; to the job they are all one thread a core.
  if (hint == "nomultithread" || hint == "compute_bound" || hint == "memory_bound") {
    args.hint_nomultithread = true;
  } else if (hint == "multithread") {
    args.hint_nomultithread = false;
  } else if (std::find(kHints.begin(), kHints.end(), hint) != kHints.end()) {
    found.warning(use.value_at, fmt::format("--hint={} is known but not simulated", hint));
  } else {
    refuse(use, "a hint", found, did_you_mean(hint, kHints));
  }
}

void nice(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  constexpr std::uint32_t kLimit = 2147483645;  // ± this (man sbatch)
  if (!use.value) {
    args.nice = 100;
    return;
  }
  std::string_view digits = *use.value;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const auto value = text::parse_decimal32(digits);
  if (!value || *value > kLimit) {
    refuse(use, "a nice value", found, "a whole number within ±2147483645");
    return;
  }
  args.nice = negative ? -std::int64_t{*value} : std::int64_t{*value};
}

void priority(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  constexpr std::uint32_t kTop = 0xFFFFFFFD;  // the highest that is not a code
  if (equals_ignoring_case(value_of(use), "top")) {
    args.priority = kTop;
  } else if (const auto value = count(use, found, 0)) {
    args.priority = value;
  }
}

void switches(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const std::string_view text = value_of(use);
  const std::size_t at = text.find('@');
  const auto value = text::parse_decimal32(text.substr(0, at));
  std::optional<Minutes> wait;
  if (at != std::string_view::npos) wait = parse_time_minutes(text.substr(at + 1));
  if (!value || (at != std::string_view::npos && !wait)) {
    refuse(use, "count[@max-time]", found);
    return;
  }
  args.switches = value;
  args.switches_wait = wait;
}

void array(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  if (!parse_array_indexes(value_of(use))) {
    refuse(use, "an index set", found, "write 0-9, 1,3,5 or 0-99:2%10");
    return;
  }
  args.array = word(use);
}

void kill_on_invalid_dep(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const std::string answer = to_lower(value_of(use));
  if (answer == "yes" || answer == "no") {
    args.kill_on_invalid_dep = answer == "yes";
  } else {
    refuse(use, "yes or no", found);
  }
}

void no_kill(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const std::string answer = to_lower(value_of(use));
  if (!answer.empty() && answer != "off" && answer != "set") {
    refuse(use, "off", found);
    return;
  }
  args.no_kill = answer != "off";
}

void signal(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  // [{R|B}:]SIGNAL[@seconds]
  std::string_view text = value_of(use);
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) text.remove_prefix(colon + 1);
  const std::size_t at = text.find('@');
  const bool fine = !text.substr(0, at).empty() &&
                    (at == std::string_view::npos || text::parse_decimal(text.substr(at + 1)));
  if (!fine) {
    refuse(use, "a signal", found, "write USR1@60 or B:USR1@60");
    return;
  }
  args.signal = word(use);
}

}  // namespace rehearse::submit
