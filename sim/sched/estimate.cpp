// sim/sched/estimate.cpp — removing running jobs in bunches until the request fits.
//
// Where jobs only end, the states to ask are those of FutureLedgers. Where some would be preempted
// or share their cores, one copy is emptied job by job and filled again after each question.
#include "sim/sched/estimate.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "sim/cluster/holdings.hpp"
#include "sim/core/mix.hpp"
#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/select/most_leaves.hpp"
#include "sim/sched/select/quick_test.hpp"
#include "sim/sched/select/request_rules.hpp"
#include "sim/sched/yields.hpp"

namespace rehearse {
namespace {

std::uint64_t hash_of(const NodeSet& nodes) {
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < nodes.word_count(); ++w) {
    hash = (std::rotl(hash, 29) ^ nodes.word(w)) * 0x9e3779b97f4a7c15ULL;
  }
  return mixed(hash);
}

/// What fits before a running job has ended starts now. False: nothing does.
bool is_at_once(std::optional<Forecast>& found, SlurmTime now) {
  if (!found) return false;
  found->immediate = true;
  found->start = now;
  return true;
}

std::vector<Job*> without(const std::vector<Job*>& jobs, const std::vector<Job*>& gone) {
  std::vector<Job*> left;
  std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(left), [&](const Job* job) {
    return std::find(gone.begin(), gone.end(), job) == gone.end();
  });
  return left;
}

}  // namespace

std::optional<Forecast> Estimator::try_on(const Ledger& ledger, const Search& search,
                                          const NodeSet& candidates, Tested tested,
                                          const LedgerOutline* outline) {
  const NodeCounts& counts = search.counts;
  const bool on_copy = &ledger != &cluster_.ledger;
  // Of times to come only: what starts now, over others too, goes where a start would (§6.4).
  const bool busy_first =
      on_copy && search.busy_first && cluster_.conf.scheduler_parameters.bf_busy_nodes;
  const PlacementQuery query{
      .job = search.job,
      .request = search.request != nullptr ? *search.request : cluster_.request_of(search.job),
      .partition = cluster_.partitions[search.partition],
      .ledger = ledger,
      .outline = outline,
      .candidates = candidates,
      .min_nodes = counts.min,
      .max_nodes = counts.max,
      .req_nodes = counts.req,
      .future = true,
      .on_copy = on_copy,
      .first = search.first && !on_copy,
      .reserved_cores = &reserved_->taken,
      .without_jobs = busy_first ? &clear_ : nullptr,
      .tested = tested == Tested::Yes,
      .weights = weights_,
      .extra_row = search.extra_row,
      .lacks_cores = on_copy ? nullptr : &lacks_cores_};
  Forecast found;
  if (search.certain_cpus > 0 && search.request == nullptr) {
    auto nodes = select_.choose(query);
    if (!nodes) return std::nullopt;
    found.nodes = std::move(*nodes);
    found.cpus = search.certain_cpus;
    return found;
  }
  auto allocation = select_.place(query);
  if (!allocation) return std::nullopt;
  found.nodes = nodes_of(*allocation, cluster_.nodes.size());
  found.cpus = allocation->cpus;
  found.allocation = std::move(allocation);
  return found;
}

/// Placement once the first `gone` jobs have ended. Most are ruled out by the nodes alone; of the
/// others those that cannot be chosen are left away where they do not decide which are (as
/// `--switches` is asked of the cores of all, scheduling.md §6.6), and bear no marks.
std::optional<Forecast> Estimator::try_without(std::size_t gone, const Search& search,
                                               const NodeSet& candidates) {
  const bool recalls = cluster_.recalls;
  if (!recalls) ahead_.start_anew();
  NodeSet among =
      recalls ? able_.of(search.job, search.partition).able_after(gone, candidates) : candidates;
  const bool marks = leaves_marks(search.job);
  // Marks of tests that are spared are left by mark_in_vain(), where it knows of them.
  const bool is_spared = !marks || tells_by_nodes(search.job, search.partition);
  if (is_spared && among.count() < search.counts.min) return std::nullopt;
  const Partition& where = cluster_.partitions[search.partition];
  const bool in_leaves = heeds_switches(search.job, cluster_.request_of(search.job));
  if (marks || in_leaves ||
      decide_who_is_chosen(select_.ruled_request(search.job, where).request)) {
    among = candidates;
  }
  const Tested tested = recalls ? Tested::Yes : Tested::No;
  if (gone == 0) return try_on(cluster_.ledger, search, among, tested);
  const LedgerOutline& ahead = ahead_.without_first(gone, among);
  if (!recalls) {
    for_each_bit(among, [&](std::size_t node) { ahead.complete(id_at<NodeId>(node)); });
  }
  return try_on(ahead.ledger(), search, among, tested, &ahead);
}

