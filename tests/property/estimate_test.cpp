// tests/property/estimate_test.cpp — what estimates and placements leave out, against all of it.
#include "sim/sched/estimate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/cluster/holdings.hpp"
#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

constexpr std::size_t kNodes = 6;
constexpr std::uint32_t kCpus = 4;

int number(int from, int to) {
  return *rc::gen::inRange(from, to + 1);
}

NodeSet some_nodes() {
  return NodeSet(kNodes, static_cast<std::uint64_t>(number(1, (1 << kNodes) - 1)));
}

/// A job of one to three nodes that runs on some of them for up to two hours; none: no room there.
Job* run_some_job(Loops& loops) {
  const int first = number(1, static_cast<int>(kNodes));
  const int count = number(1, 3);
  std::vector<std::string> nodes;
  for (int i = first; i < first + count && i <= static_cast<int>(kNodes); ++i) {
    nodes.push_back(fmt::format("n{}", i));
  }
  const int tasks = static_cast<int>(nodes.size()) * number(1, kCpus);
  const int minutes = number(1, 119);
  const std::string end = fmt::format("{:02}:{:02}:00", 12 + minutes / 60, minutes % 60);
  try {
    return &loops.running(fmt::format("-N{} -n{}", nodes.size(), tasks), nodes, end);
  } catch (const std::logic_error&) {
    return nullptr;
  }
}

/// One of the jobs ends, or one more runs.
void stop_or_run(Loops& loops, RunningJobs& running) {
  if (running.size() > 0 && number(0, 2) == 0) {
    Job& one = *running.by_end()[static_cast<std::size_t>(number(0, 100)) % running.size()];
    running.remove(one);
    loops.stop(one);
  } else if (Job* more = run_some_job(loops)) {
    running.add(*more);
  }
}

/// `-N2 -n7`, and its node counts.
std::string some_request(NodeCounts& counts, bool some_are_exclusive = true) {
  const int nodes = number(1, 3);
  counts.min = counts.max = counts.req = static_cast<std::uint32_t>(nodes);
  return fmt::format("-N{} -n{}{}", nodes, number(nodes, nodes * static_cast<int>(kCpus)),
                     some_are_exclusive && number(0, 3) == 0 ? " --exclusive" : "");
}

RC_GTEST_PROP(Estimates, AreLaterThanTheEndsAloneTell, ()) {
  Loops loops(kNodes, kCpus);
  loops.build();
  for (int i = number(0, 12); i > 0; --i) (void)run_some_job(loops);
  NodeCounts counts;
  const Job& job = loops.pending(some_request(counts), 30);
  const SlurmTime now = clock_time("12:00:00");
  ReservedView all;
  all.nodes = NodeSet(kNodes);
  all.nodes.set();
  bool bound_tells = false;
  for (int asked = 0; asked < 6; ++asked) {
    const NodeSet candidates = some_nodes();
    const SlurmTime at = now + Minutes{number(0, 90)};
    const bool is_after =
        loops.estimator().starts_after(at, job, job.partition, candidates, counts);
    bound_tells = bound_tells || is_after;
    auto in_time = loops.estimator().nodes_in_time(job, job.partition);
    const bool too_few = (in_time->by(at) & candidates).count() < counts.min;
    RC_ASSERT(!too_few || is_after);
    const Forecast* forecast = loops.estimator().will_run(job, job.partition, candidates, counts,
                                                          now, Horizon::Future, all);
    if (forecast == nullptr || !is_after) continue;
    RC_ASSERT(!forecast->immediate && forecast->start > at);
  }
  RC_CLASSIFY(bound_tells);
}

RC_GTEST_PROP(AbleNodes, AreThoseThatAStateWithoutTheJobsShows, ()) {
  Loops loops(kNodes, kCpus);
  loops.build();
  RunningJobs running;
  AbleNodes able(*loops.cluster, loops.select(), running);
  NodeCounts counts;
  const Job& job = loops.pending(some_request(counts), 30);
  const Partition& partition = loops.cluster->partitions[job.partition];
  bool somewhere_between = false;
  for (int step = 0; step < 10; ++step) {
    if (running.size() > 1 && number(0, 3) == 0) {
      // Two are listed anew, and each has the slot that the other had; one may end later than
      // before, whatever its nodes look like.
      Job& first = *running.by_end().front();
      Job& last = *running.by_end().back();
      running.remove(first);
      running.remove(last);
      if (number(0, 1) == 0) first.end = *first.end + Minutes{number(1, 60)};
      running.add(first);
      running.add(last);
    } else {
      stop_or_run(loops, running);
    }
    RC_ASSERT(running.adds_up());
    able.state_changed();
    const EndsNeeded& needed = able.of(job, job.partition);
    NodeSet all(kNodes);
    all.set();
    Ledger ledger = loops.cluster->ledger;
    for (std::size_t gone = 0;; ++gone) {
      const NodeSet able_now = needed.able_after(gone, all);
      for (std::size_t least = 1; least <= kNodes; ++least) {
        const auto until = needed.until(least, all);
        RC_ASSERT((until && *until <= gone) == (able_now.count() >= least));
      }
      for (std::size_t n = 0; n < kNodes; ++n) {
        const bool is_able =
            loops.select().leaves_needed(job, partition, ledger, id_at<NodeId>(n), {}).has_value();
        RC_ASSERT(is_able == able_now.test(n));
        somewhere_between = somewhere_between || (gone > 0 && is_able);
      }
      if (gone == running.size()) break;
      give_back_all(ledger, *running.by_end()[gone]);
    }
  }
  RC_CLASSIFY(somewhere_between);
}

