// sim/config/slurm_conf_reader.hpp — how the readers of slurm.conf share their work; nobody else's
// business.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/conf_lexer.hpp"
#include "sim/config/conf_record.hpp"
#include "sim/config/lint.hpp"
#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// A NodeName= or PartitionName= line with the defaults in force there.
struct ConfRecordLine {
  const ConfPair* head = nullptr;
  ConfRecord record;
};

/// A change of records by --set: `names` as written, and the pair that replaces theirs.
struct RecordChange {
  KeyScope scope = KeyScope::Node;
  std::string names;
  ConfPair pair;
};

/// One slurm.conf on its way to typed values.
struct ConfReading {
  ConfText text;
  SlurmVersion version{};
  Diagnostics& found;
  SlurmConf conf{};

  std::vector<RecordChange> changes{};
  ConfRecord globals{};
  std::vector<ConfRecordLine> nodes{}, partitions{}, node_sets{}, down_nodes{};
  std::vector<std::string> known_tres{};  ///< permanent and of AccountingStorageTRES

  [[nodiscard]] SourcePosition at(const ConfPair& pair) const {
    return text.position(pair.value_at);
  }
  [[nodiscard]] FieldReader reader(const ConfRecord& record) const { return {text, record, found}; }
};

/// Appends the KEY=VALUE changes to the text, or to `changes`.
void apply_changes(ConfReading& in, const std::vector<std::string>& set);

/// Sorts lines into globals and records, and tells of keys that do not belong.
void sort_lines(ConfReading& in);

void read_accounting_and_priority(ConfReading& in);
void read_selection(ConfReading& in);
void read_preemption(ConfReading& in);
void read_limits_and_life_cycle(ConfReading& in);
void read_word_lists(ConfReading& in);
void read_plugin_names(ConfReading& in);
void check_plain_numbers(ConfReading& in);
void read_nodes(ConfReading& in);
void read_partitions(ConfReading& in);

/// PreemptMode= of the cluster or a partition.
struct PreemptModes {
  PreemptMode mode = PreemptMode::Off;
  bool gang = false, within = false, priority = false;
};
[[nodiscard]] PreemptModes parse_preempt_mode(const FieldReader& in, const ConfPair& pair);

/// Warns of each word of a list in which Slurm, which searches it for them, finds none of `known`.
void tell_unknown_words(const FieldReader& in, const ConfPair& pair,
                        std::span<const std::string_view> known);

/// SuspendTime=: seconds, or -1 for never.
void read_suspend_time(const FieldReader& in, Seconds& value);

}  // namespace rehearse