/// What an answer for the job depends on: requests for GRES bring their own lower part.
std::uint64_t Estimator::weights_for(const Job& job, const NodeSet& candidates) const {
  if (weights_ == nullptr) return 0;
  return weights_->seen_by(cluster_.request_of(job), candidates);
}

std::uint64_t Estimator::marks(const Job& job, const NodeSet& nodes) const {
  const bool reads_them = weights_ != nullptr && cluster_.request_of(job).gres.empty();
  return reads_them ? weights_->marks_on(nodes) : 0;
}

const Forecast* Estimator::will_run(const Job& job, PartitionId partition,
                                    const NodeSet& candidates, const NodeCounts& counts,
                                    SlurmTime now, Horizon horizon, const ReservedView& reserved,
                                    std::uint32_t certain_cpus) {
  reserved_ = &reserved;
  Known& known = known_of(job, partition, counts);
  std::deque<Answer>& answers = known.answers;
  // Some cores of nodes make another question.
  if (!reserved.taken.empty() || !cluster_.recalls) {
    answers.clear();
    known.hashes.clear();
  }
  std::vector<Job*> preemptable, suspendable;
  if (preemption_ != nullptr) {
    preemptable = preemption_->killable(job, partition, now);
    suspendable = preemption_->suspendable(job, partition, now);
  }
  const std::uint64_t weights = weights_for(job, candidates);
  const std::uint64_t hash = hash_of(candidates);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (known.hashes[i] != hash) continue;
    const Answer& answer = answers[i];
    if (answer.only_for_one || (answer.only_at && *answer.only_at != now)) continue;
    if (now >= answer.good_before) continue;
    if (answer.candidates != candidates || answer.preemptable != preemptable) continue;
    if (answer.suspendable != suspendable) continue;
    if (answer.weights != weights) continue;
    const bool immediate = answer.forecast && answer.forecast->immediate;
    if (answer.horizon != horizon && !immediate) continue;
    if (answer.forecast && !answer.forecast->allocation && certain_cpus == 0) continue;
    if (weights_ != nullptr) weights_->note_near(answer.notes);
    lacks_cores_ = answer.lacks_cores;
    return answer.forecast ? &*answer.forecast : nullptr;
  }
  known.hashes.push_back(hash);
  Answer& answer = answers.emplace_back();
  answer.candidates = candidates;
  answer.preemptable = std::move(preemptable);
  answer.suspendable = std::move(suspendable);
  answer.horizon = horizon;
  answer.weights = weights;
  const std::size_t place = weights_ != nullptr ? weights_->begin_notes() : 0;
  lacks_cores_ = false;
  search({job, partition, counts, now, certain_cpus}, answer);
  answer.lacks_cores = lacks_cores_;
  if (weights_ != nullptr) answer.notes = weights_->end_notes(place);
  if (!reserved.taken.empty()) answer.only_for_one = true;
  return answer.forecast ? &*answer.forecast : nullptr;
}

Estimator::Question Estimator::question_of(const Job& job, PartitionId partition,
                                           const NodeCounts& counts) {
  return {job.request, partition, counts.min, counts.max, counts.req, job.any_switches};
}

/// A node is busy, too, while it has not confirmed the end of a job (scheduling.md §6.4 rule 2).
NodeSet Estimator::nodes_without_jobs() const {
  NodeSet clear = cluster_.ledger.idle();
  for (const Node& node : cluster_.nodes) {
    if (node.state.completing_jobs > 0) clear.reset(index_of(node.id));
  }
  return clear;
}

