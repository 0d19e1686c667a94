// tests/unit/config/accounting_test.cpp — recorded accounting reads as what the site had.
#include "sim/config/accounting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/config/findings.hpp"

namespace rehearse::test {
namespace {

/// Everything that was found in a dump: an exact text, in order.
std::string dump_findings(const std::string& lines) {
  Diagnostics found;
  (void)parse_sacctmgr_dump("Cluster - 'c'\n" + lines, "d", found);
  return all_text(found);
}

AccountingConf dump_of(const std::string& lines) {
  Diagnostics found;
  AccountingConf conf = parse_sacctmgr_dump("Cluster - 'c'\n" + lines, "d", found);
  EXPECT_EQ(all_text(found), "");
  return conf;
}

TEST(RecordedAccounting, ReadsWithoutAnyFinding) {
  for (const char* name : {"arrays_deps", "fairtree", "multifactor", "preempt_qos", "qos"}) {
    Diagnostics found;
    const AccountingConf conf = read_accounting(recorded(name), found);
    EXPECT_EQ(all_text(found), "") << name;
    EXPECT_EQ(conf.cluster, "oracle");
    EXPECT_EQ(conf.sources.size(), 3U);
    EXPECT_EQ(conf.associations.front().account, "root");
    EXPECT_TRUE(conf.associations.front().parent.empty());
  }
}

TEST(RecordedAccounting, QosLimitsAreThoseOfTheRecordedTable) {
  Diagnostics found;
  const AccountingConf conf = read_accounting(recorded("qos"), found);
  ASSERT_EQ(conf.qos.size(), 4U);
  EXPECT_EQ(conf.qos[0].name, "normal");
  EXPECT_EQ(conf.qos[1].name, "urgent");
  EXPECT_EQ(conf.qos[1].priority, 1000U);
  EXPECT_EQ(conf.qos[1].limits.max_wall_per_job, Minutes{60});
  EXPECT_EQ(text_of(conf.qos[1].max_tres_per_user), "gres/gpu=8");
  EXPECT_EQ(text_of(conf.qos[2].max_tres_per_user), "gres/gpu=16");
  EXPECT_EQ(conf.qos[2].max_jobs_per_user, 6U);
  EXPECT_EQ(text_of(conf.qos[3].limits.grp_tres), "gres/gpu=12");
  EXPECT_EQ(text_of(conf.qos[3].limits.max_tres_per_job), "gres/gpu=4");
  EXPECT_EQ(conf.qos[3].max_submit_jobs_per_user, 12U);
  EXPECT_EQ(find(conf, "ds").max_jobs, 5U);
  EXPECT_EQ(text_of(find(conf, "ml").limits.grp_tres), "gres/gpu=20");
  EXPECT_EQ(find(conf, "ml", "alice").default_qos, "standard");
  EXPECT_EQ(find(conf, "ml", "alice").qos,
            (std::vector<std::string>{"research", "standard", "urgent"}));
  // The dump has own values only: ds passes its MaxJobs on, carol has none of her own.
  EXPECT_EQ(find(conf, "ds", "carol").max_jobs, std::nullopt);
}

TEST(RecordedAccounting, PreemptionOfQosIsReadByName) {
  Diagnostics found;
  const AccountingConf conf = read_accounting(recorded("preempt_qos"), found);
  const auto at = [&](const std::string& name) {
    return *std::find_if(conf.qos.begin(), conf.qos.end(),
                         [&](const QosConf& qos) { return qos.name == name; });
  };
  EXPECT_EQ(at("standard").preempt_mode, "cancel");
  EXPECT_EQ(at("urgent").preempt, (std::vector<std::string>{"research", "standard"}));
  EXPECT_EQ(at("urgent").preempt_mode, "cluster");
}

TEST(RecordedAccounting, FairTreeHasItsTwoLevels) {
  Diagnostics found;
  const AccountingConf conf = read_accounting(recorded("fairtree"), found);
  EXPECT_EQ(find(conf, "eng").parent, "root");
  EXPECT_EQ(find(conf, "ml").parent, "eng");
  EXPECT_EQ(find(conf, "phys").parent, "sci");
  EXPECT_EQ(find(conf, "phys", "carol").parent, "phys");
  EXPECT_EQ(find(conf, "phys", "carol").fairshare, 2U);
  EXPECT_TRUE(find(conf, "phys", "carol").is_default_account);
  for (std::size_t i = 1; i < conf.associations.size(); ++i) {  // parents before children
    const auto parent = std::find_if(
        conf.associations.begin(), conf.associations.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const AssociationConf& a) {
          return a.user.empty() && a.account == conf.associations[i].parent;
        });
    EXPECT_NE(parent, conf.associations.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

TEST(RecordedAccounting, UsageIsReadWithItsIndentation) {
  Diagnostics found;
  const std::vector<UsageRow> rows = read_usage(recorded("fairtree") / "usage.txt", found);
  EXPECT_EQ(all_text(found), "");
  ASSERT_GT(rows.size(), 3U);
  EXPECT_EQ(rows[0].account, "root");
  EXPECT_DOUBLE_EQ(rows[0].raw_usage, 1119223);
  EXPECT_EQ(rows[1].user, "root");
  EXPECT_EQ(rows[3].account, "ml");
  EXPECT_DOUBLE_EQ(rows[3].raw_usage, 636240);
}

TEST(Accounting, WithoutAnyFileIsRootAndNormal) {
  Diagnostics found;
  const AccountingConf conf = read_accounting(recorded("nothing here"), found);
  EXPECT_EQ(all_text(found), "");
  ASSERT_EQ(conf.associations.size(), 1U);
  EXPECT_EQ(conf.associations[0].qos, std::vector<std::string>{"normal"});
  ASSERT_EQ(conf.qos.size(), 1U);
}

// ---- the dump -----------------------------------------------------------------------------------

TEST(Dump, ExampleOfTheManualReads) {  // limits.md §11.2
  const AccountingConf conf = dump_of(
      "Parent - 'root'\n"
      "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n"
      "Account - 'chem':Description='chemistry dept':Organization='science':DefaultQOS='normal':"
      "Fairshare=20:GrpTRESMins=cpu=100000:GrpTRES=cpu=256,gres/gpu=8,mem=1000G:MaxJobs=50:"
      "MaxWallDurationPerJob=2880:QOS='high,normal'\n"
      "Parent - 'chem'\n"
      "User - 'emil':DefaultAccount='chem':Fairshare=5:MaxTRESPerJob=cpu=64,node=4\n"
      "User - 'dora':DefaultAccount='chem':Fairshare=2147483647\n");
  const AssociationConf& chem = find(conf, "chem");
  EXPECT_EQ(chem.fairshare, 20U);
  EXPECT_EQ(text_of(chem.limits.grp_tres), "cpu=256,gres/gpu=8,mem=1024000");
  EXPECT_EQ(text_of(chem.limits.grp_tres_mins), "cpu=100000");
  EXPECT_EQ(chem.limits.max_wall_per_job, Minutes{2880});
  EXPECT_EQ(chem.qos, (std::vector<std::string>{"high", "normal"}));
  EXPECT_EQ(text_of(find(conf, "chem", "emil").limits.max_tres_per_job), "cpu=64,node=4");
  EXPECT_EQ(find(conf, "chem", "dora").fairshare, std::nullopt);
  EXPECT_TRUE(find(conf, "root", "root").is_operator);
  EXPECT_FALSE(find(conf, "chem", "dora").is_operator);
}

TEST(Dump, KeysMayBeCutToTheirShortestForm) {
  const AccountingConf conf = dump_of(
      "Account - x:f=7:Des=d:O=o:GrpJ=1:GrpJobsA=2:GrpS=3:GrpW=4:MaxJ=5:MaxW=6:GrpTRESR=cpu=8:"
      "MaxTRESM=cpu=9:MaxTRESPerN=cpu=10:MaxTRES=cpu=11:Pr=12:Q=a:DefaultQ=a:MinP=13\n");
  const AssociationConf& x = find(conf, "x");
  EXPECT_EQ(x.fairshare, 7U);
  EXPECT_EQ(x.limits.grp_jobs, 1U);
  EXPECT_EQ(x.limits.grp_jobs_accrue, 2U);
  EXPECT_EQ(x.limits.grp_submit_jobs, 3U);
  EXPECT_EQ(x.limits.grp_wall, Minutes{4});
  EXPECT_EQ(x.max_jobs, 5U);
  EXPECT_EQ(x.limits.max_wall_per_job, Minutes{6});
  EXPECT_EQ(text_of(x.limits.grp_tres_run_mins), "cpu=8");
  EXPECT_EQ(text_of(x.limits.max_tres_mins_per_job), "cpu=9");
  EXPECT_EQ(text_of(x.limits.max_tres_per_node), "cpu=10");
  EXPECT_EQ(text_of(x.limits.max_tres_per_job), "cpu=11");
  EXPECT_EQ(x.priority, 12U);
  EXPECT_EQ(x.default_qos, "a");
  EXPECT_EQ(x.limits.min_prio_threshold, 13U);
}

TEST(Dump, CommentsContinuationAndEscapes) {
  const AccountingConf conf = dump_of(
      "# Account - 'no':Fairshare=9\n"
      "\n"
      "Account - 'a\\#b':Fairshare=3 # a remark\n"
      "Account - 'long':\\\n"
      "Fairshare=4\n");
  EXPECT_EQ(find(conf, "a#b").fairshare, 3U);
  EXPECT_EQ(find(conf, "long").fairshare, 4U);
  EXPECT_EQ(conf.associations.size(), 3U);
}

TEST(Dump, NamesAreLowerCasedButUsersKeepTheirs) {
  const AccountingConf conf =
      dump_of("PROJECT - 'ML':QOS='High'\nparent - \"Ml\"\nuser - 'Ann':P=GPU\n");
  EXPECT_EQ(find(conf, "ml").qos, std::vector<std::string>{"high"});
  EXPECT_EQ(find(conf, "ml", "Ann").partition, "gpu");
}

TEST(Dump, OldSingleFormsBecomeTres) {
  const AccountingConf conf = dump_of(
      "Account - x:GrpCPUs=4:GrpNodes=2:GrpMemory=100:GrpCPUMins=5:MaxCPUsPerJob=6:"
      "MaxNodesPerJob=7:MaxCPUMinsPerJob=8:GrpCPURunMins=9\n");
  const AssociationConf& x = find(conf, "x");
  EXPECT_EQ(text_of(x.limits.grp_tres), "cpu=4,node=2,mem=100");
  EXPECT_EQ(text_of(x.limits.grp_tres_mins), "cpu=5");
  EXPECT_EQ(text_of(x.limits.max_tres_per_job), "cpu=6,node=7");
  EXPECT_EQ(text_of(x.limits.max_tres_mins_per_job), "cpu=8");
  EXPECT_EQ(text_of(x.limits.grp_tres_run_mins), "cpu=9");
}

TEST(Dump, MinusOneAndEmptyMeanNotSet) {
  const AccountingConf conf = dump_of(
      "Account - x:MaxJobs=-1:GrpTRES=cpu=-1,node=3:GrpWall=-1:MaxSubmitJobs=:Fairshare=-1\n");
  const AssociationConf& x = find(conf, "x");
  EXPECT_EQ(x.max_jobs, std::nullopt);
  EXPECT_EQ(text_of(x.limits.grp_tres), "node=3");
  EXPECT_EQ(x.limits.grp_wall, std::nullopt);
  EXPECT_EQ(x.max_submit_jobs, std::nullopt);
  EXPECT_EQ(x.fairshare, 1U);
}

TEST(Dump, ZeroIsARealLimit) {
  EXPECT_EQ(find(dump_of("Account - x:MaxJobs=0\n"), "x").max_jobs, 0U);
}

TEST(Dump, QosEditsAreKeptAsEdits) {
  const AccountingConf conf = dump_of("Account - x:QOS='+high,-normal'\n");
  EXPECT_TRUE(find(conf, "x").qos_is_edit);
  EXPECT_EQ(find(conf, "x").qos, (std::vector<std::string>{"+high", "-normal"}));
}

TEST(Dump, DefaultAccountIsTheFirstParentWhereNoneIsTold) {
  const AccountingConf conf = dump_of(
      "Account - a\nAccount - b\nParent - b\nUser - u\nUser - v:DefaultAccount=a\n"
      "Parent - a\nUser - u\nUser - v:DefaultAccount=a\n");
  EXPECT_TRUE(find(conf, "b", "u").is_default_account);
  EXPECT_FALSE(find(conf, "a", "u").is_default_account);
  EXPECT_TRUE(find(conf, "a", "v").is_default_account);
  EXPECT_FALSE(find(conf, "b", "v").is_default_account);
}

TEST(Dump, ALaterLineModifiesOnlyWhatItNames) {
  const AccountingConf conf = dump_of("Account - x:Fairshare=3:MaxJobs=4\nAccount - x:MaxJobs=5\n");
  EXPECT_EQ(find(conf, "x").fairshare, 3U);
  EXPECT_EQ(find(conf, "x").max_jobs, 5U);
}

TEST(Dump, UnquotedTypedGresIsReadAsTheSiteHadItAndToldOnce) {
  Diagnostics found;
  const AccountingConf conf = parse_sacctmgr_dump(
      "Cluster - 'c'\nAccount - 'a':GrpTRES=cpu=5,gres/gpu:a100=4:MaxJobs=2\n"
      "Account - 'b':GrpTRES=gres/gpu:h100=1,gres/gpu:a100=2\n",
      "d", found);
  EXPECT_EQ(text_of(find(conf, "a").limits.grp_tres), "cpu=5,gres/gpu:a100=4");
  EXPECT_EQ(find(conf, "a").max_jobs, 2U);
  EXPECT_EQ(text_of(find(conf, "b").limits.grp_tres), "gres/gpu:h100=1,gres/gpu:a100=2");
  EXPECT_EQ(all_text(found),
            "d:2:37: warning: an unquoted typed GRES is read as the site had it\n"
            "  hint: sacctmgr load splits the line at this colon; quote the value: "
            "GrpTRES='gres/gpu:a100=4'");
}

TEST(Dump, QuotedTypedGresNeedsNoWarning) {
  EXPECT_EQ(text_of(find(dump_of("Account - a:GrpTRES='gres/gpu:a100=4'\n"), "a").limits.grp_tres),
            "gres/gpu:a100=4");
}

TEST(Dump, AnApostropheInsideADescriptionLosesNothing) {
  Diagnostics found;
  const AccountingConf conf = parse_sacctmgr_dump(
      "Cluster - 'c'\nAccount - 'a':Description='O'Brien lab':Fairshare=7\n", "d", found);
  EXPECT_EQ(find(conf, "a").fairshare, 7U);
  EXPECT_FALSE(found.has_errors());
  EXPECT_EQ(found.all().size(), 1U);
}

struct Broken {
  const char* lines;
  const char* finding;
};
class BrokenDump : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenDump, IsToldExactly) {
  EXPECT_EQ(dump_findings(GetParam().lines), GetParam().finding);
}

INSTANTIATE_TEST_SUITE_P(
    Dump, BrokenDump,
    ::testing::Values(
        Broken{
            " Account - 'a'\n",
            "d:2:1: error: misformatted line: no 'Title - name' in column 1\n  hint: lines begin "
            "with Cluster, Parent, Account or User, a blank, a dash, a blank"},
        Broken{
            "Account -'a'\n",
            "d:2:1: error: misformatted line: no 'Title - name' in column 1\n  hint: lines begin "
            "with Cluster, Parent, Account or User, a blank, a dash, a blank"},
        Broken{"Acount - 'a'\n",
               "d:2:1: error: unknown title 'Acount'\n  hint: did you mean 'Account'?"},
        Broken{"Account - 'a':MaxJob=5:Fairshare=2\n", ""},
        Broken{"Account - 'a':MaxJobz=5\n",
               "d:2:15: error: MaxJobz: unknown key for Account\n  hint: did you mean "
               "'MaxJobs'?"},
        Broken{
            "Account - 'a':MaxJobs=five\n",
            "d:2:23: error: MaxJobs: 'five' is not a number\n  hint: write a whole number, or -1 "
            "for no limit"},
        Broken{"Account - 'a':Fairshare=-3\n",
               "d:2:25: error: FairShare: '-3' is not a number of shares\n  hint: write a whole "
               "number, or parent"},
        Broken{"Account - 'a':GrpWall=soon\n",
               "d:2:23: error: GrpWall: 'soon' is not a time\n  hint: write minutes or D-HH:MM:SS, "
               "or -1 for no limit"},
        Broken{"Account - 'a':GrpTRES=gpu=8\n",
               "d:2:23: error: no TRES known by type gpu\n  hint: gres/gpu=8"},
        Broken{"Account - 'a':GrpTRES=cpu=1,gpu=32\n",
               "d:2:29: error: no TRES known by type gpu\n  hint: gres/gpu=32"},
        Broken{"Account - 'a':GrpTRES=nodes=4\n",
               "d:2:23: error: no TRES known by type nodes\n  hint: did you mean 'node'?"},
        Broken{"Account - 'a':GrpTRES=cpu\n",
               "d:2:23: error: 'cpu' is not NAME=number\n  hint: write TRES as "
               "cpu=4,mem=16G,gres/gpu=2"},
        Broken{"Account - 'a':GrpTRES=cpu=x\n",
               "d:2:27: error: cpu: 'x' is not an amount\n  hint: write a whole number"},
        Broken{"Account - 'a':GrpTRES=cpu=1,CPU=2\n", "d:2:29: error: cpu is given twice"},
        Broken{
            "Account - 'a':GrpTRES=mem=1.50G\n",
            "d:2:27: warning: mem=1.50G is read as 1536 MB\n  hint: sacctmgr load would drop the "
            "fraction and the unit; write a whole number"},
        Broken{"Account - 'a':'b'\n",
               "d:2:15: error: a second name 'b' on the line\n  hint: fields are Key=value; quote "
               "values that hold a colon"},
        Broken{"Account - Fairshare=2\n",
               "d:2:1: error: Account has no name\n  hint: write Account - 'name':Key=value"},
        Broken{"Account - 'a\n", "d:2:11: error: the quote is never closed"},
        Broken{"Parent - 'b'\n",
               "d:2:10: error: Parent 'b' is not defined above\n  hint: its Account line must come "
               "first"},
        Broken{"Cluster - 'e'\n",
               "d:2:1: error: a second Cluster line\n  hint: a dump holds one cluster"},
        Broken{"Account - 'a'\nAccount - 'b'\nParent - 'a'\nAccount - 'b'\n",
               "d:5:11: error: account 'b' is already below 'root'"},
        Broken{"Account - 'a':QOS='x,+y'\n",
               "d:2:20: error: QOS: 'x,+y' mixes names and +/- edits\n  hint: write either a,b or "
               "+a,-b"},
        Broken{"User - 'u':DefaultAccount='a'\n",
               "d:2:1: warning: user 'u' has no association with its DefaultAccount 'a'\n  hint: "
               "jobs of this user need --account"},
        Broken{"User - 'u':Coordinator='x':Description='d'\n",
               "d:2:28: error: Description: unknown key for User"}));

TEST(BrokenDump, WithoutClusterLineIsToldOnce) {
  Diagnostics found;
  (void)parse_sacctmgr_dump("Account - 'a'\nAccount - 'b'\n", "d", found);
  EXPECT_EQ(all_text(found),
            "d:1:1: error: the first line must be the Cluster line\n  hint: is this what `sacctmgr "
            "dump CLUSTER file=assoc.dump` wrote?");
}

}  // namespace
}  // namespace rehearse::test