/// All that a ledger says of a node but for the marks.
bool tells_the_same(const Ledger& a, const Ledger& b, const Node& node, std::size_t partitions) {
  const NodeId id = node.id;
  bool same = a.use(id) == b.use(id) && a.content(id) == b.content(id) &&
              a.idle().test(index_of(id)) == b.idle().test(index_of(id));
  for (std::size_t gres = 0; gres < node.gres.size(); ++gres) {
    same = same && std::ranges::equal(a.units(id, gres), b.units(id, gres)) &&
           a.free_units(id, gres) == b.free_units(id, gres);
  }
  for (std::size_t p = 0; p < partitions; ++p) {
    const auto partition = id_at<PartitionId>(p);
    same = same && a.partition_cores(id, partition) == b.partition_cores(id, partition);
  }
  return same;
}

RC_GTEST_PROP(FutureLedgers, AreThePresentOneWithoutTheJobsThatEndFirst, ()) {
  Loops loops(kNodes, kCpus);
  loops.build();
  const Ledger& present = loops.cluster->ledger;
  RunningJobs running;
  FutureLedgers ahead(present, running);
  bool is_ahead = false;
  for (int step = 0; step < 20; ++step) {
    stop_or_run(loops, running);
    ahead.forget();
    if (number(0, 9) == 0) ahead.start_anew();
    for (int asked = number(0, 4); asked > 0; --asked) {
      const auto gone = static_cast<std::size_t>(number(0, static_cast<int>(running.size())));
      Ledger expected = present;
      for (std::size_t i = 0; i < gone; ++i) give_back_all(expected, *running.by_end()[i]);
      const NodeSet nodes = some_nodes();
      const LedgerOutline& outline = ahead.without_first(gone, nodes);
      const Ledger& found = outline.ledger();
      for_each_bit(nodes, [&](std::size_t n) {
        const Node& node = loops.cluster->nodes[id_at<NodeId>(n)];
        RC_ASSERT(found.content(node.id) == expected.content(node.id));
        if (number(0, 1) == 0) return;
        outline.complete(node.id);
        RC_ASSERT(tells_the_same(found, expected, node, loops.cluster->partitions.size()));
      });
      is_ahead = is_ahead || gone > 1;
    }
  }
  RC_CLASSIFY(is_ahead);
}

RC_GTEST_PROP(Placements, ThatAreRecalledAreThoseFoundAnew, ()) {
  Loops loops(kNodes, kCpus);
  loops.build();
  NodeCounts counts;
  const Job& job = loops.pending(some_request(counts), 30);
  std::vector<Job*> running;
  const std::vector<NodeSet> asked{some_nodes(), some_nodes()};
  for (int step = 0; step < 12; ++step) {
    if (!running.empty() && number(0, 1) == 0) {
      loops.stop(*running.back());
      running.pop_back();
    } else if (Job* one = run_some_job(loops)) {
      running.push_back(one);
    }
    for (const NodeSet& candidates : asked) {
      const PlacementQuery query{.job = job,
                                 .request = loops.cluster->request_of(job),
                                 .partition = loops.cluster->partitions[job.partition],
                                 .ledger = loops.cluster->ledger,
                                 .candidates = candidates,
                                 .min_nodes = counts.min,
                                 .max_nodes = counts.max,
                                 .req_nodes = counts.req};
      RC_ASSERT(loops.select().place(query) == make_select_plugin(*loops.cluster)->place(query));
    }
  }
}

/// Of several clusters to which the same happens: one that remembers nothing, others that do.
struct Mind {
  bool recalls = true;
  bool keeps_plans = true;
  std::uint32_t most_tries = 500;  ///< bf_max_job_test; few: cycles end early
  std::int64_t window_min = 50;
};

