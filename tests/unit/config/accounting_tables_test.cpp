// tests/unit/config/accounting_tables_test.cpp — show assoc, show qos and sshare, as people export
// them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/accounting.hpp"
#include "sim/config/parsable_table.hpp"
#include "tests/unit/config/findings.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

AccountingConf table_of(const std::string& text, const std::string& findings = "") {
  Diagnostics found;
  AccountingConf conf = parse_assoc_table(text, "t", found);
  std::string told = all_text(found);
  const std::size_t long_hint = told.find(" sacctmgr -P show assoc tree format=");
  if (long_hint != std::string::npos) told.resize(long_hint);  // the command is one long line
  EXPECT_EQ(told, findings);
  return conf;
}

std::vector<QosConf> qos_of(const std::string& text, const std::string& findings = "") {
  Diagnostics found;
  std::vector<QosConf> qos = parse_qos_table(text, "q", found);
  EXPECT_EQ(all_text(found), findings);
  return qos;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(AssocTable, ColumnsStandInAnyOrder) {
  const AccountingConf conf = table_of(
      "User|Share|Account|ParentName|MaxWall|GrpTRES|Def QOS|QOS|MinPrioThres\n"
      "|1|root||||||\n"
      "|20|chem|root|2-00:00:00|gres/gpu:a100=4,mem=1000G|normal|high,normal|77\n"
      "emil|parent|chem||||||\n");
  EXPECT_EQ(find(conf, "chem").parent, "root");
  EXPECT_EQ(find(conf, "chem").limits.max_wall_per_job, Minutes{2880});
  EXPECT_EQ(text_of(find(conf, "chem").limits.grp_tres), "gres/gpu:a100=4,mem=1024000");
  EXPECT_EQ(find(conf, "chem").limits.min_prio_threshold, 77U);
  EXPECT_EQ(find(conf, "chem", "emil").fairshare, std::nullopt);
  EXPECT_EQ(find(conf, "chem", "emil").parent, "chem");
}

TEST(AssocTable, IndentationOfTreeGivesTheParents) {
  const AccountingConf conf =
      table_of("Account|User|Share\nroot||1\n a||1\n  b||1\n   b|u|1\n  c||1\n d||1\n");
  EXPECT_EQ(find(conf, "a").parent, "root");
  EXPECT_EQ(find(conf, "b").parent, "a");
  EXPECT_EQ(find(conf, "c").parent, "a");
  EXPECT_EQ(find(conf, "d").parent, "root");
  EXPECT_EQ(find(conf, "b", "u").parent, "b");
}

TEST(AssocTable, NestedIntervalsGiveTheParents) {
  const AccountingConf conf =
      table_of("Account|User|LFT|RGT\nroot||1|20\na||2|9\nb||3|4\nc||10|11\nb|u|0|0\n");
  EXPECT_EQ(find(conf, "a").parent, "root");
  EXPECT_EQ(find(conf, "b").parent, "a");
  EXPECT_EQ(find(conf, "c").parent, "root");
}

TEST(AssocTable, IdsGiveTheParents) {
  const AccountingConf conf = table_of("Account|User|ID|ParentID\nroot||1|0\nz||3|1\nb||4|3\n");
  EXPECT_EQ(find(conf, "b").parent, "z");
  EXPECT_EQ(find(conf, "z").parent, "root");
}

TEST(AssocTable, ChildrenMayStandBeforeTheirParents) {
  const AccountingConf conf = table_of("Account|User|ParentName\nb||a\na||root\nroot||\n");
  ASSERT_EQ(conf.associations.size(), 3U);
  EXPECT_EQ(conf.associations[0].account, "root");
  EXPECT_EQ(conf.associations[1].account, "a");
  EXPECT_EQ(conf.associations[2].account, "b");
}

TEST(AssocTable, RisingNamesWithoutParentsAreTakenAsFlatAndSaySo) {
  const AccountingConf conf =
      table_of("Account|User\nroot|\na|\na|u\nb|\n",
               "t: warning: no ParentName column: every account is taken to be below root\n"
               "  hint: if accounts are nested, run:");
  EXPECT_EQ(find(conf, "b").parent, "root");
}

TEST(AssocTable, FallingNamesProveATreeThatCannotBeKnown) {
  Diagnostics found;
  (void)parse_assoc_table(content(recorded("fairtree") / "assoc.txt"), "t", found);
  ASSERT_EQ(found.error_count(), 1U);
  EXPECT_EQ(found.all()[0].what,
            "account 'bio' after 'sci' shows that accounts are nested, but not how");
}

TEST(AssocTable, TrailingDelimitersOfParsableAreFine) {
  EXPECT_EQ(find(table_of("Account|User|ParentName|\nroot||| \na||root|\n"), "a").parent, "root");
}

TEST(AssocTable, FirstOfSeveralAccountsIsTheDefaultAndSaysSo) {
  const AccountingConf conf = table_of(
      "Account|User|ParentName\nroot||\na||root\na|u|\nb||root\nb|u|\n",
      "t: warning: 1 user(s) have several accounts and no default here; the first one listed is "
      "taken\n  hint: `sacctmgr dump` has the default accounts");
  EXPECT_TRUE(find(conf, "a", "u").is_default_account);
  EXPECT_FALSE(find(conf, "b", "u").is_default_account);
}

TEST(ParsableTables, DelimitersWithinAFreeTextAreGivenBackToIt) {
  Diagnostics found;
  const std::string text = "NodeName|Reason|User\nn1|gpu, xid|79 | again|root\nn2||root\nn3|x\n";
  const auto table = read_parsable_table(text, "t", "sacctmgr -P show event", found);
  ASSERT_TRUE(table && table->rows.size() == 2);
  EXPECT_EQ(table->rows[0].cells[1].text, "gpu, xid|79 | again");
  EXPECT_EQ(table->rows[0].cells[2].text, "root");
  EXPECT_EQ(table->rows[1].cells[1].text, "");
  EXPECT_EQ(all_text(found),
            "t:4:1: error: 2 fields, the header has 3\n  hint: run again: sacctmgr -P show event");
}

TEST(ParsableTables, DelimitersThatMayBelongToEitherOfTwoTextsAreTold) {
  Diagnostics found;
  const std::string text = "Name|Reason|Comment\nn1|a|b|c\n";
  const auto table = read_parsable_table(text, "t", "x", found);
  EXPECT_TRUE(table && table->rows.empty());
  EXPECT_EQ(
      all_text(found),
      "t:2:1: error: 4 fields, the header has 3\n  hint: a value may hold a |: take it out there, "
      "or run again: x");
}

TEST(QosTable, ExampleOfTheManualReads) {  // limits.md §11.4
  const std::vector<QosConf> qos = qos_of(
      "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|Flags|UsageThres|UsageFactor|"
      "GrpTRES|GrpTRESMins|GrpTRESRunMins|GrpJobs|GrpSubmit|GrpWall|MaxTRES|MaxTRESPerNode|"
      "MaxTRESMins|MaxWall|MaxTRESPU|MaxJobsPU|MaxSubmitPU|MaxTRESPA|MaxJobsPA|MaxSubmitPA|"
      "MinTRES\n"
      "normal|0|00:00:00|||cluster|||1.000000|||||||||||||||||\n"
      "high|100|00:02:00|normal|00:10:00|requeue|DenyOnLimit,OverPartQOS||2.000000|cpu=128|||||||||"
      "12:00:00|gres/gpu=4|10|100||||\n");
  ASSERT_EQ(qos.size(), 2U);
  const QosConf& high = qos[1];
  EXPECT_EQ(high.priority, 100U);
  EXPECT_EQ(high.grace_time, Seconds{120});
  EXPECT_EQ(high.preempt, std::vector<std::string>{"normal"});
  EXPECT_EQ(high.preempt_exempt_time, Seconds{600});
  EXPECT_EQ(high.preempt_mode, "requeue");
  EXPECT_TRUE(high.flags.deny_on_limit);
  EXPECT_TRUE(high.flags.over_part_qos);
  EXPECT_FALSE(high.flags.no_decay);
  EXPECT_DOUBLE_EQ(high.usage_factor, 2.0);
  EXPECT_EQ(text_of(high.limits.grp_tres), "cpu=128");
  EXPECT_EQ(high.limits.max_wall_per_job, Minutes{720});
  EXPECT_EQ(text_of(high.max_tres_per_user), "gres/gpu=4");
  EXPECT_EQ(high.max_jobs_per_user, 10U);
  EXPECT_EQ(high.max_submit_jobs_per_user, 100U);
  EXPECT_EQ(qos[0].preempt_exempt_time, std::nullopt);
}

TEST(QosTable, NamesOldAndNewMeanTheSame) {
  const QosConf a = qos_of("Name|MaxTRESPU|MaxJobsPU|MaxWall|MinTRES\nnormal|cpu=1|2|3|cpu=4\n")[0];
  const QosConf b = qos_of(
      "Name|MaxTRESPerUser|MaxJobsPerUser|MaxWallDurationPerJob|MinTRESPerJob\nnormal|cpu=1|2|3|"
      "cpu=4\n")[0];
  const QosConf c = qos_of("Name|MaxCPUsPU|MaxJobsPU|MaxWall|MinCPUs\nnormal|1|2|3|4\n")[0];
  for (const QosConf& one : {a, b, c}) {
    EXPECT_EQ(text_of(one.max_tres_per_user), "cpu=1");
    EXPECT_EQ(one.max_jobs_per_user, 2U);
    EXPECT_EQ(one.limits.max_wall_per_job, Minutes{3});
    EXPECT_EQ(text_of(one.min_tres_per_job), "cpu=4");
  }
}

TEST(QosTable, IdsGiveTheOrderAndNormalIsAlwaysThere) {
  const std::vector<QosConf> qos = qos_of("Name|ID\nz|4\ny|3\n");
  ASSERT_EQ(qos.size(), 3U);
  EXPECT_EQ(qos[0].name, "normal");
  EXPECT_EQ(qos[1].name, "y");
  EXPECT_EQ(qos[2].name, "z");
}

TEST(QosTable, NegativeFactorsAreNotSet) {
  const QosConf qos = qos_of("Name|UsageFactor|LimitFactor\nnormal|-1.000000|-1\n")[0];
  EXPECT_DOUBLE_EQ(qos.usage_factor, 1.0);
  EXPECT_EQ(qos.limit_factor, std::nullopt);
}

TEST(QosTable, EveryFlagIsKnown) {
  const QosFlags flags =
      qos_of(
          "Name|Flags\nnormal|DenyOnLimit,EnforceUsageThreshold,NoReserve,PartitionMaxNodes,"
          "PartitionMinNodes,OverPartQOS,PartitionTimeLimit,RequiresReservation,NoDecay,Relative,"
          "UsageFactorSafe\n")[0]
          .flags;
  EXPECT_TRUE(flags.deny_on_limit && flags.enforce_usage_threshold && flags.no_reserve &&
              flags.partition_max_nodes && flags.partition_min_nodes && flags.over_part_qos &&
              flags.partition_time_limit && flags.requires_reservation && flags.no_decay &&
              flags.relative && flags.usage_factor_safe);
}

struct Broken {
  const char* text;
  const char* finding;
};

class BrokenQosTable : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenQosTable, IsToldExactly) {
  (void)qos_of(GetParam().text, GetParam().finding);
}
INSTANTIATE_TEST_SUITE_P(
    Qos, BrokenQosTable,
    ::testing::Values(
        Broken{"", "q: error: is empty\n  hint: run: sacctmgr -P show qos > qos.txt"},
        Broken{"      Name   Priority \n---------- ---------- \n    normal          0 \n",
               "q:1:1: error: this is a fixed-width table, whose cells may be cut\n  hint: run: "
               "sacctmgr -P show qos > qos.txt"},
        Broken{"Priority|Flags\n1|\n",
               "q:1:1: error: no Name column\n  hint: run: sacctmgr -P show qos > qos.txt"},
        Broken{
            "Name|Priority\nnormal|0|1\n",
            "q:2:1: error: 3 fields, the header has 2\n  hint: a value may hold a |: take it out "
            "there, or run again: sacctmgr -P show qos > qos.txt"},
        Broken{"Name|Priorty\nnormal|0\n",
               "q:1:6: warning: column 'Priorty' is unknown and not read\n  hint: did you mean "
               "'Priority'?"},
        Broken{"Name|Flags\nnormal|DenyOnLimits\n",
               "q:2:8: error: Flags: unknown QOS flag 'denyonlimits'\n  hint: did you mean "
               "'DenyOnLimit'?"},
        Broken{"Name|PreemptMode\nnormal|requeu\n",
               "q:2:8: error: PreemptMode: unknown PreemptMode 'requeu'\n  hint: did you mean "
               "'requeue'?"},
        Broken{"Name|Preempt\nnormal|\nhigh|normall\n",
               "q:3:1: error: QOS 'high' preempts 'normall', which is not defined\n  hint: did you "
               "mean 'normal'?"},
        Broken{"Name|GrpTRES\nnormal|gpu=32\n",
               "q:2:8: error: no TRES known by type gpu\n  hint: gres/gpu=32"},
        Broken{"Name|UsageFactor\nnormal|much\n",
               "q:2:8: error: UsageFactor: 'much' is not a factor\n  hint: write a number such as "
               "1.5"},
        Broken{"Name\nnormal\nnormal\n", "q:3:1: error: QOS 'normal' is already on line 2"},
        Broken{"Name|Priority\n|1\n", "q:2:1: error: the row has no QOS name"}));

