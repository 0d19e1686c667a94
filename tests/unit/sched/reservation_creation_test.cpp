// tests/unit/sched/reservation_creation_test.cpp — which nodes a reservation gets, what slurmctld
// refuses, and when it comes again (lifecycle.md §13).
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "sim/sched/reservations/access.hpp"
#include "sim/sched/reservations/creation.hpp"
#include "sim/sched/reservations/recurrence.hpp"
#include "sim/sched/reservations/update.hpp"
#include "tests/unit/sched/loops.hpp"

namespace rehearse::test {
namespace {

class ReservationCreation : public ::testing::Test {
 protected:
  ReservationCreation() : loops_(4) {
    loops_.inputs.slurm_conf.partitions.clear();
    loops_.partition("all", {"n1", "n2", "n3", "n4"}).is_default = true;
    loops_.build();
  }

  /// `n2,n3`, or the refusal.
  std::string create(const std::string& words, std::string_view at = "12:00:00") {
    auto made =
        create_reservation(understood("create", words, at), *loops_.cluster, clock_time(at));
    if (const auto* refusal = std::get_if<std::string>(&made)) return *refusal;
    Reservation& added = loops_.cluster->reservations.add(std::get<Reservation>(std::move(made)));
    last_ = added.id;
    return nodes_of(added);
  }

  /// Of one that is gone again.
  std::string ignoring_jobs(const std::string& words) {
    std::string made = create(
        "ReservationName=a Users=root StartTime=now+60 Duration=30 Flags=IGNORE_JOBS " + words);
    if (made.starts_with("n")) {
      loops_.cluster->reservations.remove(loops_.cluster->reservations[last_]);
    }
    return made;
  }

  ReservationWords understood(const std::string& verb, const std::string& words,
                              std::string_view at) {
    Diagnostics found;
    const auto command =
        read_reservation_command("scontrol " + verb + " reservation " + words, {"events.csv", 2, 9},
                                 clock_time(at), TimeZone::utc(), found);
    for (const Diagnostic& each : found.all()) ADD_FAILURE() << to_text(each);
    return command ? command->words : ReservationWords{};
  }

  std::string update(const std::string& words, std::string_view at = "12:00:00") {
    const auto refusal =
        update_reservation(understood("update", words, at), loops_.cluster->reservations[last_],
                           *loops_.cluster, TimeZone::utc(), clock_time(at));
    return refusal.value_or(nodes_of(loops_.cluster->reservations[last_]));
  }

  std::string nodes_of(const Reservation& reservation) {
    std::string text;
    for_each_bit(reservation.nodes, [&](std::size_t i) {
      text += (text.empty() ? "n" : ",n") + std::to_string(i + 1);
    });
    return text;
  }

