// sim/study/comparison/conf_diff.hpp — what two configurations do differently, key by key, and how
// far the simulator follows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/output/provenance.hpp"

namespace rehearse {

enum class KeyEffect : std::uint8_t;  // sim/config/lint.hpp

/// One key with another value on either side. An empty value: not set, Slurm's default holds.
struct KeyDifference {
  std::string where;  ///< empty: global; `SchedulerParameters`; `PartitionName=x`
  std::string key, a, b;
  KeyEffect effect{};
  std::string meaning;  ///< one plain sentence; empty: nobody knows the key
};

/// A line of another input file that stands on one side only.
struct InputDifference {
  std::string file;  ///< its role: `assoc.dump`, `jobs` …
  std::size_t lines_only_a = 0, lines_only_b = 0;
  std::vector<std::string> only_a, only_b;  ///< the first few
  bool has_text = false;                    ///< false: only its bytes are known to differ
};

struct ConfDifference {
  std::vector<KeyDifference> keys;      ///< by place, then by key
  std::vector<std::string> nodes;       ///< `only in B: n[3-4]`, `n1: cpus 64 -> 32`
  std::vector<InputDifference> inputs;  ///< beside slurm.conf
  std::vector<std::string>
      ignored_both;  ///< keys that either side sets, alike, and nobody simulates
  /// Words that differ and cannot act on a side, as loops of a recording are replayed there.
  std::vector<std::string> replayed;
  bool draws_outages = false;  ///< a side has outages by chance (failures: in site.yaml)
  bool other_outages = false;  ///< … and the other side not the same ones
};

/// What the run of a result was given at its beginning, and left out: jobs that ran or pended at
/// --from.
struct LeftOutAtBegin {
  std::uint64_t running = 0, pending = 0;
  friend bool operator==(const LeftOutAtBegin&, const LeftOutAtBegin&) = default;
};
[[nodiscard]] LeftOutAtBegin left_out_at_begin(const Provenance& made);

/// From what each result says of its inputs.
[[nodiscard]] ConfDifference diff_configurations(const Provenance& a, const Provenance& b);

}  // namespace rehearse
