// sim/config/lint.hpp — every key that Slurm accepts, what it does, and what this simulator does
// with it (formats.md §3, §4, §6.6, §7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/slurm_version.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

struct SlurmConf;

/// What a key means for a simulation.
enum class KeyEffect : std::uint8_t {
  Simulated,               ///< read and acted upon
  Harmless,                ///< no effect on who runs when and where
  IgnoredMayChangeResults  ///< Slurm acts upon it, the simulator does not
};
[[nodiscard]] std::string_view to_text(KeyEffect effect);

/// Where a key may stand; SchedulerWord is a word of SchedulerParameters=.
enum class KeyScope : std::uint8_t { Global, Node, Partition, SchedulerWord };

/// A release as year and month: 2205 is 22.05.
using Release = std::uint16_t;
inline constexpr Release kDefaultRelease = 2205;
[[nodiscard]] Release release_of(SlurmVersion version);
[[nodiscard]] std::string release_text(Release release);

struct KnownKey {
  std::string_view name;  ///< as slurm.conf(5) spells it
  KeyEffect effect = KeyEffect::Harmless;
  std::string_view meaning;  ///< one plain sentence
  Release since = kDefaultRelease;
  Release until = 9999;      ///< the first release without it
  std::string_view fatal{};  ///< accepted by the parser, but slurmctld stops: what to do instead
};

/// All keys of a scope, whatever the release.
[[nodiscard]] std::vector<const KnownKey*> known_keys(KeyScope scope);

/// The key of that name (any case); none: no release from 22.05 to 25.05 knows it.
[[nodiscard]] const KnownKey* find_known_key(KeyScope scope, std::string_view name);

/// What is wrong with a key that `release` does not accept in `scope`.
struct KeyTrouble {
  std::string what;  ///< empty: the key is accepted
  std::string hint;
  bool decides_nothing = false;  ///< of older releases: it can be passed over, and told
};
[[nodiscard]] KeyTrouble check_key(KeyScope scope, std::string_view name, Release release);

/// A key that a configuration sets, and what becomes of it.
struct KeyUse {
  KeyScope scope = KeyScope::Global;
  std::string name;  ///< canonical spelling
  KeyEffect effect = KeyEffect::Harmless;
  std::string meaning;
  SourcePosition where;  ///< of its first use
};

/// True of a value that switches off what the key does: InactiveLimit=0.
[[nodiscard]] bool is_off(std::string_view key, std::string_view value);

/// Every key and SchedulerParameters word that `conf` sets, once each: by scope, then in file
/// order.
[[nodiscard]] std::vector<KeyUse> keys_in_use(const SlurmConf& conf);

}  // namespace rehearse