  Loops loops_;
  ReservationId last_{};
};

// [V]: n1 holds a job that runs beyond the begin.
TEST_F(ReservationCreation, LeavesNodesToJobsThatRunBeyondItsBegin) {
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(create("ReservationName=a Users=root NodeCnt=2 StartTime=now+60 Duration=30"), "n2,n3");
  EXPECT_EQ(create("ReservationName=b Users=root NodeCnt=2 StartTime=now+60 Duration=30"),
            "Requested nodes are busy");
}

TEST_F(ReservationCreation, TakesNodesThatAreFreeWhenItBegins) {  // [V]
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(create("ReservationName=a Users=root NodeCnt=4 StartTime=now+40000 Duration=30"),
            "n1,n2,n3,n4");
  EXPECT_EQ(create("ReservationName=b Users=root NodeCnt=2 StartTime=now+80000 Duration=30"),
            "n1,n2")
      << "idle or not";
}

// [V] scripts/reference/experiments/reserved_beside_jobs.py.
TEST_F(ReservationCreation, TakesNodesOfTheFirstJobsWithIgnoreJobsWhereOthersAreTooFew) {
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(ignoring_jobs("NodeCnt=2"), "n2,n3");
  loops_.running("-N1 -n1", {"n3"}, "22:00:00");
  EXPECT_EQ(ignoring_jobs("NodeCnt=2"), "n2,n4");
  EXPECT_EQ(ignoring_jobs("NodeCnt=3"), "n1,n2,n4") << "of the first job";
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(ignoring_jobs("NodeCnt=3"), "n1,n2,n4") << "it has n1, whoever is there besides";
  loops_.running("-N2 -n2", {"n2", "n4"}, "22:00:00");
  EXPECT_EQ(ignoring_jobs("NodeCnt=2"), "n1,n3");
  EXPECT_EQ(ignoring_jobs("NodeCnt=3"), "n1,n2,n3") << "those of all are the lowest";
}

TEST_F(ReservationCreation, CountsNodesOfItsFeaturesBesideJobsThatItIgnores) {  // [V]
  for (std::size_t i = 0; i < 4; ++i) {
    loops_.inputs.slurm_conf.nodes[i].features = {i < 3 ? "f" : "g"};
  }
  loops_.build();
  for (const std::string node : {"n3", "n2", "n1"}) {
    loops_.running("-N1 -n1", {node}, "22:00:00");
  }
  EXPECT_EQ(ignoring_jobs("NodeCnt=1 Features=f"), "n3") << "though n4 is without jobs";
  EXPECT_EQ(ignoring_jobs("NodeCnt=2 Features=f"), "n2,n3");
  loops_.running("-N1 -n1", {"n4"}, "22:00:00");
  EXPECT_EQ(ignoring_jobs("NodeCnt=2 Features=[f*1&g*1]"), "n3,n4") << "each by itself";
}

// [V] scripts/reference/experiments/reserved_by_switch.py: two counted features decide alone.
TEST_F(ReservationCreation, CountsNodesByFeaturesWhateverNodeCntSays) {
  loops_.inputs.slurm_conf.nodes[1].features = {"fa"};
  loops_.inputs.slurm_conf.nodes[2].features = loops_.inputs.slurm_conf.nodes[3].features = {"fb"};
  loops_.build();
  for (const std::string count : {"1", "4"}) {
    EXPECT_EQ(create("ReservationName=f" + count +
                     " Users=root StartTime=now+60 Duration=30 "
                     "Flags=OVERLAP Features=[fa*1&fb*1] NodeCnt=" +
                     count),
              "n2,n3");
    loops_.cluster->reservations.remove(loops_.cluster->reservations[last_]);
  }
}

// [V] scripts/reference/experiments/reserved_features.py.
TEST_F(ReservationCreation, GoesByFeaturesAsSlurmReadsThem) {
  for (std::size_t i = 0; i < 4; ++i) {
    loops_.inputs.slurm_conf.nodes[i].features = {i < 2 ? "a" : "c", "b"};
  }
  loops_.build();
  const auto two_of = [&](const std::string& features) {
    std::string made = create(
        "ReservationName=f Users=root StartTime=now+60 Duration=30 NodeCnt=2 Features=" + features);
    if (made.starts_with("n")) {
      loops_.cluster->reservations.remove(loops_.cluster->reservations[last_]);
    }
    return made;
  };
  EXPECT_EQ(two_of("b&c"), "n3,n4");
  EXPECT_EQ(two_of("c&(a|b)"), "n3,n4") << "parentheses come first";
  EXPECT_EQ(two_of("[c]"), "n3,n4");
  EXPECT_EQ(two_of("[a*1&c*1]"), "n1,n3");
  for (const char* any : {"[c*1]", "c*1&b*1", "a*1&c*1", "c*1|b", "[c*1]&b"}) {
    EXPECT_EQ(two_of(any), "n1,n2") << any << ": no feature counts";
  }
  for (const char* bad : {"[a|c]", "[a&b]", "[a*2|c*1]", "[a*1&c]", "zz", "a&zz", "a&&b", "A"}) {
    EXPECT_EQ(two_of(bad), "Invalid feature specification") << bad;
  }
}

// [V] scripts/reference/experiments/reserved_features.py.
TEST_F(ReservationCreation, TakesNoOtherFeaturesLater) {
  for (NodeConf& node : loops_.inputs.slurm_conf.nodes) node.features = {"a"};
  loops_.build();
  EXPECT_EQ(
      create("ReservationName=f Users=root StartTime=now+60 Duration=30 NodeCnt=2 Features=a"),
      "n1,n2");
  EXPECT_EQ(update("ReservationName=f Features=a"),
            "Requested operation not supported on this system");
  EXPECT_EQ(update("ReservationName=f NodeCnt=3"), "n1,n2,n3");
}

// [V]: whatever the flags of either, those of others come last.
TEST_F(ReservationCreation, TakesNodesOfOthersLastAndOnlyWhereItMayOverlap) {
  const auto count = [&](const std::string& nodes, const std::string& flags) {
    const std::string name = "b" + nodes + flags.substr(flags.find('=') + 1);
    return create("ReservationName=" + name + " Users=root NodeCnt=" + nodes +
                  " StartTime=now+1800 Duration=60" + flags);
  };
  for (const std::string own : {"", " Flags=MAINT", " Flags=OVERLAP"}) {
    loops_.build();
    create("ReservationName=a Users=root Nodes=n1,n2 StartTime=now Duration=300" + own);
    EXPECT_EQ(count("2", " Flags=MAINT"), "n3,n4") << own;
    loops_.build();
    create("ReservationName=a Users=root Nodes=n1,n2 StartTime=now Duration=300" + own);
    EXPECT_EQ(count("3", " Flags=MAINT"), "n1,n3,n4") << own;
    EXPECT_EQ(create("ReservationName=c Users=root Nodes=n1,n2 StartTime=now+1800 Duration=60 "
                     "Flags=MAINT"),
              "n1,n2");
    loops_.build();
    create("ReservationName=a Users=root Nodes=n1,n2 StartTime=now Duration=300" + own);
    EXPECT_EQ(count("2", ""), "n3,n4") << own;
  }
}

// [V] scripts/reference/experiments/reserved_cores_beside.py.
TEST_F(ReservationCreation, TakesCoresBesideOthersAndOnlyElseTheirs) {
  const auto beside = [&](const std::string& other, const std::string& words) {
    loops_.build();
    create("ReservationName=a Users=root StartTime=now+60 Duration=60 " + other);
    return create("ReservationName=b Users=root StartTime=now+60 Duration=60 " + words);
  };
  for (const std::string flag : {"", " Flags=MAINT", " Flags=OVERLAP"}) {
    EXPECT_EQ(beside("Nodes=n1", "CoreCnt=6" + flag), "n2,n3") << flag;
    EXPECT_EQ(beside("CoreCnt=6", "CoreCnt=3" + flag), "n2,n3") << flag;
    EXPECT_EQ(beside("Nodes=n1", "NodeCnt=2 CoreCnt=6" + flag), "n2,n3") << flag;
  }
  EXPECT_EQ(beside("Nodes=n[2-3]", "CoreCnt=9"), "Requested nodes are busy");
  EXPECT_EQ(beside("Nodes=n[2-3]", "CoreCnt=9 Flags=OVERLAP"), "n1,n2,n3") << "as if alone";
  EXPECT_EQ(beside("CoreCnt=6", "CoreCnt=11 Flags=MAINT"), "n1,n2,n3");
}

// [V] scripts/reference/experiments/reserved_cores_beside.py.
TEST_F(ReservationCreation, TakesWholeNodesOfWhichOthersHaveCores) {
  create("ReservationName=a Users=root StartTime=now+60 Duration=60 CoreCnt=6");
  EXPECT_EQ(create("ReservationName=b Users=root StartTime=now+60 Duration=60 NodeCnt=2"), "n1,n2");
}

// [V] scripts/reference/experiments/reserved_cores_beside.py.
TEST_F(ReservationCreation, TakesWhatIsThereOfACountOfTooManyNodes) {
  create("ReservationName=a Users=root StartTime=now+60 Duration=60 Nodes=n[1-2]");
  EXPECT_EQ(create("ReservationName=b Users=root StartTime=now+60 Duration=60 NodeCnt=3"), "n3,n4");
  EXPECT_EQ(create("ReservationName=c Users=root StartTime=now+60 Duration=60 NodeCnt=1"),
            "Requested nodes are busy");
  EXPECT_EQ(create("ReservationName=d Users=root StartTime=now+32400 Duration=60 NodeCnt=9"),
            "n1,n2,n3,n4");
}

TEST_F(ReservationCreation, TakesCoresBesideJobsByIndex) {  // [V]
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(create("ReservationName=b Users=root CoreCnt=6 StartTime=now+60 Duration=30"), "n1,n2");
  loops_.cluster->reservations.remove(loops_.cluster->reservations[last_]);
  EXPECT_EQ(create("ReservationName=c Users=root NodeCnt=3 CoreCnt=6 StartTime=now+60 Duration=30"),
            "n1,n2,n3");
}

TEST_F(ReservationCreation, IsRefusedInSlurmsWords) {  // [V]
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(create("ReservationName=i Users=root Nodes=n1 StartTime=now+60 Duration=30"),
            "Requested nodes are busy");
  EXPECT_EQ(create("ReservationName=i1 Users=root Nodes=n2 StartTime=now+60 Duration=30"), "n2");
  EXPECT_EQ(create("ReservationName=i2 Users=root Nodes=n2 StartTime=now+90 Duration=30"),
            "Requested reservation overlaps with another reservation");
  EXPECT_EQ(create("ReservationName=i1 Users=root Nodes=n3 StartTime=now+60 Duration=30"),
            "Duplicate reservation name");
  EXPECT_EQ(create("ReservationName=i4 Users=root Nodes=n3 StartTime=now-3600 Duration=30"),
            "Invalid time specified");
}

TEST_F(ReservationCreation, IgnoresJobsAndOthersWhereItsFlagsSaySo) {
  loops_.running("-N1 -n1", {"n1"}, "22:00:00");
  EXPECT_EQ(create("ReservationName=a Users=root Nodes=n1 StartTime=now Duration=30 "
                   "Flags=IGNORE_JOBS"),
            "n1");
  EXPECT_EQ(create("ReservationName=b Users=root Nodes=n1 StartTime=now Duration=30 "
                   "Flags=IGNORE_JOBS,OVERLAP"),
            "n1");
}

TEST_F(ReservationCreation, MeetsARecurringOneOfAnotherDay) {
  EXPECT_EQ(
      create("ReservationName=a Users=root Nodes=n1 StartTime=now+60 Duration=30 Flags=DAILY"),
      "n1");
  EXPECT_EQ(create("ReservationName=b Users=root Nodes=n1 StartTime=now+3days Duration=30"),
            "Requested reservation overlaps with another reservation");
  EXPECT_EQ(create("ReservationName=c Users=root Nodes=n1 StartTime=now+2hours Duration=30"), "n1");
}

TEST_F(ReservationCreation, ChangesAsAnAdminSays) {  // [V]: the end, and the refusal of a start
  EXPECT_EQ(create("ReservationName=f Users=root Nodes=n3,n4 StartTime=now Duration=10"), "n3,n4");
  const Reservation& made = loops_.cluster->reservations[last_];
  EXPECT_EQ(update("ReservationName=f StartTime=now+600"), "Reservation already started");
  EXPECT_EQ(update("ReservationName=f Duration+=5"), "n3,n4");
  EXPECT_EQ(made.end, clock_time("12:15:00"));
  EXPECT_EQ(update("ReservationName=f Duration=12 Flags=MAINT"), "n3,n4");
  EXPECT_EQ(made.end, clock_time("12:12:00"));
  EXPECT_EQ(update("ReservationName=f Flags=FLEX"), "n3,n4");
  EXPECT_EQ(to_text(made.flags), "MAINT,SPEC_NODES,FLEX");
  EXPECT_EQ(update("ReservationName=f Flags-=MAINT"), "n3,n4");
  EXPECT_EQ(to_text(made.flags), "SPEC_NODES,FLEX");
  EXPECT_EQ(update("ReservationName=f Nodes-=n4"), "n3");
  EXPECT_EQ(update("ReservationName=f Nodes+=n1"), "n1,n3");
  EXPECT_EQ(update("ReservationName=f Skip"),
            "Reservation given is not skipable, try deleting instead");
}

TEST_F(ReservationCreation, ExchangesNodesThatAreDown) {
  EXPECT_EQ(create("ReservationName=a Users=root NodeCnt=2 StartTime=now Duration=30"), "n1,n2");
  loops_.cluster->nodes[loops_.node("n1")].state.drain = true;
  Reservation& chosen = loops_.cluster->reservations[last_];
  EXPECT_TRUE(exchange_nodes(chosen, *loops_.cluster, clock_time("12:00:00")));
  EXPECT_EQ(nodes_of(chosen), "n2,n3");
  EXPECT_EQ(create("ReservationName=b Users=root Nodes=n1 StartTime=now Duration=30"), "n1");
  EXPECT_FALSE(
      exchange_nodes(loops_.cluster->reservations[last_], *loops_.cluster, clock_time("12:00:00")));
}

// [V] replaced_cores.py.
TEST_F(ReservationCreation, ExchangesTheOneNodeOfCoresForAWholeOne) {
  EXPECT_EQ(create("ReservationName=a Users=root CoreCnt=2 StartTime=now Duration=30"), "n1");
  Reservation& one = loops_.cluster->reservations[last_];
  EXPECT_FALSE(one.full_nodes);
  for (const auto& [lost, next] : {std::pair{"n1", "n2"}, std::pair{"n2", "n3"}}) {
    loops_.cluster->nodes[loops_.node(lost)].state.drain = true;
    EXPECT_TRUE(exchange_nodes(one, *loops_.cluster, clock_time("12:00:00")));
    EXPECT_EQ(nodes_of(one), next);
    EXPECT_TRUE(one.full_nodes);
  }
}

TEST_F(ReservationCreation, KeepsCoresOfSeveralOrOfNamedNodesThatAreDown) {
  for (const char* words : {"CoreCnt=6", "Nodes=n1 CoreCnt=2", "CoreCnt=2 Flags=STATIC_ALLOC"}) {
    create("ReservationName=a Users=root StartTime=now Duration=30 " + std::string(words));
    Reservation& made = loops_.cluster->reservations[last_];
    const std::string before = nodes_of(made);
    loops_.cluster->nodes[loops_.node("n1")].state.drain = true;
    EXPECT_FALSE(exchange_nodes(made, *loops_.cluster, clock_time("12:00:00"))) << words;
    EXPECT_EQ(nodes_of(made), before);
    loops_.cluster->nodes[loops_.node("n1")].state.drain = false;
    loops_.cluster->reservations.remove(made);
  }
}

TEST_F(ReservationCreation, AdmitsByUserAndByAccount) {
  Reservation made;
  Job& job = loops_.pending("-n1", 10);
  loops_.spec_of(job).user = loops_.names.intern("ann");
  loops_.spec_of(job).account = loops_.names.intern("ml");
  const auto admits = [&](const char* words) {
    Diagnostics found;
    made.access = {};
    resolve_access(
        understood("create", std::string(words) + " Nodes=n1 StartTime=now Duration=1", "12:00:00"),
        *loops_.cluster, loops_.names, made.access, found);
    return may_use(made, job, *loops_.cluster);
  };
  EXPECT_TRUE(admits("Users=ann,bob"));
  EXPECT_FALSE(admits("Users=bob"));
  EXPECT_FALSE(admits("Users=-ann"));
  EXPECT_TRUE(admits("Users=-bob"));
  EXPECT_TRUE(admits("Accounts=ml"));
  EXPECT_FALSE(admits("Accounts-=ml"));
  EXPECT_FALSE(admits("Users=ann Accounts=bio"));  // both must hold
}

SlurmTime day(std::string_view text) {
  return TimeZone::utc().read(std::string(text) + "T08:00:00").value();
}

std::string next(std::string_view from, ReservationFlag flag) {
  ReservationFlags flags;
  flags.set(flag);
  const SlurmTime start = day(from);
  const ReservationSpan span =
      next_occurrence({start, start + Seconds{3600}}, flags, TimeZone::utc());
  EXPECT_EQ(span.end - span.start, Seconds{3600});
  return TimeZone::utc().print(span.start).substr(0, 13);
}

TEST(ReservationRecurrence, FollowsTheCalendar) {  // lifecycle.md §13; 2027-01-15 is a Friday
  EXPECT_EQ(next("2027-01-15", ReservationFlag::Hourly), "2027-01-15T09");
  EXPECT_EQ(next("2027-01-15", ReservationFlag::Daily), "2027-01-16T08");
  EXPECT_EQ(next("2027-01-15", ReservationFlag::Weekly), "2027-01-22T08");
  EXPECT_EQ(next("2027-01-14", ReservationFlag::Weekday), "2027-01-15T08");
  EXPECT_EQ(next("2027-01-15", ReservationFlag::Weekday), "2027-01-18T08");
  EXPECT_EQ(next("2027-01-16", ReservationFlag::Weekday), "2027-01-18T08");
  EXPECT_EQ(next("2027-01-13", ReservationFlag::Weekend), "2027-01-16T08");
  EXPECT_EQ(next("2027-01-16", ReservationFlag::Weekend), "2027-01-17T08");
  EXPECT_EQ(next("2027-01-17", ReservationFlag::Weekend), "2027-01-23T08");
}

TEST(ReservationRecurrence, KeepsTheLocalClock) {  // clocks go forward on 2027-03-28
  const TimeZone oslo = TimeZone::find("Europe/Oslo").value();
  ReservationFlags flags;
  flags.set(ReservationFlag::Daily);
  const SlurmTime start = oslo.read("2027-03-27T08:00:00").value();
  const ReservationSpan span = next_occurrence({start, start + Seconds{60}}, flags, oslo);
  EXPECT_EQ(oslo.print(span.start), "2027-03-28T08:00:00");
}

}  // namespace
}  // namespace rehearse::test
