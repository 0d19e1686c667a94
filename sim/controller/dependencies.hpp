// sim/controller/dependencies.hpp — --dependency: what a job waits for (lifecycle.md §8).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/controller/record_purges.hpp"

namespace rehearse {

enum class DependencyKind : std::uint8_t {
  After,
  AfterAny,
  AfterOk,
  AfterNotOk,
  AfterCorr,
  AfterBurstBuffer,
  Singleton,
  Expand,
};

struct DependencyItem {
  DependencyKind kind = DependencyKind::AfterAny;
  JobId target{};
  std::optional<std::uint32_t> task;  ///< of `id_task`
  Minutes delay{0};                   ///< after:id+minutes
  enum class State : std::uint8_t { Open, Fulfilled, Failed };
  State state = State::Open;  ///< once decided it stays so
};

struct DependencyList {
  std::vector<DependencyItem> items;
  bool any = false;  ///< `?`: one is enough
};

/// expand: the job's planned end is that of a job which runs (lifecycle.md §8).
struct Expansion {
  std::string_view refusal;  ///< slurmctld's words; empty: none
  std::optional<SlurmTime> end;
};

/// None: not a dependency text that Slurm would take.
[[nodiscard]] std::optional<DependencyList> parse_dependencies(std::string_view text);

class Dependencies {
 public:
  Dependencies(const Cluster& cluster, const RecordPurges& purges)
      : cluster_(cluster), purges_(purges) {}

  /// A record was created: targets are found by id, singletons by user and name.
  void know(const Job& job);
  /// … and is purged: nobody finds it any more.
  void forget(const Job& job);
  /// The job waits for what `list` says.
  void add(const Job& job, DependencyList list) { lists_[job.index] = std::move(list); }

  enum class Answer : std::uint8_t { Fulfilled, Waiting, Never };
  /// Tests the open items of `job` and keeps what is decided.
  [[nodiscard]] Answer test(const Job& job, SlurmTime now);
  /// True if a job that can never run ends then, by its own words or by DependencyParameters.
  [[nodiscard]] bool end_where_never(const Job& job) const;
  /// True if the job still has a list that is not known to be fulfilled.
  [[nodiscard]] bool waits(const Job& job) const { return lists_.contains(job.index); }
  /// True if what it waits for may be otherwise by time alone: after:id+minutes, or a target that
  /// has ended and is about to be purged.
  [[nodiscard]] bool turns_by_time(const Job& job) const;
  /// It waits for nothing any more.
  void remove(const Job& job) { lists_.erase(job.index); }
  /// True if it would wait for itself, over max_depend_depth jobs at most (lifecycle.md §8).
  [[nodiscard]] bool is_circular(const Job& job, const DependencyList& list) const;
  /// The job had another name; it has been given its new one.
  void renamed(const Job& job, NameId before);
  /// A finished job leaves slurmctld's memory MinJobAge after its end (0: never), the record that
  /// bears an array's id after all others of the array.
  [[nodiscard]] bool is_purged(const Job& job, SlurmTime now) const;
  /// A started task leaves the meta record's list to the rest of the array.
  void inherit(const Job& from, const Job& to);

  [[nodiscard]] std::vector<JobIndex> records_of(JobId id) const;
  /// True if an afterok or afternotok names a job that slurmctld does not know: never submitted, or
  /// purged. Ids before the first job of the run belong to jobs that the run does not have.
  [[nodiscard]] bool names_an_unknown_job(const DependencyList& list, SlurmTime now) const;
  /// What a submission with this list comes to; `own` is none where the text is not one.
  [[nodiscard]] Expansion admission(const Job& job, const std::optional<DependencyList>& own,
                                    SlurmTime now) const;
  /// What an `expand:` of the list comes to; nothing where there is none.
  [[nodiscard]] Expansion expansion(const DependencyList& list, SlurmTime now) const;

 private:
  /// What the records of a target have come to.
  struct TargetState {
    bool any = false, pending = false, open = false, failed = false;
    bool too_soon = false;          ///< for +MINUTES
    bool open_but_special = false;  ///< open, leaving out what is SPECIAL_EXIT
  };
  [[nodiscard]] TargetState state_of(std::span<const JobIndex> records, std::int64_t task,
                                     Duration delay, SlurmTime now) const;
  [[nodiscard]] bool is_old(const Job& job, SlurmTime now) const;
  void test_item(const Job& job, DependencyItem& item, SlurmTime now) const;
  [[nodiscard]] bool leads_to(const DependencyList& list, const Job& job, int depth) const;
  [[nodiscard]] bool singleton_waits(const Job& job) const;

  const Cluster& cluster_;
  const RecordPurges& purges_;
  std::map<JobIndex, DependencyList> lists_;
  std::optional<JobId> first_id_;              // the lowest that was ever known
  std::map<JobId, std::set<JobIndex>> by_id_;  // an array's id: all of its records
  std::set<JobId> arrays_that_failed_;         // of which a forgotten task did
  std::map<std::pair<NameId, NameId>, std::set<JobIndex>> by_user_and_name_;
};

}  // namespace rehearse