class BrokenAssocTable : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenAssocTable, IsToldExactly) {
  (void)table_of(GetParam().text, GetParam().finding);
}
INSTANTIATE_TEST_SUITE_P(
    Assoc, BrokenAssocTable,
    ::testing::Values(
        Broken{"Cluster|User\nc|u\n", "t:1:1: error: no Account column\n  hint: run:"},
        Broken{"Account|Share\nroot|1\n", "t:1:1: error: no User column\n  hint: run:"},
        Broken{"   Cluster    Account \n---------- ---------- \n         c       root \n",
               "t:1:1: error: this is a fixed-width table, whose cells may be cut\n  hint: run:"},
        Broken{"Cluster|Account|User\nc|root|\nd|root|\n",
               "t:3:1: error: a second cluster 'd' after 'c'\n  hint: sacctmgr -P show assoc "
               "cluster=NAME"},
        Broken{
            "Account|User|ParentName\nroot||\na||b\n",
            "t:3:1: error: account 'a' hangs below 'b', which is not in the table\n  hint: run it "
            "as an administrator, so that every association is shown"},
        Broken{
            "Account|User|ParentName\nroot||\na||root\nb|u|\n",
            "t:4:1: error: user 'u' is in account 'b', which is not in the table\n  hint: run it "
            "as an administrator, so that every association is shown"},
        Broken{"Account|User|MaxJobs|ParentName\nroot||many|\n",
               "t:2:7: error: MaxJobs: 'many' is not a number\n  hint: write a whole number, or -1 "
               "for no limit"}));

