// tests/unit/sched/reservations_test.cpp — reservations in the two loops (scheduling.md §9).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

constexpr std::string_view kMaybeReserved = "ReqNodeNotAvail, May be reserved for other job";
constexpr std::string_view kMaintenance = "ReqNodeNotAvail, Reserved for maintenance";

/// A reservation of whole nodes for a user that no job belongs to.
Reservation& reserve(Loops& loops, const std::vector<std::string>& nodes, std::string_view start,
                     std::string_view end) {
  Reservation made;
  made.name = loops.names.intern("r" + std::to_string(loops.cluster->reservations.live().size()));
  made.start = clock_time(start);
  made.end = clock_time(end);
  made.nodes.resize(loops.cluster->nodes.size());
  for (const std::string& name : nodes) made.nodes.set(index_of(loops.node(name)));
  made.access.users = {loops.names.intern("nobody")};
  return loops.cluster->reservations.add(std::move(made));
}

/// Open to every job of these tests.
void open_to_all(Reservation& reservation) {
  reservation.access.users.clear();
}

TEST(SchedulingExample5, AWideJobDoesNotProtectItselfAgainstAReservation) {
  Loops loops(4);
  loops.build();
  reserve(loops, {"n3", "n4"}, "13:00:00", "14:00:00");
  Job& wide = loops.pending("-N4 -n16", 90);
  Job& narrow = loops.pending("-N1 -n4", 120);
  loops.pass("12:00:00");
  EXPECT_EQ(wide.reason_text, kMaybeReserved);
  EXPECT_EQ(loops.where(narrow), "n1:4");
  loops.cycle("12:00:20");
  EXPECT_EQ(loops.plan(wide), "14:00:01 n1,n2,n3,n4");
}

TEST(SchedulingExample5, AJobMayEndExactlyWhenTheReservationStarts) {
  for (const auto& [at, starts] : {std::pair("12:00:00", true), std::pair("12:00:01", false)}) {
    Loops loops(4);
    loops.build();
    reserve(loops, {"n3", "n4"}, "13:00:00", "14:00:00");
    Job& wide = loops.pending("-N4 -n16", 60);
    loops.pass(at);
    EXPECT_EQ(wide.is_running(), starts) << at;
  }
}

TEST(Reservations, KeepRequiredNodesFromOthers) {  // §9
  Loops loops(4);
  loops.build();
  reserve(loops, {"n3"}, "12:30:00", "14:00:00");
  Job& named = loops.pending("-N1 -n1 -w n3", 90);
  Job& next = loops.pending("-N1 -n1", 90);
  loops.pass("12:00:00");
  EXPECT_EQ(named.reason_text, kMaybeReserved);
  EXPECT_EQ(loops.where(next), "n4:1");  // of the sets n1-n2 and n4 the smaller
  loops.cycle("12:00:20");
  EXPECT_EQ(loops.plan(named), "14:00:01 n3");
}

TEST(Reservations, ThatKeepRequiredNodesAreOverForWholeNodesAtTheirEnd) {
  // §9 [V: scripts/reference/experiments/reserved_named.py]; for others at the next minute, + 1 s.
  for (const bool whole : {false, true}) {
    Loops loops(4);
    loops.build();
    reserve(loops, {"n3"}, "12:30:00", "13:59:30");
    Job& named = loops.pending(whole ? "-N1 -n1 -w n3 --exclusive" : "-N1 -n1 -w n3", 90);
    loops.cycle("12:00:20");
    EXPECT_EQ(loops.plan(named), whole ? "13:59:30 n3" : "14:00:01 n3");
  }
}

TEST(Reservations, ThatKeepNamedNodesKeepTheOthersOfTheirJobToo) {
  // §4.4 item 1 [V: scripts/reference/experiments/named_nodes.py]
  for (const bool is_maintenance : {false, true}) {
    Loops loops(3);
    loops.build();
    Reservation& other = reserve(loops,
                                 is_maintenance ? std::vector<std::string>{"n1", "n2", "n3"}
                                                : std::vector<std::string>{"n1"},
                                 "12:30:00", "14:00:00");
    if (is_maintenance) other.flags.set(ReservationFlag::Maint);
    const Job& named = loops.pending("-N2 -n2 -w n1,n3", 90);
    const Job& next = loops.pending("-N1 -n1", 10);
    const Job& on_one_of_them = loops.pending("-N1 -n1 -w n3", 10);
    loops.pass("12:00:00");
    EXPECT_EQ(named.reason_text, is_maintenance ? kMaintenance : kMaybeReserved);
    EXPECT_EQ(loops.where(next), "n2:1");
    EXPECT_EQ(loops.where(on_one_of_them), "pending");
  }
}

