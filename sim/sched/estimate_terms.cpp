// sim/sched/estimate_terms.cpp — when a job of counted features or alternatives could start: each
// term and each alternative waits for its own nodes (scheduling.md §8.7 step 6).
#include <algorithm>

#include "sim/sched/estimate.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

/// To the plan of the terms before. Nodes that are taken along make nobody wait.
void add_part(Forecast& whole, const Forecast& part, bool is_term) {
  whole.nodes |= part.nodes;
  whole.cpus += part.cpus;
  if (is_term && !part.immediate) {
    whole.start = whole.immediate ? part.start : std::max(whole.start, part.start);
    whole.immediate = false;
  }
  if (!part.allocation) return;
  std::vector<NodeShare>& shares = whole.allocation->nodes;
  shares.insert(shares.end(), part.allocation->nodes.begin(), part.allocation->nodes.end());
  std::sort(shares.begin(), shares.end(),
            [](const NodeShare& a, const NodeShare& b) { return a.node < b.node; });
  whole.allocation->cpus += part.allocation->cpus;
}

}  // namespace

/// Of counted features each term, of alternatives each one.
bool Estimator::has_searches_of_its_own(const Job& job, PartitionId partition) const {
  if (cluster_.request_of(job).features_wanted() == kNoName) return false;  // as most have none
  const Partition& where = cluster_.partitions[partition];
  return !select_.counted_terms(job, where).empty() || select_.alternatives(job, where).size() > 1;
}

void Estimator::search_by_features(const Search& search, Answer& answer) {
  const Partition& where = cluster_.partitions[search.partition];
  const auto terms = select_.counted_terms(search.job, where);
  if (!terms.empty()) return search_terms(search, terms, answer);
  search_alternatives(search, select_.alternatives(search.job, where), answer);
}

/// Each alternative is asked for by itself, with the jobs on its nodes alone; the earliest start
/// counts, of equal ones the first (scheduling.md §5.4).
void Estimator::search_alternatives(const Search& search, std::span<const NodeSet> sets,
                                    Answer& answer) {
  std::uint32_t last_cpus = 0;
  for (const NodeSet& nodes : sets) {
    Answer one;
    one.candidates = answer.candidates & nodes;
    one.preemptable = answer.preemptable;
    one.suspendable = answer.suspendable;
    one.horizon = answer.horizon;
    search_once(search, one);
    if (one.only_at) answer.only_at = one.only_at;
    answer.good_before = std::min(answer.good_before, one.good_before);
    if (!one.forecast) continue;
    last_cpus = one.forecast->cpus;
    if (!answer.forecast || one.forecast->start < answer.forecast->start) {
      answer.forecast = std::move(one.forecast);
      if (answer.forecast->immediate) break;
    }
  }
  if (answer.forecast) answer.forecast->last_cpus = last_cpus;
}

/// Each term is asked for as a job of so many nodes with that feature, which wants all CPUs. Where
/// the job wants more nodes than the terms have found, the rest is asked for as another one, of any
/// nodes that are left. Slurm: that may be because a term behind the first finds none, and then
/// those behind it are not asked.
void Estimator::search_terms(const Search& search, std::span<const CountedNodes> terms,
                             Answer& answer) {
  Request request = cluster_.request_of(search.job);
  request.features = request.prefer = kNoName;
  request.min_nodes = 1;
  const Partition& where = cluster_.partitions[search.partition];
  const RuledNodeCounts range = ruled_node_counts(select_.ruled_request(search.job, where).request,
                                                  {search.counts.min, search.counts.max});
  std::optional<Forecast> whole;
  std::uint32_t last_cpus = 0;
  NodeSet left = answer.candidates;
  const auto finds = [&](const NodeSet& among, const NodeCounts& counts, bool is_term) {
    Answer part;
    part.candidates = among;
    part.preemptable = answer.preemptable;
    part.suspendable = answer.suspendable;
    part.horizon = answer.horizon;
    search_once({.job = search.job,
                 .partition = search.partition,
                 .counts = counts,
                 .now = search.now,
                 .request = &request},
                part);
    if (!part.forecast) return false;
    left -= part.forecast->nodes;
    last_cpus = part.forecast->cpus;
    if (part.only_at) answer.only_at = part.only_at;
    answer.good_before = std::min(answer.good_before, part.good_before);
    if (!whole) {
      whole = std::move(part.forecast);
    } else {
      add_part(*whole, *part.forecast, is_term);
    }
    return true;
  };
  bool is_complete = true;
  for (const CountedNodes& term : terms) {
    const std::uint32_t most = std::max(term.count, range.max);
    if (finds(left & term.nodes, {term.count, most, term.count}, true)) continue;
    if (!whole) return;
    is_complete = false;
    break;
  }
  const auto found = static_cast<std::uint32_t>(whole->nodes.count());
  const std::uint32_t wanted = std::min(search.counts.req, range.max);
  if (found < wanted) {
    const std::uint32_t least = range.min > found ? range.min - found : 1;
    if (!finds(left, {least, range.max - found, wanted - found}, false)) return;
  } else if (!is_complete) {
    return;
  }
  whole->last_cpus = last_cpus;
  answer.forecast = std::move(whole);
}

}  // namespace rehearse
