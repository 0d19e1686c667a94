// tests/unit/config/broken_conf_test.cpp — what is wrong with a slurm.conf is said with its place
// and its remedy, word for word.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/unit/config/conf_support.hpp"

namespace rehearse::test {
namespace {

struct Broken {
  std::string name, lines, message;
  friend std::ostream& operator<<(std::ostream& out, const Broken& b) { return out << b.name; }
};

class BrokenLine : public testing::TestWithParam<Broken> {};

TEST_P(BrokenLine, IsToldExactly) {
  const Read read = read_amid(GetParam().lines);
  ASSERT_FALSE(read.errors.empty());
  EXPECT_EQ(read.errors.front(), "slurm.conf:" + GetParam().message);
  EXPECT_EQ(read.errors.size(), 1U);
}

const Broken kLexis[] = {
    {"ValueWithBlank", "SchedulerParameters=bf_max_job_test 1000",
     "3:37: error: '1000' is not Key=Value\n  hint: a value with blanks needs double quotes"},
    {"Template", "ClusterName={{ slurm_cluster_name }}",
     "3:16: error: 'slurm_cluster_name' is not Key=Value\n"
     "  hint: a template (Ansible, Jinja, Salt): give what it becomes on the cluster"},
    {"TruncatedLine", "NodeName",
     "3:1: error: 'NodeName' is not Key=Value\n"
     "  hint: a line is a list of Key=Value pairs"},
    {"TruncatedValue", "PriorityWeightAge=",
     "3:1: error: PriorityWeightAge= has no value\n  hint: give it one, or remove the key"},
    {"OpenQuote", "SuspendProgram=\"/bin/off -a",
     "3:16: error: SuspendProgram: the quote is never closed"},
    {"IndentedInclude", "  Include more.conf",
     "3:3: error: Include must start in the first column\n"
     "  hint: remove the blanks before it"},
    {"MissingInclude", "Include no/such.conf",
     "3:9: error: cannot open the included file 'no/such.conf'\n"
     "  hint: a relative path starts from the directory of the including file"},
    {"IncludeOfADevice", "Include /dev/zero",
     "3:9: error: cannot open the included file '/dev/zero'\n"
     "  hint: it must be a file of at most 256 MiB that may be read"},
    {"IncludeWithEquals", "Include=more.conf",
     "3:1: error: 'Include' is not a key of slurm.conf\n"
     "  hint: write Include FILE, in the first column"},
    {"UnknownKey", "PriorityWieghtAge=5",
     "3:1: error: 'PriorityWieghtAge' is not a key of slurm.conf\n"
     "  hint: did you mean 'PriorityWeightAge'?"},
    {"NeverWasAKey", "NodeStateInterval=5",
     "3:1: error: NodeStateInterval: no release of Slurm has such a key\n"
     "  hint: remove it; SlurmdTimeout= tells when a silent node is DOWN"},
    {"FaultTolerance", "FaultTolerance=yes",
     "3:1: error: FaultTolerance: no release of Slurm has such a key\n  hint: remove it"},
    {"OnExit", "OnExit=requeue",
     "3:1: error: OnExit: no release of Slurm has such a key\n"
     "  hint: remove it; RequeueExit= and RequeueExitHold= act on exit codes"},
    {"TooNew", "PreemptParameters=strict_order",
     "3:1: error: PreemptParameters came with 23.02; 22.05 does not know it\n"
     "  hint: remove it; or, in site.yaml: slurm_version: \"23.02\""},
    {"MisplacedKey", "MaxTime=30",
     "3:1: error: 'MaxTime' is not a key of slurm.conf\n  hint: MaxTime belongs on a PartitionName "
     "line"},
    {"MisplacedWord", "bf_window=2880",
     "3:1: error: 'bf_window' is not a key of slurm.conf\n"
     "  hint: bf_window is a word of SchedulerParameters= (--set SchedulerParameters+=bf_window…)"},
    {"Operator", "MaxJobCount+=5",
     "3:1: error: MaxJobCount+= has no meaning in slurm.conf\n  hint: write = and the whole value"},
};

const Broken kValues[] = {
    {"WrongMemoryUnit", "DefMemPerCPU=4G",
     "3:14: error: DefMemPerCPU: '4G' is not a valid number\n"
     "  hint: the unit is MB: write 4096 (or 4K: K is the only suffix here, x1024)"},
    {"NegativeNumber", "PriorityWeightAge=-5",
     "3:19: error: PriorityWeightAge: '-5' is not a valid number\n"
     "  hint: negative numbers are not accepted"},
    {"WordForNumber", "MaxArraySize=yes",
     "3:14: error: MaxArraySize: 'yes' is not a valid number\n  hint: write a whole number"},
    {"BadOctal", "KillWait=08",
     "3:10: error: KillWait: '08' is not a valid number\n  hint: a leading 0 makes a number octal"},
    {"OutOfRange", "MaxArraySize=4000002",
     "3:14: error: MaxArraySize: '4000002' is out of range\n  hint: from 0 to 4000001"},
    {"TimeSlice", "SchedulerTimeSlice=70000",
     "3:20: error: SchedulerTimeSlice: '70000' is out of range\n  hint: from 0 to 65533"},
    {"BadTime", "PriorityMaxAge=7d",
     "3:16: error: PriorityMaxAge: '7d' is not a time\n"
     "  hint: write minutes, MIN:SEC, HOURS:MIN:SEC, DAYS-HOURS[:MIN[:SEC]] or UNLIMITED"},
    {"NoCalcPeriod", "PriorityCalcPeriod=0",
     "3:20: error: PriorityCalcPeriod: must be at least one minute"},
    {"NoHalfLife", "PriorityDecayHalfLife=0",
     "3:23: error: PriorityDecayHalfLife: 0 (no decay) needs PriorityUsageResetPeriod too\n"
     "  hint: add PriorityUsageResetPeriod=, even if NONE"},
    {"UnknownTres", "PriorityWeightTRES=cpu=5,gpu=9",
     "3:20: error: 'gpu' is no known TRES\n  hint: write gres/gpu, and name it in "
     "AccountingStorageTRES=gres/gpu"},
    {"TresWithoutType", "AccountingStorageTRES=gpu",
     "3:23: error: AccountingStorageTRES: no TRES is known by 'gpu'\n  hint: write gres/gpu"},
    {"EnforceTypo", "AccountingStorageEnforce=limit",
     "3:26: error: AccountingStorageEnforce: 'limit' is not something to enforce\n"
     "  hint: did you mean 'limits'?"},
    {"UnknownPlugin", "SelectType=select/cons_tress",
     "3:12: error: SelectType: 'select/cons_tress' is not simulated, or no plugin of Slurm\n"
     "  hint: select/cons_tres, select/cons_res, select/linear"},
    {"MemoryAloneWithConsTres", "SelectType=select/cons_tres SelectTypeParameters=CR_Memory",
     "3:50: error: SelectTypeParameters: select/cons_res and select/cons_tres need CR_CPU, CR_Core "
     "or "
     "CR_Socket\n  hint: CR_Memory alone is for select/linear; write CR_Core_Memory"},
    {"WordOfALaterRelease",
     "SelectType=select/cons_tres SelectTypeParameters=CR_Core,LL_SHARED_GRES",
     "3:50: error: SelectTypeParameters: 'LL_SHARED_GRES' is not known to 22.05\n"
     "  hint: it came with 23.11"},
    {"ShardWithoutGpu", "SelectType=select/cons_tres\nGresTypes=shard",
     "4:11: error: GresTypes: shard needs gpu, which is not listed\n  hint: write "
     "GresTypes=gpu,shard"},
    {"MpsWithLinear", "GresTypes=gpu,mps",
     "3:11: error: GresTypes: mps needs SelectType=select/cons_tres"},
    {"SuspendWithoutGang", "PreemptType=preempt/qos\nPreemptMode=SUSPEND",
     "4:13: error: PreemptMode: SUSPEND requires GANG too\n  hint: write PreemptMode=SUSPEND,GANG"},
    {"PreemptOff", "PreemptType=preempt/qos",
     "3:13: error: PreemptType: preempt/qos needs a PreemptMode other than OFF\n"
     "  hint: add PreemptMode=REQUEUE, CANCEL, or SUSPEND,GANG"},
    {"PreemptNone", "PreemptMode=REQUEUE",
     "3:13: error: PreemptMode: 'REQUEUE' needs a PreemptType\n"
     "  hint: add PreemptType=preempt/qos or preempt/partition_prio"},
    {"GangWithin", "PreemptType=preempt/qos PreemptMode=GANG,WITHIN",
     "3:37: error: PreemptMode: GANG,WITHIN says how, but not what happens to the victims\n"
     "  hint: add CANCEL, REQUEUE or SUSPEND"},
    {"TwoModes", "PreemptType=preempt/qos PreemptMode=CANCEL,REQUEUE",
     "3:37: error: PreemptMode: CANCEL, REQUEUE and SUSPEND exclude each other\n  hint: keep one"},
};

const Broken kRecords[] = {
    {"NodeNamedAll", "NodeName=ALL CPUs=4",
     "3:10: error: ALL is reserved: no node can have this name\n"
     "  hint: use NodeName=DEFAULT for what all nodes share"},
    {"SuffixAfterBracket", "NodeName=x[1-4]-ib CPUs=4",
     "3:10: error: 'x[1-4]-ib': nothing may follow the last ']', but '-ib' does\n"
     "  hint: a host list is written like node[01-16,20],login1"},
    {"ReversedRange", "NodeName=x[4-1]",
     "3:10: error: 'x[4-1]': the range '4-1' runs backwards\n"
     "  hint: a host list is written like node[01-16,20],login1"},
    {"HostBomb", "NodeName=x[0-999999999999]",
     "3:10: error: 'x[0-999999999999]': the range '0-999999999999' has 1000000000000 hosts; at "
     "most "
     "65536 are allowed in one range\n  hint: a host list is written like node[01-16,20],login1"},
    {"NodeTwice", "NodeName=n2",
     "4:1: error: node 'n2' is defined twice\n  hint: the first is at line 3"},
    {"RealMemoryUnit", "NodeName=x RealMemory=512G",
     "3:23: error: RealMemory: '512G' is not a valid number\n"
     "  hint: the unit is MB: write 524288 (or 512K: K is the only suffix here, x1024)"},
    {"NegativeWeight", "NodeName=x Weight=-1",
     "3:19: error: Weight: '-1' is not a valid number\n  hint: negative numbers are not accepted"},
    {"NodeKeyTypo", "NodeName=x CorePerSocket=4",
     "3:12: error: 'CorePerSocket' is not a key of a NodeName line\n"
     "  hint: did you mean 'CoresPerSocket'?"},
    {"TooLarge", "NodeName=x Sockets=8 CoresPerSocket=96",
     "3:10: error: NodeName: nodes of 768 cores are too large for the simulator\n"
     "  hint: it knows nodes of up to 512 cores"},
    {"AddressCount", "NodeName=x[1-3] NodeAddr=10.0.0.[1-2]",
     "3:26: error: NodeAddr: 2 names for 3 nodes\n  hint: give as many as the line has nodes, or "
     "one"},
    {"NodeState", "NodeName=x State=SLEEPING",
     "3:18: error: State: 'SLEEPING' is no state of a node\n"
     "  hint: UNKNOWN, CLOUD, FUTURE, DOWN, DRAIN or FAIL"},
    {"GresOnPartition", "PartitionName=q Nodes=n1 Gres=gpu:8",
     "3:26: error: Gres is not a key of a PartitionName line\n"
     "  hint: GPUs belong to nodes: NodeName=... Gres=gpu:8, and GresTypes=gpu"},
    {"PartitionTwice", "PartitionName=p Nodes=n1",
     "5:1: error: partition 'p' is defined twice\n  hint: the first is at line 3"},
    {"UnknownNode", "PartitionName=q Nodes=n[1-4]",
     "3:23: error: no NodeName line defines n[3-4]\n"
     "  hint: add a NodeName line, or correct Nodes="},
    {"PartitionHostlist", "PartitionName=q Nodes=n[1-2]-ib",
     "3:23: error: 'n[1-2]-ib': nothing may follow the last ']', but '-ib' does\n"
     "  hint: a host list is written like node[01-16,20],login1"},
    {"BadBool", "PartitionName=q Nodes=n1 LLN=maybe",
     "3:30: error: LLN: 'maybe' is neither yes nor no\n  hint: write YES or NO"},
    {"MaxMemUnit", "PartitionName=q Nodes=n1 MaxMemPerNode=1T",
     "3:40: error: MaxMemPerNode: '1T' is not a valid number\n"
     "  hint: the unit is MB: write 1048576 (or 1024K: K is the only suffix here, x1024)"},
    {"PartitionTime", "PartitionName=q Nodes=n1 MaxTime=1d",
     "3:34: error: MaxTime: '1d' is not a time\n"
     "  hint: write minutes, MIN:SEC, HOURS:MIN:SEC, DAYS-HOURS[:MIN[:SEC]] or UNLIMITED"},
    {"PartitionState", "PartitionName=q Nodes=n1 State=IDLE",
     "3:32: error: State: 'IDLE' is no state of a partition\n  hint: UP, DOWN, DRAIN or INACTIVE"},
    {"Sharing", "PartitionName=q Nodes=n1 OverSubscribe=FORCE:two",
     "3:40: error: OverSubscribe: 'FORCE:two' is not a way to share\n"
     "  hint: NO, EXCLUSIVE, YES[:N] or FORCE[:N]"},
    {"PartitionSelect", "PartitionName=q Nodes=n1 SelectTypeParameters=CR_CPU",
     "3:47: error: SelectTypeParameters: 'CR_CPU' is not for partitions\n"
     "  hint: CR_Core, CR_Core_Memory, CR_Socket or CR_Socket_Memory"},
    {"BillingWeight", "PartitionName=q Nodes=n1 TRESBillingWeights=cpu=one",
     "3:45: error: 'one' is not a weight\n"
     "  hint: write a number, with K, M, G, T or P for a weight per that unit"},
    {"BillingUnit", "PartitionName=q Nodes=n1 TRESBillingWeights=mem=1K",
     "3:45: error: 'mem=1K': mem counts MB, which K is smaller than\n"
     "  hint: write the weight per M, G, T or P"},
    {"NodeSetName", "NodeSet=n1 Nodes=n2", "3:9: error: node set 'n1' has the name of a node"},
    {"DownNodes", "DownNodes=n7 State=DOWN", "3:11: error: DownNodes: no node is named 'n7'"},
};

const auto name_of_case = [](const auto& each) { return each.param.name; };
INSTANTIATE_TEST_SUITE_P(Lexis, BrokenLine, testing::ValuesIn(kLexis), name_of_case);
INSTANTIATE_TEST_SUITE_P(Values, BrokenLine, testing::ValuesIn(kValues), name_of_case);
INSTANTIATE_TEST_SUITE_P(Records, BrokenLine, testing::ValuesIn(kRecords), name_of_case);

TEST(BrokenFile, EmptyHasNeitherNodesNorPartitions) {
  const Read read = read_text("");
  EXPECT_EQ(read.errors,
            (std::vector<std::string>{
                "slurm.conf: error: no NodeName line: a cluster needs nodes",
                "slurm.conf: error: no PartitionName line: slurmctld stops without partitions"}));
  EXPECT_EQ(read.others.size(), 2U);  // notes: no ClusterName, no SlurmctldHost
}

TEST(BrokenFile, AllErrorsAreToldAtOnce) {
  EXPECT_EQ(read_amid("MaxJobCount=x\nFoo=1\nKillWait=y").errors.size(), 3U);
}

TEST(OlderFile, KeysOfOlderReleasesThatDecideNothingArePassedOver) {
  const Read read = read_amid(
      "CacheGroups=0\nDefaultStoragePort=7\nAccountingStoreJobComment=YES\nFastSchedule=2\n"
      "SchedulerParameters=bf_continue,\nKillWait=31");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(read.conf.kill_wait, Seconds{31});
  ASSERT_EQ(read.others.size(), 4U);  // no word about the comma too many
  EXPECT_EQ(read.others[0],
            "slurm.conf:3:1: warning: CacheGroups was removed before 22.05, whose slurmctld stops "
            "at it; it decides nothing here, and is passed over\n"
            "  hint: remove it; GroupUpdateTime= took its place");
  EXPECT_EQ(read.others[2],
            "slurm.conf:5:1: warning: AccountingStoreJobComment was removed before 22.05, whose "
            "slurmctld stops at it; it decides nothing here, and is passed over\n"
            "  hint: write AccountingStoreFlags=job_comment");
  EXPECT_EQ(read.others[3],
            "slurm.conf:6:14: warning: FastSchedule: '2' stops slurmctld: the key was removed in "
            "20.02; nodes are taken as slurm.conf has them\n"
            "  hint: remove the line; SlurmdParameters=config_overrides is what 2 did");
}

TEST(OlderFile, AWordThatWasRenamedIsTakenForItsNewName) {
  const Read read = read_amid("SchedulerParameters=max_job_bf=57");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(read.conf.scheduler_parameters.bf_max_job_test, 57U);
  ASSERT_EQ(read.others.size(), 1U);
  EXPECT_EQ(read.others[0],
            "slurm.conf:3:21: warning: SchedulerParameters: max_job_bf was renamed before 22.05, "
            "whose slurmctld stops at it; it is taken for its new name\n"
            "  hint: write bf_max_job_test=");
}

TEST(OlderFile, AccountingOfOlderReleasesIsTakenForTodaysNext) {
  const Read text = read_amid("AccountingStorageType=accounting_storage/filetxt");
  EXPECT_TRUE(text.errors.empty() && !text.conf.has_accounting);
  const Read database = read_amid("AccountingStorageType=accounting_storage/mysql");
  EXPECT_TRUE(database.errors.empty() && database.conf.has_accounting);
  ASSERT_EQ(database.others.size(), 1U);
  EXPECT_EQ(database.others[0],
            "slurm.conf:3:23: warning: AccountingStorageType: 'accounting_storage/mysql' was "
            "removed before 22.05, whose slurmctld stops at it; it is taken for "
            "accounting_storage/slurmdbd\n  hint: write accounting_storage/slurmdbd");
}

TEST(BrokenFile, NulBytesAreToldWithTheirPlace) {
  const Read read =
      read_amid(std::string("KillWait=3\0"
                            "0",
                            12));
  ASSERT_FALSE(read.errors.empty());
  EXPECT_EQ(read.errors.front(),
            "slurm.conf:3:11: error: a NUL byte: this is not a text file\n"
            "  hint: save it as plain text (UTF-8)");
}

TEST(BrokenFile, Utf16IsNamed) {
  EXPECT_EQ(
      read_text(std::string("\xFF\xFEN\0o\0", 6)).errors.front(),
      "slurm.conf:1:1: error: the file is UTF-16 text\n  hint: save it as plain text (UTF-8)");
}

TEST(BrokenFile, AByteOrderMarkIsToldAndSkipped) {
  const Read read = read_text("\xEF\xBB\xBF" + std::string(kHead) + "Foo=1\n" + std::string(kTail));
  EXPECT_EQ(read.conf.cluster_name, "c");
  ASSERT_EQ(read.others.size(), 1U);
  EXPECT_EQ(
      read.others[0],
      "slurm.conf:1:1: warning: the file begins with a UTF-8 byte order mark, which slurmctld "
      "reads as text\n  hint: save it without byte order mark");
  EXPECT_EQ(read.errors.size(), 1U);
}

TEST(BrokenFile, CarriageReturnsAreBlanks) {
  const Read read = read_text(
      "ClusterName=c\r\nSlurmctldHost=h\r\nNodeName=n1 CPUs=2\r\n"
      "PartitionName=p Nodes=n1 Default=YES\r\n");
  EXPECT_TRUE(read.errors.empty() && read.others.empty());
  EXPECT_EQ(read.conf.partitions.at(0).nodes, std::vector<std::string>{"n1"});
}

TEST(BrokenFile, BytesThatAreNoTextAreToldOnce) {
  const Read read = read_amid("Epilog=/\xE9\xE9\nProlog=/\xE9");
  ASSERT_EQ(read.others.size(), 1U);
  EXPECT_EQ(read.others[0],
            "slurm.conf:3:9: warning: byte 0xE9 is not UTF-8 text\n"
            "  hint: Slurm takes the bytes as they are; save the file as UTF-8");
}

TEST(BrokenFile, ALineOfTenMegabytesGivesAShortMessage) {
  const std::string huge(10'000'000, 'x');
  for (const std::string& lines :
       {"NodeName=" + huge, "Foo" + huge + "=1", huge, "KillWait=" + huge,
        "Licenses=" + huge + ":z", "SchedulerParameters=" + huge, "PartitionName=q Nodes=" + huge,
        "NodeName=z[" + huge}) {
    const Read read = read_amid(lines);
    ASSERT_FALSE(read.errors.empty() && read.others.empty());
    for (const std::string& text : read.errors) EXPECT_LT(text.size(), 400U);
    for (const std::string& text : read.others) EXPECT_LT(text.size(), 400U);
  }
}

TEST(BrokenChange, IsToldWithTheChangeAsItsFile) {
  const auto errors = [](const std::string& set) { return read_amid("", {set}).errors; };
  EXPECT_EQ(errors("KillWait=x").at(0),
            "--set KillWait=x: error: KillWait: 'x' is not a valid number\n"
            "  hint: write a whole number");
  EXPECT_EQ(errors("KilWait=3").at(0),
            "--set KilWait=3: error: 'KilWait' is not a key of slurm.conf\n"
            "  hint: did you mean 'KillWait'?");
  EXPECT_EQ(errors("KillWait").at(0),
            "--set KillWait: error: not a change of the form KEY=VALUE\n"
            "  hint: write for example --set PriorityWeightFairshare=20000");
  EXPECT_EQ(errors("PartitionName=q:MaxTime=5").at(0),
            "--set PartitionName=q:MaxTime=5: error: no partition is named 'q'\n"
            "  hint: see PartitionName in slurm.conf");
  EXPECT_EQ(errors("NodeName=n9:Weight=5").at(0),
            "--set NodeName=n9:Weight=5: error: no node is named 'n9'\n"
            "  hint: see NodeName in slurm.conf");
  EXPECT_EQ(errors("PartitionName=p:Gres=gpu:4").at(0),
            "--set PartitionName=p:Gres=gpu:4: error: Gres is not a key of a PartitionName line\n"
            "  hint: GPUs belong to nodes: NodeName=... Gres=gpu:8, and GresTypes=gpu");
}

}  // namespace
}  // namespace rehearse::test