void Estimator::refresh() {
  // A slice of gang scheduling moves ends, and who stands still, though all keep what they hold.
  const Stamp now{cluster_.ledger.stamp(), running_.changes(), left_to_others() != nullptr};
  NodeSet clear;
  if (cluster_.conf.scheduler_parameters.bf_busy_nodes) clear = nodes_without_jobs();
  if (stamp_ == now && clear_ == clear) return;
  clear_ = std::move(clear);
  stamp_ = now;
  ++state_;
  scratch_is_present_ = false;
  ahead_.forget();
  line_.reset();
  leaving_units_.forget();
  able_.state_changed();
  known_.clear();
}

Estimator::Known& Estimator::known_of(const Job& job, PartitionId partition,
                                      const NodeCounts& counts) {
  refresh();
  return known_[question_of(job, partition, counts)];
}

std::uint64_t Estimator::state() {
  refresh();
  const std::uint64_t weights =
      weights_ != nullptr ? 2 * weights_->upper_stamp() + (left_to_others() == nullptr ? 1 : 0) : 0;
  if (std::exchange(weights_seen_, weights) != weights) ++state_;
  return state_;
}

std::uint64_t Estimator::left_behind() {
  if (weights_ == nullptr) return 0;
  return weights_->all_want_gres() ? weights_->upper_stamp() : weights_->stamp();
}

bool Estimator::leaves_marks(const Job& job) const {
  const bool wants_gres = !cluster_.request_of(job).gres.empty();
  return weights_ != nullptr && weights_->is_marked_by(wants_gres);
}

bool Estimator::asks_only_ends(const Job& job, PartitionId partition) const {
  return !cluster_.ledger.shares_cores() &&
         (preemption_ == nullptr || !preemption_->may_take(job, partition));
}

/// The job of the bunch, or before it, that ends last on the selected nodes; else one that was
/// preempted there, else the last of the bunch.
const Job& Estimator::last_on(const NodeSet& nodes, const std::vector<Departure>& ending,
                              const Bunch& bunch) const {
  for (std::size_t i = bunch.gone; i > 0; --i) {
    if (ending[i - 1].intersects(nodes.words())) return *ending[i - 1].job;
  }
  for (auto other = removed_.rbegin(); other != removed_.rend(); ++other) {
    if ((*other)->allocated_nodes.intersects(nodes)) return **other;
  }
  return *bunch.last;
}

Bunches Estimator::bunches_of(const std::vector<Departure>& ending, const NodeSet& candidates) {
  const Seconds linear = cluster_.conf.scheduler_parameters.bf_window_linear;
  const bool one_by_one = cluster_.conf.select_type == SelectType::Linear;
  if (&ending != &leaving_) return {ending, &candidates, linear, one_by_one};
  if (!line_) line_.emplace(leaving_, linear, one_by_one);
  return {ending, &candidates, linear, one_by_one, &*line_};
}

/// A job with --oversubscribe and without features is asked for as one that shares no cores first,
/// and as itself where that does not start now (scheduling.md §8.7 step 6).
void Estimator::search(const Search& search, Answer& answer) {
  if (has_searches_of_its_own(search.job, search.partition)) {
    return search_by_features(search, answer);
  }
  const PartitionConf& partition = cluster_.partitions[search.partition].conf;
  const Request& request = cluster_.request_of(search.job);
  if (partition.over_subscribe == OverSubscribe::Yes && request.oversubscribe &&
      request.features_wanted() == kNoName) {
    Request alone = request;
    alone.oversubscribe = false;
    Search first = search;
    first.request = &alone;
    search_once(first, answer);
    if (answer.forecast && answer.forecast->immediate) return;
    answer.forecast.reset();
    answer.only_at.reset();
    answer.good_before = SlurmTime::max();
    Search second = search;
    second.first = false;
    search_once(second, answer);
    return;
  }
  search_once(search, answer);
}

void Estimator::search_once(const Search& search, Answer& answer) {
  if (search.request != nullptr) {
    answer.forecast = try_on(cluster_.ledger, search, answer.candidates, Tested::No);
  } else if (!lacks_totals(search, answer)) {
    answer.forecast = try_without(0, search, answer.candidates);
  }
  if (is_at_once(answer.forecast, search.now) || waits_for_leaves(search, answer)) return;
  removed_.clear();
  if (!answer.preemptable.empty() || cluster_.ledger.shares_cores()) {
    search_on_scratch(search, answer);
  } else if (answer.horizon == Horizon::Future) {
    search_known_ends(search, answer);
  }
  if (!answer.forecast) mark_in_vain(search, answer);
}