TEST(Reservations, LeaveWhatAJobNamesToOthersWhereItNamesTooFewNodes) {
  Loops loops(3);
  loops.build();
  reserve(loops, {"n1"}, "12:30:00", "14:00:00");
  const Job& named = loops.pending("-N2 -n2 -w n1", 90);
  const Job& next = loops.pending("-N1 -n1 -w n1", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(named.reason_text, kMaybeReserved);
  EXPECT_EQ(loops.where(next), "n1:1");
}

TEST(Reservations, OfMaintenanceCloseThePartition) {  // §9; the text is slurmctld's [V]
  Loops loops(2);
  loops.build();
  Reservation& maint = reserve(loops, {"n1", "n2"}, "12:10:00", "13:00:00");
  maint.flags.set(ReservationFlag::Maint);
  Job& job = loops.pending("-N1 -n1", 30);
  Job& shorter = loops.pending("-N1 -n1", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(job.reason_text, kMaintenance);
  EXPECT_EQ(loops.where(shorter), "n1:1");
  loops.cycle("12:00:20");
  EXPECT_EQ(loops.plan(job), "13:00:00 n1");
}

TEST(Reservations, LetMembersStartUntilTheEndWhateverTheirLimit) {
  Loops loops(2);
  loops.build();
  Reservation& own = reserve(loops, {"n2"}, "12:00:00", "12:30:00");
  open_to_all(own);
  Job& member = loops.pending("-N1 -n1", 600);
  member.reservations = {own.id};
  loops.pass("12:10:00");
  EXPECT_EQ(loops.where(member), "n2:1");
  EXPECT_EQ(member.reservation, own.id);
}

TEST(Reservations, FailAloneWhenTheirMemberWaits) {  // §4.4 item 2
  Loops loops(2);
  loops.build();
  Reservation& own = reserve(loops, {"n1"}, "11:00:00", "18:00:00");
  open_to_all(own);
  loops.running("-N1 -n4", {"n1"}, "13:00:00");
  Job& first = loops.pending("-N1 -n4", 10);
  Job& second = loops.pending("-N1 -n1", 10);
  Job& other = loops.pending("-N1 -n4", 10);
  first.reservations = second.reservations = {own.id};
  loops.pass("12:00:00");
  EXPECT_EQ(first.reason, Reason::Resources);
  EXPECT_EQ(second.reason, Reason::Priority);
  EXPECT_EQ(loops.where(other), "n2:4");
}

/// True if a member of a reservation, in this partition, goes before a job of a higher tier on n1.
bool goes_before_a_higher_tier(const std::string& partition) {
  Loops loops(3);
  loops.inputs.slurm_conf.preempt_type = PreemptType::PartitionPrio;
  loops.inputs.slurm_conf.preempt_mode = PreemptMode::Requeue;
  loops.partition("high", {"n1"}).priority_tier = 2;
  loops.partition("low", {"n2", "n3"});
  loops.partition("wide", {"n1", "n2", "n3"});
  loops.partition("off", {"n1", "n2", "n3"}).preempt_mode = PreemptMode::Off;
  loops.parameters().sched_max_job_start = 1;
  loops.build();
  Reservation& own = reserve(loops, {"n2"}, "11:00:00", "18:00:00");
  open_to_all(own);
  Job& member = loops.pending("-N1 -n1", 10, partition);
  member.reservations = {own.id};
  const Job& high = loops.pending("-N1 -n1", 10, "high");
  loops.pass("12:00:00");
  EXPECT_NE(member.is_running(), high.is_running());
  return member.is_running();
}

// §3.2 rules 1 and 2 [V].
TEST(Reservations, PutTheirMembersBeforeHigherTiersThatShareNoNodeWithTheirPartition) {
  EXPECT_TRUE(goes_before_a_higher_tier("low"));
  EXPECT_FALSE(goes_before_a_higher_tier("wide"));
  EXPECT_FALSE(goes_before_a_higher_tier("off")) << "whatever its PreemptMode";
}

/// Eight nodes, the first `reserved` of them by a magnetic reservation, jobs on the others: whether
/// a pass starts the job, or a cycle alone.
std::string starts_by(std::size_t reserved, std::string_view options) {
  Loops loops(8);
  loops.build();
  std::vector<std::string> own;
  for (std::size_t i = 1; i <= 8; ++i) {
    const std::string name = "n" + std::to_string(i);
    if (i <= reserved) {
      own.push_back(name);
    } else {
      loops.running("-N1 -n4", {name}, "15:00:00");
    }
  }
  Reservation& magnetic = reserve(loops, own, "11:00:00", "18:00:00");
  magnetic.flags.set(ReservationFlag::Magnetic);
  open_to_all(magnetic);
  const Job& job = loops.pending(options, 30);
  loops.pass("12:00:00");
  if (job.is_running()) return "pass";
  loops.cycle("12:00:30");
  return job.is_running() ? "cycle" : "none";
}

// §4.2 item 2 [V].
TEST(Reservations, WithFewerNodesThanAJobWouldHaveElsewhereAreBackfillsWhereMagnetic) {
  EXPECT_EQ(starts_by(1, "-N1-2 -n2"), "cycle");
  EXPECT_EQ(starts_by(1, "-N1-2 -n1"), "pass");
  EXPECT_EQ(starts_by(1, "-n2"), "pass");
  EXPECT_EQ(starts_by(2, "-N2-3 -n3"), "cycle");
  EXPECT_EQ(starts_by(3, "-N1-3 -n3"), "pass");
  EXPECT_EQ(starts_by(3, "-N1-4 -n4"), "cycle");
  EXPECT_EQ(starts_by(3, "-N1-4 -n4 -x n4,n5,n6,n7,n8"), "pass") << "no need is known";
  EXPECT_EQ(starts_by(4, "-N1-8 -n8"), "pass") << "no more than four are elsewhere";
}

TEST(Reservations, KeepTheirLicencesWithBfLicensesToo) {  // scheduling.md §9, §10
  for (const bool planned : {false, true}) {
    Loops loops(2);
    loops.inputs.slurm_conf.licenses = {{"lab", 2}};
    loops.parameters().bf_licenses = planned;
    loops.build();
    Reservation& lab = reserve(loops, {"n2"}, "11:00:00", "18:00:00");
    lab.licenses = {{loops.names.intern("lab"), 1}};
    const Job& first = loops.pending("-n1 -L lab", 10);
    const Job& second = loops.pending("-n1 -L lab", 10);
    loops.cycle("12:00:00");
    EXPECT_EQ(loops.where(first), "n1:1") << planned;
    EXPECT_EQ(loops.where(second), "pending") << planned;
  }
}

TEST(Reservations, OfSomeCoresLeaveTheRest) {  // [V]: two of four cores of n1 are reserved
  Loops loops(1);
  loops.build();
  Reservation& part = reserve(loops, {"n1"}, "11:00:00", "18:00:00");
  part.full_nodes = false;
  part.cores[loops.node("n1")] = CoreSet::first(2);
  Job& half = loops.pending("-N1 -n2 -w n1", 10);
  Job& all = loops.pending("-N1 -n4 -w n1", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(all.reason, Reason::Resources);
  ASSERT_TRUE(half.is_running());
  EXPECT_FALSE(half.allocation.nodes[0].cores.intersects(CoreSet::first(2)));
}

TEST(Reservations, ThatAreFlexAreUsedFirstAndMayBeLeft) {  // [V]: n3 of four, -N2 → n3, n4
  Loops loops(4);
  loops.build();
  Reservation& flex = reserve(loops, {"n3"}, "13:00:00", "14:00:00");
  open_to_all(flex);
  flex.flags.set(ReservationFlag::Flex);
  Job& one = loops.pending("-N1 -n1", 10);
  Job& two = loops.pending("-N2 -n2", 10);
  one.reservations = two.reservations = {flex.id};
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(one), "n3:1");
  EXPECT_EQ(loops.where(two), "pending");  // more nodes than the reservation has: §4.2 item 2
  loops.cycle("12:00:20");
  EXPECT_EQ(loops.where(two), "n3:1 n4:1");
}

// [V: flex_weights.py] A plan finds what the member's selection left on n1 to n4 (§5.5): of n2 and
// n3 a later selection took it back, and the first of them is that job's.
TEST(Reservations, ThatAreFlexLeaveAllOtherNodesBehindForEstimates) {
  for (const bool is_flex : {true, false}) {
    Loops loops(5);
    loops.partition("all", {"n1", "n2", "n3", "n4", "n5"});
    loops.partition("mid", {"n2", "n3"});
    loops.build();
    loops.keep_plans(true);
    Reservation& flex = reserve(loops, {"n5"}, "13:00:00", "14:00:00");
    open_to_all(flex);
    if (is_flex) flex.flags.set(ReservationFlag::Flex);
    loops.running("-N4 -n16", {"n1", "n2", "n3", "n4"}, "12:30:00", "all");
    Job& member = loops.pending("-N1 -n4", 50, "all");
    if (is_flex) member.reservations = {flex.id};
    Job& waits = loops.pending("-N1 -n4", 20, "mid");
    loops.pass("12:00:00");
    ASSERT_EQ(loops.where(member), "n5:4");
    Job& planned = loops.pending("-N1 -n4", 20, "all");
    loops.cycle("12:00:20");
    EXPECT_EQ(loops.plan(waits).substr(9), "n2");
    EXPECT_EQ(loops.plan(planned).substr(9), is_flex ? "n3" : "n1");
  }
}

TEST(Reservations, ThatAreMagneticDrawJobsThatMayUseThem) {  // [V]: -n1 → n3, -N2 → n1, n2
  Loops loops(4);
  loops.build();
  Reservation& magnet = reserve(loops, {"n3"}, "11:00:00", "18:00:00");
  open_to_all(magnet);
  magnet.flags.set(ReservationFlag::Magnetic);
  Job& one = loops.pending("-N1 -n1", 10);
  Job& two = loops.pending("-N2 -n2", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(one), "n3:1");
  EXPECT_EQ(one.reservation, magnet.id);
  EXPECT_EQ(loops.where(two), "n1:1 n2:1");
}

TEST(Reservations, ThatAreMagneticTakeTheirNodesFromThePassEvenBeforeTheyBegin) {  // [V]: n3
  Loops loops(4);
  loops.build();
  Reservation& magnet = reserve(loops, {"n1", "n2"}, "13:00:00", "14:00:00");
  open_to_all(magnet);
  magnet.flags.set(ReservationFlag::Magnetic);
  Job& job = loops.pending("-N1 -n4", 10);
  loops.pass("12:00:00");
  EXPECT_EQ(loops.where(job), "n3:4");
}

TEST(Reservations, KeepTheirLicences) {  // §10
  Loops loops(2);
  loops.inputs.slurm_conf.licenses = {{"matlab", 1}};
  loops.build();
  Reservation& own = reserve(loops, {}, "12:30:00", "14:00:00");
  own.licenses = {{loops.names.intern("matlab"), 1}};
  Job& meets = loops.pending("-N1 -n1 -L matlab", 60);
  Job& ends_before = loops.pending("-N1 -n1 -L matlab", 30);
  loops.pass("12:00:00");
  EXPECT_EQ(meets.reason, Reason::Licenses);
  EXPECT_TRUE(ends_before.is_running());
}

RC_GTEST_PROP(Reservations, NoStrangerRunsOnAReservedNodeWithinTheInterval, ()) {
  struct Asked {
    int nodes, cpus, minutes;
  };
  Loops loops(6);
  loops.build();
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> nodes;
    for (int n = 1; n <= 6; ++n) {
      if (*rc::gen::arbitrary<bool>()) nodes.push_back("n" + std::to_string(n));
    }
    const int hour = 12 + *rc::gen::inRange(0, 3);
    Reservation& made = reserve(loops, nodes, std::to_string(hour) + ":20:00",
                                std::to_string(hour + *rc::gen::inRange(1, 3)) + ":10:00");
    if (*rc::gen::arbitrary<bool>()) made.flags.set(ReservationFlag::Maint);
    if (*rc::gen::arbitrary<bool>()) made.flags.set(ReservationFlag::Flex);
  }
  std::vector<const Job*> jobs;
  const int asked = *rc::gen::inRange(1, 12);
  for (int i = 0; i < asked; ++i) {
    const int nodes = *rc::gen::inRange(1, 5);
    const int cpus = nodes * *rc::gen::inRange(1, 5);
    jobs.push_back(&loops.pending("-N" + std::to_string(nodes) + " -n" + std::to_string(cpus),
                                  *rc::gen::inRange(1, 240)));
  }
  for (const char* at : {"12:00:00", "12:21:00", "13:30:00", "15:15:00"}) {
    loops.pass(at);
    loops.cycle(at);
  }
  for (const Job* job : jobs) {
    if (!job->is_running()) continue;
    for (const ReservationId id : loops.cluster->reservations.live()) {
      const Reservation& each = loops.cluster->reservations[id];
      const bool apart = *job->end <= each.start || *job->start >= each.end;
      RC_ASSERT(apart || !job->allocated_nodes.intersects(each.nodes));
    }
  }
}

}  // namespace
}  // namespace rehearse::test
