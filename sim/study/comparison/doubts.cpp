// sim/study/comparison/doubts.cpp — sentences, in the order in which they are read.
#include "sim/study/comparison/doubts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/config/lint.hpp"
#include "sim/config/text.hpp"
#include "sim/output/kpi/gpu_kpis.hpp"
#include "sim/study/comparison/effective_users.hpp"

namespace rehearse {
namespace {

/// Has it a MIG profile, `3g.20gb`?
bool names_mig(std::string_view text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  for (std::size_t at = text.find("g."); at != std::string_view::npos;
       at = text.find("g.", at + 1)) {
    std::size_t end = at + 2;
    while (digit(end)) ++end;
    if (at > 0 && digit(at - 1) && end > at + 2 && text.substr(end, 2) == "gb") return true;
  }
  return false;
}

class Doubts {
 public:
  explicit Doubts(const Comparison& comparison) : c_(comparison) {}

  [[nodiscard]] std::vector<std::string> made() {
    of_interruptions();
    of_one_sided("A", c_.pairs.only_a);
    of_one_sided("B", c_.pairs.only_b);
    of_submissions();
    of_means();
    of_users();
    of_begins();
    of_devices();
    of_outages();
    of_keys();
    of_programs();
    return std::move(doubts_);
  }

 private:
  void add(std::string text) { doubts_.push_back(std::move(text)); }

  void of_interruptions() {
    for (const auto& [name, side] : {std::pair{"A", c_.a}, {"B", c_.b}}) {
      if (side->result.complete) continue;
      add(fmt::format("{} was interrupted: its figures are of a part of the run", name));
    }
  }

  void of_one_sided(const char* name, const OneSided& side) {
    if (side.jobs == 0) return;
    std::string first;
    for (const JobKey& key : side.first) first += (first.empty() ? "" : ", ") + to_text(key);
    add(fmt::format("{} job{} {} in {} alone, and left out of every comparison by job: {}{}",
                    side.jobs, side.jobs == 1 ? "" : "s", side.jobs == 1 ? "is" : "are", name,
                    first, side.jobs > side.first.size() ? " ..." : ""));
  }

  void of_submissions() {
    std::size_t earlier = 0, later = 0;
    for (const JobPair& pair : c_.pairs.pairs) {
      earlier += pair.b.submit < pair.a.submit ? 1U : 0U;
      later += pair.b.submit > pair.a.submit ? 1U : 0U;
    }
    if (earlier + later == 0) return;
    add(
        fmt::format("{} jobs are submitted earlier in B and {} later, as users wait for their jobs "
                    "(feedback in site.yaml): each wait counts from its own submission, and the "
                    "demand is not the same on both sides",
                    earlier, later));
  }

  void of_means() {
    for (const auto& [side, left_out] :
         {std::pair{PairSide::A, &c_.left_out_a}, {PairSide::B, &c_.left_out_b}}) {
      if (left_out->jobs() == 0) continue;
      add(left_out_words(side, *left_out) + ": their waits are in no mean");
    }
    const std::vector<JobPair>& pairs = c_.pairs.pairs;
    const auto ran = std::count_if(pairs.begin(), pairs.end(), [&](const JobPair& pair) {
      return pair.a.has_started() && pair.a.start < c_.a->result.begin;
    });
    if (ran == 0) return;
    add(
        fmt::format("{} jobs ran already when both sides begin: their waits are the record's, the "
                    "same on both sides, and make differences of means smaller",
                    ran));
  }

  void of_users() {
    auto few = few_users_text(c_.pairs, c_.options.users_min);
    if (!few.empty()) add(std::move(few));
  }

  void of_begins() {
    const LeftOutAtBegin at_a = left_out_at_begin(c_.a->provenance);
    const LeftOutAtBegin at_b = left_out_at_begin(c_.b->provenance);
    const auto begins_empty = [&](const char* who, const LeftOutAtBegin& at) {
      if (at.running + at.pending == 0) return;
      add(
          fmt::format("{} with an empty cluster: {} jobs of the trace run at --from, and {} pend; "
                      "waits are shorter than they would be (--start-from begins with them)",
                      who, at.running, at.pending));
    };
    if (at_a == at_b) {
      begins_empty("both sides begin", at_a);
    } else {
      begins_empty("A begins", at_a);
      begins_empty("B begins", at_b);
    }
  }

  void of_devices() {
    if (counts_instances(c_.a->result) != counts_instances(c_.b->result) &&
        c_.a->result.gpu.has_mig && c_.b->result.gpu.has_mig) {
      add("MIG instances count as GPUs on one side, and by their SMs on the other, whose layouts "
          "change in the run (mig.changes): utilization and GPU-hours cannot be compared, waits "
          "can");
      return;
    }
    const std::vector<std::string>& nodes = c_.conf.nodes;
    if (std::none_of(nodes.begin(), nodes.end(), names_mig)) return;
    add("each MIG instance counts as a GPU, as it does in Slurm: utilization and GPU-hours of A "
        "and B are of other devices, their waits are not");
  }

  void of_outages() {
    if (c_.conf.other_outages) {
      add("outages are drawn (failures: in site.yaml), and A and B have other ones: the intervals "
          "draw users, not outages, so that they call nobody better; several seeds of each side "
          "would");
    } else if (c_.conf.draws_outages) {
      add("outages are drawn (failures: in site.yaml): the intervals are of users under these "
          "outages; --seed gives others");
    }
  }

  void of_keys() {
    for (const std::string& word : c_.conf.replayed) {
      add(
          fmt::format("{} differs, but cannot act: the loops of a recording are replayed, and run "
                      "when the recorded ones did (rename its meta.json and slurmctld.log to let "
                      "the simulated ones keep their own time)",
                      word));
    }
    for (const KeyDifference& key : c_.conf.keys) {
      if (key.effect != KeyEffect::IgnoredMayChangeResults) continue;
      add(fmt::format("{} differs, but is not simulated: what it does on a cluster is missing here",
                      key.key));
    }
    if (c_.conf.ignored_both.empty()) return;
    add(fmt::format("both sides set what is not simulated and may change results: {}",
                    fmt::join(c_.conf.ignored_both, ", ")));
  }

  void of_programs() {
    const std::string& version_a = c_.a->result.cluster.slurm_version;
    const std::string& version_b = c_.b->result.cluster.slurm_version;
    if (version_a != version_b) add(fmt::format("A emulates Slurm {}, B {}", version_a, version_b));
    const Provenance& a = c_.a->provenance;
    const Provenance& b = c_.b->provenance;
    if (a.commit == b.commit) return;
    add(fmt::format("A was made by rehearse {} ({}), B by {} ({})", a.version, a.commit, b.version,
                    b.commit));
  }

  const Comparison& c_;
  std::vector<std::string> doubts_;
};

}  // namespace

std::vector<std::string> doubts_of(const Comparison& comparison) {
  return Doubts(comparison).made();
}

}  // namespace rehearse