class BrokenUsage : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenUsage, IsToldExactly) {
  Diagnostics found;
  (void)parse_usage_table(GetParam().text, "u", found);
  EXPECT_EQ(all_text(found), GetParam().finding);
}
INSTANTIATE_TEST_SUITE_P(
    Usage, BrokenUsage,
    ::testing::Values(
        Broken{"Account|User|RawShares\nroot||1\n",
               "u:1:1: error: no RawUsage column\n  hint: run: sshare -a -l -m -P > usage.txt"},
        Broken{"Account|User|RawUsage\nroot||lots\n",
               "u:2:7: error: RawUsage: 'lots' is not a number"},
        Broken{"Account|User|RawUsage\n||5\n", "u:2:1: error: the row has no account"}));

TEST(JoinedFiles, AnUndefinedQosNamesTheFile) {
  const ScratchFolder folder;
  folder.write("assoc.dump", "Cluster - 'c':QOS='normal'\nAccount - 'a':QOS='hihg'\n");
  Diagnostics without;
  const AccountingConf made_up = read_accounting(folder.path(), without);
  EXPECT_FALSE(without.has_errors());
  ASSERT_EQ(without.all().size(), 1U);
  EXPECT_EQ(without.all()[0].what, "no qos.txt: these QOS have priority 0 and no limits: hihg");
  EXPECT_EQ(made_up.qos.back().name, "hihg");

  folder.write("qos.txt", "Name|Priority\nnormal|0\nhigh|5\n");
  Diagnostics with;
  (void)read_accounting(folder.path(), with);
  ASSERT_EQ(with.error_count(), 1U);
  EXPECT_EQ(with.all()[0].what, "QOS 'hihg' is not defined in qos.txt");
  EXPECT_EQ(with.all()[0].hint, "did you mean 'high'?");
}