/// Steps 3 and 4 where jobs may have to go, or share their cores.
void Estimator::search_on_scratch(const Search& search, Answer& answer) {
  const bool some_go = !answer.preemptable.empty() || !answer.suspendable.empty();
  if (answer.horizon == Horizon::Now && !some_go) return;
  if (!scratch_is_present_) scratch_ = cluster_.ledger;
  for (const Job* victim : answer.preemptable) {
    give_back_all(scratch_, *victim);
    removed_.push_back(victim);
  }
  for (const Job* other : answer.suspendable) {
    if (!other->suspension.lends_cores) {
      scratch_.give_back_cores(other->allocation, other->partition);
    }
  }
  if (some_go) {
    // Whoever can be made to go at once, goes: the loop that asks will choose among them. Where
    // somebody would be suspended, the extra row is open too (preemption.md §7).
    Search wider = search;
    wider.extra_row = !answer.suspendable.empty();
    wider.busy_first = false;
    answer.forecast = try_on(scratch_, wider, answer.candidates, Tested::No);
  }
  if (!is_at_once(answer.forecast, search.now) && answer.horizon == Horizon::Future) {
    // Jobs that would be suspended are out of the way at once, but for their memory and devices (§7
    // step 3); when they end matters no more. Others of lower tiers are no candidates and end.
    const NodeSet& nodes = cluster_.partitions[search.partition].nodes;
    std::vector<Job*> ending;
    const std::vector<Job*> left = without(running_.by_end(), answer.preemptable);
    for (Job* other : without(left, answer.suspendable)) {
      if (!yields_cores(*other, search.partition, cluster_) ||
          !other->allocated_nodes.intersects(nodes)) {
        ending.push_back(other);
      } else if (!other->suspension.lends_cores) {
        scratch_.give_back_cores(other->allocation, other->partition);
      }
    }
    const bool all_leave = ending.size() == running_.by_end().size();
    const std::size_t enough = all_leave ? ends_for_devices(search, answer.candidates) : 0;
    if (enough <= ending.size()) search_ends(search, departures_of(ending), enough, answer);
  }
  scratch_is_present_ = !scratch_.shares_cores();  // rows depend on the order of entries
  if (!scratch_is_present_) return;
  for (auto other = removed_.rbegin(); other != removed_.rend(); ++other) {
    take_all(scratch_, **other);
  }
  scratch_.copy_marks(cluster_.ledger);
}

/// Step 4 where others are gone already: `ending` are taken out of the scratch ledger. Before
/// `enough` of them are, it fits nowhere.
void Estimator::search_ends(const Search& search, const std::vector<Departure>& ending,
                            std::size_t enough, Answer& answer) {
  std::size_t left = 0;
  Bunches bunches = bunches_of(ending, answer.candidates);
  while (const auto bunch = bunches.next()) {
    for (; left < bunch->gone; ++left) {
      if (!ending[left].intersects(answer.candidates.words())) continue;
      const Job& other = *ending[left].job;
      give_back_all(scratch_, other);
      removed_.push_back(&other);
    }
    if (bunch->gone < enough) continue;
    auto found = try_on(scratch_, search, answer.candidates, Tested::No);
    if (!found) continue;
    settle(search, ending, *bunch, std::move(*found), answer);
    return;
  }
}

/// What fits after this bunch starts at the end of its last job.
void Estimator::settle(const Search& search, const std::vector<Departure>& ending,
                       const Bunch& bunch, Forecast found, Answer& answer) const {
  const bool of_selected = has(cluster_.inputs.site.slurm_version, Change::StartOfSelectedNodes);
  const Job& last = of_selected ? last_on(found.nodes, ending, bunch) : *bunch.last;
  found.start = expected_end(last, search.now);
  answer.forecast = std::move(found);
  if (*last.end <= search.now) {
    answer.only_at = search.now;
  } else {
    answer.good_before = *last.end;
  }
}

}  // namespace rehearse