/// What a cycle did and left, job by job. Where nobody looks at plans, they are not seen.
std::string seen(const Loops& loops, const CycleResult& result, bool of_plans) {
  std::string text = fmt::format("{} {} {}", result.queued, result.depth, result.started);
  if (of_plans) {
    text += fmt::format(" {} {} {}", result.considered, result.planned, result.slots);
  }
  for (std::size_t i = 0; i < loops.cluster->jobs.size(); ++i) {
    const Job& job = loops.cluster->jobs[id_at<JobIndex>(i)];
    const std::uint32_t asked = loops.cluster->request_of(job).min_cpus;  // stands for none told
    text += fmt::format("\n{}: {} cpus {} {}", i, loops.where(job),
                        job.total_cpus == 0 ? asked : job.total_cpus, to_text(job.reason));
    if (of_plans) text += " " + loops.plan(job);
  }
  return text;
}

class Twin {
 public:
  explicit Twin(const Mind& mind) : loops_(kNodes, kCpus) {
    loops_.parameters().bf_window = Minutes{mind.window_min};
    loops_.parameters().bf_max_job_test = mind.most_tries;
    loops_.build();
    loops_.cluster->recalls = mind.recalls;  // what selections remember is another property
    loops_.keep_plans(mind.keeps_plans);
  }
  void submit(const std::string& options, int minutes) { loops_.pending(options, minutes); }
  void submit_array(const std::string& options, int minutes) {
    loops_.array(1000 + 100 * static_cast<std::uint32_t>(loops_.cluster->jobs.size()), 4, 0,
                 options, minutes);
  }
  void end_some(std::size_t which) {
    std::vector<Job*> running;
    for (std::size_t i = 0; i < loops_.cluster->jobs.size(); ++i) {
      Job& job = loops_.cluster->jobs[id_at<JobIndex>(i)];
      if (job.is_running()) running.push_back(&job);
    }
    if (!running.empty()) loops_.stop(*running[which % running.size()]);
  }
  void hold_or_release(std::size_t which) {
    if (loops_.cluster->jobs.size() == 0) return;
    Job& job = loops_.cluster->jobs[id_at<JobIndex>(which % loops_.cluster->jobs.size())];
    job.held = !job.held;
  }
  std::string cycle(const std::string& at, bool of_plans = true) {
    const CycleResult result = loops_.cycle(at);
    recalled += result.recalled;
    spared += result.spared;
    return seen(loops_, result, of_plans);
  }
  std::uint32_t recalled = 0, spared = 0;

 private:
  Loops loops_;
};

/// Lets the same happen to all of them, and a cycle after each step. `of_plans`: these are
/// compared.
void live(std::initializer_list<Twin*> twins, bool of_plans) {
  // Long jobs and no long pauses: many wait, and none is over its limit.
  const bool is_deep = number(0, 1) == 0;
  int second = 12 * 3600;
  for (int step = number(5, 40); step > 0; --step) {
    second += number(0, 9) == 0 && !is_deep ? number(60, 900) : 30;
    const int what = number(0, is_deep ? 5 : 11);
    const int minutes = is_deep ? number(20, 300) : number(1, 100);
    NodeCounts counts;
    const std::string options = some_request(counts, !is_deep);
    const auto which = static_cast<std::size_t>(number(0, 20));
    const int copies = number(1, 3);
    const std::string at =
        fmt::format("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    std::optional<std::string> first;
    for (Twin* each : twins) {
      for (int i = 0; what < 3 && i < copies; ++i) each->submit(options, minutes);
      if (what == 3) each->submit_array(options, minutes);
      if (what == 4) each->end_some(which);
      if (what == 5) each->hold_or_release(which);
      const std::string told = each->cycle(at, of_plans);
      if (!first) first = told;
      RC_ASSERT(told == *first);
    }
  }
}

RC_GTEST_PROP(Cycles, ThatRememberDoWhatOthersDo, ()) {
  Mind mind{.most_tries = *rc::gen::element(3U, 8U, 500U),
            .window_min = *rc::gen::element(20, 50, 200)};
  Twin twin(mind);
  mind.recalls = false;
  Twin forgetful(mind);
  live({&forgetful, &twin}, true);
  RC_ASSERT(forgetful.recalled + forgetful.spared == 0U);
  RC_CLASSIFY(twin.recalled > 10, "recalls");
  RC_CLASSIFY(twin.spared > 10, "spares");
}

RC_GTEST_PROP(Cycles, StartTheSameWhereNobodyLooksAtPlans, ()) {
  Mind mind{.most_tries = *rc::gen::element(8U, 500U, 500U),
            .window_min = *rc::gen::element(20, 50, 200)};
  mind.keeps_plans = false;
  Twin twin(mind);
  mind.recalls = false;
  Twin forgetful(mind);
  live({&forgetful, &twin}, false);
  RC_CLASSIFY(twin.spared > 10, "spares");
}

}  // namespace
}  // namespace rehearse::test