// ---- TRES texts
// -----------------------------------------------------------------------------------

TEST(TresText, NamesAndUnitsFollowTheReference) {  // limits.md §11.1
  const std::pair<const char*, const char*> cases[] = {{"cpu=4", "cpu=4"},
                                                       {"CPU=4", "cpu=4"},
                                                       {"GRES/gpu=8", "gres/gpu=8"},
                                                       {"gre/gpu=8", "gres/gpu=8"},
                                                       {"1=3,2=1G", "cpu=3,mem=1024"},
                                                       {"mem=16", "mem=16"},
                                                       {"mem=2G", "mem=2048"},
                                                       {"mem=1T", "mem=1048576"},
                                                       {"mem=1500M", "mem=1500"},
                                                       {"cpu=1K", "cpu=1024"},
                                                       {"bb/x=1G", "bb/x=1024"},
                                                       {"cpu=-1,node=2", "node=2"},
                                                       {"license/matlab=3", "license/matlab=3"},
                                                       {"gres/gpu:a100=0", "gres/gpu:a100=0"}};
  for (const auto& [text, expected] : cases) {
    Diagnostics found;
    EXPECT_EQ(text_of(parse_tres_amounts(text, {}, found)), expected);
    EXPECT_EQ(all_text(found), "") << text;
  }
}

