// tests/unit/config/slurm_conf_test.cpp — what a slurm.conf means: lexis, inference, defaults,
// aliases.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/config/lint.hpp"
#include "sim/config/traps.hpp"
#include "tests/unit/config/conf_support.hpp"

namespace rehearse::test {
namespace {

using Names = std::vector<std::string>;

const NodeConf& node(const Read& read, const std::string& name) {
  for (const NodeConf& each : read.conf.nodes) {
    if (each.name == name) return each;
  }
  ADD_FAILURE() << "no node " << name;
  return read.conf.nodes.front();
}

TEST(Lexis, CommentsGoBeforeContinuationAndQuotes) {
  const Read read = read_amid(
      "KillWait=40 # \\\nEpilog=\"a#b\nSuspendProgram=/x\\#y\nProlog=/p \\\n  MinJobAge=7");
  EXPECT_EQ(read.conf.kill_wait, Seconds{40});
  EXPECT_EQ(read.conf.suspend_program, "/x#y");
  EXPECT_EQ(read.conf.min_job_age, Seconds{7});
  ASSERT_EQ(read.errors.size(), 1U);  // the '#' left the quote open
}

TEST(Lexis, BlanksAroundEqualsAndCaseOfKeysDoNotMatter) {
  const Read read = read_amid("killwait = 40   MINJOBAGE= 7");
  EXPECT_EQ(read.conf.kill_wait, Seconds{40});
  EXPECT_EQ(read.conf.min_job_age, Seconds{7});
}

TEST(Lexis, TheLastOfARepeatedKeyWins) {
  const Read read = read_amid("KillWait=40\nKillWait=50");
  EXPECT_EQ(read.conf.kill_wait, Seconds{50});
  EXPECT_EQ(read.others, Names{"slurm.conf:4:1: warning: KillWait is specified more than once; the "
                               "last value is used"});
}

TEST(Lexis, AValueCanSwallowTheNextPair) {
  const Read read = read_amid("Epilog= KillWait=40");
  EXPECT_EQ(read.conf.kill_wait, Seconds{30});
  EXPECT_EQ(read.conf.raw.at("Epilog").text, "KillWait=40");
  EXPECT_EQ(read.others.size(), 1U);
}

RC_GTEST_PROP(Lexis, AnyBytesAreReadOrRefused, ()) {
  const auto words =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(Names{"NodeName",
                                                                             "PartitionName",
                                                                             "=",
                                                                             "n[1-3]",
                                                                             "\n",
                                                                             " ",
                                                                             "\\",
                                                                             "#",
                                                                             "\"",
                                                                             "Include ",
                                                                             "a",
                                                                             ",",
                                                                             "\t",
                                                                             "+=",
                                                                             "DEFAULT",
                                                                             "Nodes",
                                                                             "ALL",
                                                                             "CPUs",
                                                                             "0x",
                                                                             "K",
                                                                             "-1",
                                                                             "\xFF",
                                                                             "SchedulerParameters",
                                                                             "bf_window",
                                                                             "TRESBillingWeights",
                                                                             "cpu=1.0",
                                                                             "Gres",
                                                                             "gpu:",
                                                                             "[",
                                                                             "]",
                                                                             "Sockets",
                                                                             "9"}));
  std::string text;
  for (const std::string& word : words) text += word;
  const auto bytes = *rc::gen::arbitrary<std::string>();
  read_text(text + bytes);
  read_amid(text);
}

TEST(Nodes, StandInNaturalOrderWhateverTheFileSays) {
  const Read read =
      read_text("NodeName=n10,n9\nNodeName=n2\nPartitionName=p Nodes=n10,n2,n2,n9 Default=YES\n");
  EXPECT_EQ(read.conf.nodes[0].name, "n2");
  EXPECT_EQ(read.conf.nodes[1].name, "n9");
  EXPECT_EQ(read.conf.nodes[2].name, "n10");
  EXPECT_EQ(read.conf.partitions[0].nodes, (Names{"n10", "n2", "n9"}));
}

TEST(Nodes, DefaultLinesAccumulateForLaterLines) {
  const Read read = read_amid(
      "NodeName=a\nNodeName=DEFAULT Weight=5\nNodeName=default RealMemory=64K\n"
      "NodeName=b\nNodeName=d Weight=9");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(node(read, "a").weight, 1U);
  EXPECT_EQ(node(read, "b").weight, 5U);
  EXPECT_EQ(node(read, "b").real_memory_mib, 65536U);
  EXPECT_EQ(node(read, "d").weight, 9U);
}

TEST(Nodes, SocketsAndCpusAreInferred) {
  const Read read = read_amid(
      "NodeName=a CPUs=8 CoresPerSocket=2 ThreadsPerCore=2\nNodeName=b Sockets=2 CoresPerSocket=4 "
      "ThreadsPerCore=2\nNodeName=d CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2\n"
      "NodeName=e Boards=2 SocketsPerBoard=2 CoresPerSocket=4\nNodeName=f Procs=6\n"
      "NodeName=g CPUs=7 Sockets=2 CoresPerSocket=2");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(node(read, "a").sockets, 2U);
  EXPECT_EQ(node(read, "b").cpus, 16U);
  EXPECT_EQ(node(read, "d").cpus, 8U);  // cores are scheduled, threads are not
  EXPECT_EQ(node(read, "e").sockets, 4U);
  EXPECT_EQ(node(read, "e").cpus, 16U);
  EXPECT_EQ(node(read, "f").sockets, 6U);
  EXPECT_EQ(node(read, "g").cpus, 4U);  // 7 is none of 2, 4, 4: reset, and told
  EXPECT_EQ(read.others,
            Names{"slurm.conf:8:17: warning: CPUs: 7 is neither sockets (2), cores (4) "
                  "nor threads (4); Slurm uses 4\n  hint: correct CPUs, or leave it out"});
}

TEST(Nodes, StatesAndDownNodesAreKept) {
  const Read read = read_amid(
      "NodeName=a State=drained Reason=\"bad fan\"\nNodeName=b State=CLOUD\n"
      "DownNodes=n2 State=FAIL Reason=x");
  EXPECT_EQ(node(read, "a").state, "DRAIN");
  EXPECT_EQ(node(read, "a").reason, "bad fan");
  EXPECT_EQ(node(read, "b").state, "CLOUD");
  EXPECT_EQ(node(read, "n2").state, "FAIL");
}

TEST(Nodes, MemSpecLimitAboveTheMemoryIsReset) {
  EXPECT_EQ(node(read_amid("NodeName=a RealMemory=100 MemSpecLimit=100"), "a").mem_spec_limit_mib,
            0U);
}

TEST(Partitions, TakeNodesFromSetsListsAndAll) {
  const Read read = read_partition_lines(
      "NodeName=g1 Feature=gpu\nNodeSet=gpus Feature=gpu\nNodeSet=two Nodes=n[1-2]\n"
      "PartitionName=a Nodes=gpus,n1 Default=YES\nPartitionName=b Nodes=two\nPartitionName=d "
      "Nodes=all\nPartitionName=e Nodes=\"n1 n2\"\nPartitionName=f Nodes=n1 "
      "Nodes=n2\nPartitionName=g");
  EXPECT_TRUE(read.errors.empty());
  const auto& parts = read.conf.partitions;
  EXPECT_EQ(parts[0].nodes, (Names{"g1", "n1"}));
  EXPECT_EQ(parts[1].nodes, (Names{"n1", "n2"}));
  EXPECT_EQ(parts[2].nodes, (Names{"g1", "n1", "n2"}));
  EXPECT_EQ(parts[3].nodes, (Names{"n1", "n2"}));
  EXPECT_EQ(parts[4].nodes, Names{"n2"});
  EXPECT_TRUE(parts[5].nodes.empty());
}

TEST(Partitions, OldNamesStillMeanWhatTheyMeant) {
  const Read read = read_partition_lines(
      "PartitionName=a Nodes=ALL Priority=100 Shared=FORCE:2 Default=YES\n"
      "PartitionName=b Nodes=ALL Priority=100 PriorityTier=3\nPartitionName=d OverSubscribe=YES\n"
      "PartitionName=e OverSubscribe=YES:1\nPartitionName=f OverSubscribe=FORCE:0\n"
      "PartitionName=g OverSubscribe=YES:0");
  const auto& parts = read.conf.partitions;
  EXPECT_EQ(parts[0].priority_tier, 100U);
  EXPECT_EQ(parts[0].priority_job_factor, 100U);
  EXPECT_EQ(parts[0].over_subscribe, OverSubscribe::Force);
  EXPECT_EQ(parts[0].over_subscribe_count, 2U);
  EXPECT_EQ(parts[1].priority_tier, 3U);
  EXPECT_EQ(parts[1].priority_job_factor, 100U);
  EXPECT_EQ(parts[2].over_subscribe_count, 4U);
  for (std::size_t one = 3; one <= 5; ++one) {  // FORCE:0 and YES:0 [V]
    EXPECT_EQ(parts[one].over_subscribe, OverSubscribe::No) << parts[one].name;
  }
}

TEST(Partitions, FourKeysAreNotInherited) {
  const Read read = read_partition_lines(
      "PartitionName=DEFAULT ExclusiveUser=YES MaxTime=60 DisableRootJobs=YES SuspendTime=9\n"
      "PartitionName=a Nodes=ALL Default=YES");
  EXPECT_FALSE(read.conf.partitions[0].exclusive_user);
  EXPECT_FALSE(read.conf.partitions[0].disable_root_jobs);
  EXPECT_FALSE(read.conf.partitions[0].suspend_time.has_value());
  EXPECT_EQ(read.conf.partitions[0].max_time, Minutes{60});
}

TEST(Partitions, TheLastDefaultWinsAndDefaultTimeMayNotExceedMaxTime) {
  const Read read = read_partition_lines(
      "PartitionName=a Default=YES MaxTime=24:00 DefaultTime=30\nPartitionName=b Default=YES "
      "MaxTime=INFINITE DefaultTime=0:30");
  EXPECT_FALSE(read.conf.partitions[0].is_default);
  EXPECT_TRUE(read.conf.partitions[1].is_default);
  EXPECT_EQ(read.conf.partitions[0].max_time, Minutes{24});
  EXPECT_EQ(read.conf.partitions[0].default_time, std::nullopt);
  EXPECT_EQ(read.conf.partitions[1].max_time, std::nullopt);
  EXPECT_EQ(read.conf.partitions[1].default_time, Minutes{1});
}

TEST(Partitions, MemoryPerNodeWinsOverMemoryPerCpuOfOneLine) {
  const Read read = read_partition_lines(
      "PartitionName=a DefMemPerCPU=100 DefMemPerNode=200 Default=YES\nPartitionName=DEFAULT "
      "DefMemPerNode=5\nPartitionName=b DefMemPerCPU=7");
  EXPECT_EQ(read.conf.partitions[0].def_mem_per_cpu_mib, std::nullopt);
  EXPECT_EQ(read.conf.partitions[0].def_mem_per_node_mib, 200U);
  EXPECT_EQ(read.conf.partitions[1].def_mem_per_cpu_mib, 7U);
  EXPECT_EQ(read.conf.partitions[1].def_mem_per_node_mib, std::nullopt);
}

TEST(Partitions, BillingWeightsArePerBaseUnit) {
  const Read read = read_text(
      "AccountingStorageTRES=gres/gpu\nNodeName=n1\nPartitionName=p Default=YES "
      "TRESBillingWeights=\"CPU=1.0,Mem=0.25G,GRES/gpu=2.0\"");
  const auto& weights = read.conf.partitions.at(0).tres_billing_weights;
  ASSERT_EQ(weights.size(), 3U);
  EXPECT_EQ(weights[0].tres, "cpu");
  EXPECT_EQ(weights[1].weight, 0.25 / 1024);
  EXPECT_EQ(weights[2].tres, "gres/gpu");
}

TEST(Globals, AreReadAsSlurmReadsThem) {
  const Read read = read_amid(
      "PriorityFlags=max_tres_gres,CALCULATE_RUNNING\nPriorityCalcPeriod=0:30\n"
      "AccountingStorageEnforce=safe\nEnforcePartLimits=YES\nKillWait=010\nMinJobAge=0x10\n"
      "SelectType=select/cons_tres\nGresTypes=shard,gpu,nic\nAuthInfo=cred_expire=60\n"
      "DependencyParameters=kill_invalid_depend,max_depend_depth=4\nLicenses=a:10,b\nSuspendTime=-"
      "1");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_TRUE(read.conf.priority.max_tres && read.conf.priority.calculate_running);
  EXPECT_EQ(read.conf.priority.calc_period, Seconds{60});
  EXPECT_TRUE(read.conf.enforce.safe && read.conf.enforce.limits && read.conf.enforce.associations);
  EXPECT_FALSE(read.conf.enforce.qos);
  EXPECT_EQ(read.conf.enforce_part_limits, EnforcePartLimits::Any);
  EXPECT_EQ(read.conf.kill_wait, Seconds{8});
  EXPECT_EQ(read.conf.min_job_age, Seconds{16});
  EXPECT_EQ(read.conf.gres_types, (Names{"gpu", "shard", "nic"}));
  EXPECT_EQ(read.conf.select_type_parameters.unit, ConsumableUnit::Core);
  EXPECT_TRUE(read.conf.select_type_parameters.memory);
  EXPECT_EQ(read.conf.cred_expire, Seconds{60});
  EXPECT_TRUE(read.conf.kill_invalid_depend);
  EXPECT_EQ(read.conf.max_depend_depth, 4U);
  EXPECT_EQ(read.conf.licenses.at(0).count, 10U);
  EXPECT_EQ(read.conf.licenses.at(1).count, 1U);
  EXPECT_EQ(read.conf.suspend_time, Seconds{-1});
}

TEST(Globals, HaveTheDocumentedDefaults) {
  const SlurmConf conf = read_amid("").conf;
  EXPECT_EQ(conf.scheduler_type, SchedulerType::Backfill);
  EXPECT_EQ(conf.select_type, SelectType::Linear);
  EXPECT_EQ(conf.select_type_parameters.unit, ConsumableUnit::None);
  EXPECT_EQ(conf.priority.type, PriorityType::Basic);
  EXPECT_EQ(conf.priority.max_age, Seconds{604800});
  EXPECT_EQ(conf.priority.decay_half_life, Seconds{604800});
  EXPECT_EQ(conf.priority.calc_period, Seconds{300});
  EXPECT_EQ(conf.priority.fair_share_dampening_factor, 1);
  EXPECT_EQ(conf.preempt_type, PreemptType::None);
  EXPECT_EQ(conf.preempt_mode, PreemptMode::Off);
  EXPECT_EQ(conf.preempt_exempt_time, std::nullopt);
  EXPECT_EQ(conf.scheduler_time_slice, Seconds{30});
  EXPECT_FALSE(conf.has_accounting || conf.enforce.associations || conf.has_epilog);
  EXPECT_EQ(conf.def_mem_per_cpu_mib, std::nullopt);
  EXPECT_EQ(conf.enforce_part_limits, EnforcePartLimits::No);
  EXPECT_EQ(conf.max_job_count, 10000U);
  EXPECT_EQ(conf.max_array_size, 1001U);
  EXPECT_EQ(conf.first_job_id, 1U);
  EXPECT_EQ(conf.max_job_id, 67043328U);
  EXPECT_EQ(conf.min_job_age, Seconds{300});
  EXPECT_EQ(conf.max_tasks_per_node, 512U);
  EXPECT_EQ(conf.complete_wait, Seconds{0});
  EXPECT_EQ(conf.kill_wait, Seconds{30});
  EXPECT_EQ(conf.over_time_limit_min, 0U);
  EXPECT_TRUE(conf.job_requeue);
  EXPECT_EQ(conf.return_to_service, 0U);
  EXPECT_EQ(conf.slurmd_timeout, Seconds{300});
  EXPECT_EQ(conf.message_timeout, Seconds{10});
  EXPECT_EQ(conf.unkillable_step_timeout, Seconds{60});
  EXPECT_EQ(conf.max_depend_depth, 10U);
  EXPECT_EQ(conf.cred_expire, Seconds{120});
  EXPECT_EQ(conf.suspend_time, Seconds{-1});
  EXPECT_EQ(conf.suspend_timeout, Seconds{30});
  EXPECT_EQ(conf.resume_timeout, Seconds{60});
  EXPECT_EQ(conf.suspend_rate, 60U);
  EXPECT_EQ(conf.resume_rate, 300U);
  const PartitionConf& part = conf.partitions.at(0);
  EXPECT_EQ(part.priority_tier, 1U);
  EXPECT_EQ(part.priority_job_factor, 1U);
  EXPECT_EQ(part.max_time, std::nullopt);
  EXPECT_EQ(part.over_subscribe, OverSubscribe::No);
  EXPECT_EQ(part.preempt_mode, std::nullopt);
  const NodeConf& first = conf.nodes.at(0);
  EXPECT_EQ(first.real_memory_mib, 1U);
  EXPECT_EQ(first.weight, 1U);
  EXPECT_EQ(first.state, "UNKNOWN");
  EXPECT_EQ(conf.scheduler_parameters.max_sched_time, Seconds{2});
}

TEST(Change, ReplacesAKeyOrOneWordOfIt) {
  const std::string lines = "SchedulerParameters=bf_window=1440,bf_continue\nKillWait=40";
  EXPECT_EQ(read_amid(lines, {"KillWait=50"}).conf.kill_wait, Seconds{50});
  EXPECT_TRUE(read_amid(lines, {"KillWait=50"}).others.empty());
  const Read replaced = read_amid(lines, {"SchedulerParameters=bf_window=2880"});
  EXPECT_FALSE(replaced.conf.scheduler_parameters.bf_continue);
  const Read merged = read_amid(lines, {"SchedulerParameters+=bf_window=2880"});
  EXPECT_TRUE(merged.conf.scheduler_parameters.bf_continue);
  EXPECT_EQ(merged.conf.scheduler_parameters.bf_window, Minutes{2880});
  EXPECT_FALSE(
      read_amid(lines, {"SchedulerParameters-=bf_continue"}).conf.scheduler_parameters.bf_continue);
}

TEST(Change, ThatTakesAwayAWordWhichIsNotThereIsWarnedOf) {
  const std::string lines = "SchedulerParameters=bf_interval=60,bf_continue";
  const Read read = read_amid(lines, {"SchedulerParameters-=bf_intervall,bf_continue"});
  ASSERT_EQ(read.others.size(), 1U);
  EXPECT_NE(
      read.others[0].find("SchedulerParameters has no word bf_intervall: nothing is taken away"),
      std::string::npos);
  EXPECT_TRUE(read_amid(lines, {"SchedulerParameters-=bf_interval"}).others.empty());
}

TEST(Change, ReachesRecordsAndAddsThem) {
  const Read read = read_amid("", {"PartitionName=p:MaxTime=2-0", "NodeName=n[1-2]:Weight=5",
                                   "NodeName=n1:Weight=6", "NodeName=m[1-2] CPUs=2"});
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(read.conf.partitions.at(0).max_time, Minutes{2880});
  EXPECT_EQ(node(read, "n1").weight, 6U);
  EXPECT_EQ(node(read, "n2").weight, 5U);
  EXPECT_EQ(node(read, "m2").cpus, 2U);
  EXPECT_EQ(read.conf.sources.size(), 1U);
}

TEST(SchedulerWords, AreFoundAsSlurmFindsThem) {
  const auto words = [](const std::string& text) {
    return read_amid("SchedulerParameters=" + text).conf.scheduler_parameters;
  };
  EXPECT_EQ(words("bf_interval=30,bf_interval=-1").bf_interval, Seconds{30});
  EXPECT_EQ(words("bf_interval=-1").bf_interval, std::nullopt);
  EXPECT_EQ(words("bf_interval=60").bf_max_time, Seconds{60});
  EXPECT_EQ(words("BF_WINDOW=2880m").bf_window, Minutes{2880});
  EXPECT_EQ(words("bf_window=50000").bf_window, Minutes{1440});
  EXPECT_TRUE(words("defer_batch").defer);
  EXPECT_TRUE(words("bf_licenses").bf_running_job_reserve);
  EXPECT_EQ(words("bf_max_job_test=700").bf_node_space_size, 700U);
  EXPECT_EQ(words("max_sched_time=6").max_sched_time, Seconds{2});  // above MessageTimeout/2
  EXPECT_EQ(words("bf_max_job_user=5,bf_max_job_assoc=3").bf_max_job_user, 0U);
}

TEST(Lint, EveryKeyOfASectionIsFoundWithItsEffect) {
  EXPECT_EQ(find_known_key(KeyScope::Global, "priorityweightage")->effect, KeyEffect::Simulated);
  EXPECT_EQ(find_known_key(KeyScope::Global, "SlurmctldDebug")->effect, KeyEffect::Harmless);
  EXPECT_EQ(find_known_key(KeyScope::Global, "JobSubmitPlugins")->effect,
            KeyEffect::IgnoredMayChangeResults);
  EXPECT_EQ(check_key(KeyScope::Global, "SlurmctldPlugstack", 2205).what, "");
  EXPECT_EQ(check_key(KeyScope::Global, "SlurmctldPlugstack", 2302).what,
            "SlurmctldPlugstack was removed in 23.02");
  EXPECT_EQ(check_key(KeyScope::Global, "PreemptParameters", 2302).what, "");
  const auto uses = keys_in_use(read_amid("SchedulerParameters=bf_window=9").conf);
  ASSERT_EQ(uses.size(), 7U);
  EXPECT_EQ(uses.back().name, "bf_window");
  EXPECT_EQ(uses[0].name, "ClusterName");
}

TEST(KeysInUse, AWordOfSchedulerParametersIsFoundBehindASecondEqualsSign) {
  const Read read = read_amid("SchedulerParameters==bf_max_job_user=20,bf_continue");
  EXPECT_EQ(read.conf.scheduler_parameters.bf_max_job_user, 20U);
  const auto uses = keys_in_use(read.conf);
  EXPECT_TRUE(std::any_of(uses.begin(), uses.end(),
                          [](const KeyUse& use) { return use.name == "bf_max_job_user"; }));
  const auto says = [&](std::string_view text) {
    return std::any_of(read.others.begin(), read.others.end(), [&](const std::string& other) {
      return other.find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("'=bf_max_job_user=20' begins with =; Slurm finds the word all the same"));
  EXPECT_FALSE(says("is no word of 22.05"));
}

TEST(KeysInUse, AreHarmlessWithAValueThatMeansNothing) {
  const auto effect = [](std::string_view line) {
    const auto uses = keys_in_use(read_amid(line).conf);
    const std::string_view key = line.substr(0, line.find('='));
    const auto use = std::find_if(uses.begin(), uses.end(),
                                  [&](const KeyUse& each) { return each.name == key; });
    return use == uses.end() ? std::string_view("none") : to_text(use->effect);
  };
  for (const char* line : {"InactiveLimit=0", "TrackWCKey=no", "MCSPlugin=mcs/none",
                           "SlurmdParameters=config_overrides"}) {
    EXPECT_EQ(effect(line), "harmless") << line;
  }
  for (const char* line : {"InactiveLimit=300", "TrackWCKey=yes", "MCSPlugin=mcs/account",
                           "SlurmdParameters=l3cache_as_socket"}) {
    EXPECT_EQ(effect(line), "ignored and may change results") << line;
  }
  EXPECT_EQ(effect("MessageTimeout=60"), "simulated");
}

TEST(Traps, AreToldWithWhatToWriteInstead) {
  const Read read = read_text(
      "NodeName=n1 Gres=gpu:4\nPriorityType=priority/multifactor\nAccountingStorageType="
      "accounting_storage/slurmdbd\nPriorityWeightAge=1\nPriorityWeightFairshare=100000\n"
      "PriorityWeightPartition=10\nSelectType=select/cons_res\n"
      "PartitionName=p Nodes=n1 Default=YES MaxTime=7-0 Priority=5\n");
  Diagnostics found;
  find_traps(read.conf, {}, found);
  std::string all;
  for (const Diagnostic& finding : found.all()) all += finding.what + "\n";
  for (const char* part :
       {"select/cons_res is simulated as select/cons_tres", "tiers dominate every weight",
        "allows 10080 minutes, but backfill plans only 1440 ahead",
        "PriorityWeightAge=1 is a dead weight beside one of 100000",
        "all partitions have the same PriorityJobFactor"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
}

TEST(Traps, AHintForGresTypesKeepsWhatIsListed) {
  const Read read = read_text(
      "GresTypes=gpu\nNodeName=n1 Gres=gpu:4\n"
      "PartitionName=p Nodes=n1 Default=YES MaxTime=7-0\n");
  Diagnostics found;
  const GresConf gres = parse_gres_conf("Name=mps Count=400\n", "gres.conf", ".", found);
  find_traps(read.conf, gres, found);
  std::string hints;
  for (const Diagnostic& finding : found.all()) hints += finding.hint + "\n";
  EXPECT_NE(hints.find("write GresTypes=gpu,mps\n"), std::string::npos) << hints;
}

TEST(ChangesBySet, OfAWholeListTellWhichWordsAreGone) {
  const char* const line = "SchedulerParameters=bf_continue,bf_window=4320,defer";
  const auto told = [&](const char* change) { return read_amid(line, {change}).others; };
  EXPECT_EQ(told("SchedulerParameters=defer,bf_window=60"),
            std::vector<std::string>{
                "--set SchedulerParameters=defer,bf_window=60: warning: the whole list is "
                "replaced: without bf_continue\n"
                "  hint: to change a word of it: --set SchedulerParameters+=defer,bf_window=60"});
  EXPECT_TRUE(told("SchedulerParameters+=bf_window=60").empty());
  EXPECT_TRUE(told("SchedulerParameters=").empty());
  EXPECT_TRUE(read_amid("", {"SchedulerParameters=bf_window=60"}).others.empty());
}

TEST(Nodes, ThatNoPartitionHasAreTold) {
  const auto told = [](const char* partitions, const std::vector<std::string>& set = {}) {
    return read_text(std::string(kHead) + "NodeName=n[1-4] CPUs=4\nNodeName=f1 State=FUTURE\n" +
                         partitions,
                     set)
        .others;
  };
  EXPECT_TRUE(told("PartitionName=p Nodes=ALL Default=YES\n").empty());
  EXPECT_TRUE(
      told("PartitionName=p Nodes=n[1-2] Default=YES\nPartitionName=q Nodes=n[2-4]\n").empty());
  ASSERT_EQ(told("PartitionName=p Nodes=n[1-2] Default=YES\n").size(), 1U);
  EXPECT_EQ(told("PartitionName=p Nodes=n[1-2] Default=YES\n")[0].substr(0, 66),
            "slurm.conf:3:1: note: no partition has n[3-4]: no job can be there");
  const std::string added =
      told("PartitionName=p Nodes=n[1-4] Default=YES\n", {"NodeName=m[1-9] CPUs=4"}).at(0);
  EXPECT_EQ(added.substr(0, added.find('\n')),
            "--set NodeName=m[1-9] CPUs=4: note: no partition has m[1-9]: no job can be there");
}

}  // namespace
}  // namespace rehearse::test