TEST(TresText, FractionsAreReadAsTheSiteMeantThem) {
  for (const auto& [text, expected] :
       {std::pair{"mem=1.50G", "mem=1536"}, std::pair{"mem=2.50G", "mem=2560"}}) {
    Diagnostics found;
    EXPECT_EQ(text_of(parse_tres_amounts(text, {}, found)), expected);
    EXPECT_EQ(found.all().size(), 1U);
    EXPECT_FALSE(found.has_errors());
  }
}

RC_GTEST_PROP(AccountingParsers, TakeAnyBytes, (const std::string& bytes)) {
  Diagnostics found;
  (void)parse_sacctmgr_dump(bytes, "x", found);
  (void)parse_sacctmgr_dump("Cluster - c\nUser - " + bytes, "x", found);
  (void)parse_assoc_table("Account|User|GrpTRES\n" + bytes, "x", found);
  (void)parse_qos_table("Name|Flags|GrpTRES\n" + bytes, "x", found);
  (void)parse_usage_table(bytes, "x", found);
  (void)parse_tres_amounts(bytes, {}, found);
}

RC_GTEST_PROP(AccountingParsers, TakeDumpsOfHalfRightWords, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "Cluster - 'c'", "Account - ", "User - ", "Parent - ", "'a'", "\"b", ":", "=", "GrpTRES=",
      "gres/gpu:a", "mem=1.5G", "QOS=", "+x,", "\\", "\n", "#", "Fairshare=parent", "'"));
  std::string text;
  for (const std::string& word : words) text += word;
  Diagnostics found;
  (void)parse_sacctmgr_dump(text, "x", found);
  for (const Diagnostic& one : found.all()) RC_ASSERT(!one.what.empty());
}

}  // namespace
}  // namespace rehearse::test
