// tests/unit/config/site_conf_test.cpp — a site opens whole, or says what it lacks.
#include "sim/config/site_conf.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "sim/config/csv_table.hpp"
#include "sim/config/site_keys.hpp"
#include "sim/config/text_scan.hpp"
#include "tests/unit/config/findings.hpp"
#include "tests/unit/config/reference_page.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

namespace fs = std::filesystem;

/// A site in a scratch folder. Findings name files below it as `@/…`.
class SiteTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { folder_.write(name, text); }
  std::string told() const {
    std::string text = all_text(found_);
    for (std::size_t at = text.find(root_.string()); at != text.npos;
         at = text.find(root_.string()))
      text.replace(at, root_.string().size(), "@");
    return text;
  }
  SiteFolder open(const std::string& name) { return open_site(root_ / name, found_); }

  ScratchFolder folder_;
  fs::path root_ = folder_.path();
  Diagnostics found_;
};

TEST_F(SiteTest, FindsEveryFileOfAFolder) {
  for (const char* name :
       {"slurm.conf", "gres.conf", "sacct.txt.xz", "usage.txt", "events.csv", "runtimes.csv"}) {
    write(std::string("s/") + name, "");
  }
  write("s/site.yaml",
        "slurm_version: 23.11\ntime_zone: Europe/Berlin\nseed: 7\nprice_gpu_hour: 1.25\n"
        "currency: EUR\ncontroller:\n  launch_latency: 250ms\nnode_hardware: {'n[1-4]': a100-80}\n"
        "notes: {origin: hand}\n");
  const SiteFolder site = open("s/");
  EXPECT_EQ(told(), "");
  EXPECT_EQ(site.jobs->filename(), "sacct.txt.xz");
  EXPECT_TRUE(site.usage && site.events && site.runtimes && site.site_yaml);
  EXPECT_EQ(site.conf.slurm_version, (SlurmVersion{23, 11}));
  EXPECT_EQ(site.conf.time_zone, "Europe/Berlin");
  EXPECT_EQ(site.conf.seed, 7U);
  EXPECT_EQ(site.conf.controller.launch_latency, Duration{250000});
  ASSERT_EQ(site.conf.gpu.node_hardware.size(), 1U);
  EXPECT_EQ(site.conf.gpu.node_hardware[0].name, "n[1-4]");
  EXPECT_EQ(site.conf.gpu.node_hardware[0].value, "a100-80");
  EXPECT_EQ(site.conf.gpu.node_hardware[0].where.line, 8U);
  EXPECT_DOUBLE_EQ(site.conf.price_gpu_hour, 1.25);
  EXPECT_EQ(site.sources.size(), 1U);
}

TEST_F(SiteTest, EveryFormOfTheJobListIsFound) {
  write("s/slurm.conf", "");
  for (const char* base : {"sacct.txt", "sacct.json", "jobs.swf"}) {
    for (const char* suffix : {"", ".gz", ".xz", ".zst", ".bz2"}) {
      const std::string name = std::string(base) + suffix;
      write("s/" + name, "");
      EXPECT_EQ(open("s").jobs->filename(), name);
      fs::remove(root_ / "s" / name);
    }
  }
  EXPECT_EQ(open("s").jobs, std::nullopt);
}

TEST_F(SiteTest, ASecondJobListIsToldNotRead) {
  write("s/slurm.conf", "");
  write("s/sacct.txt", "");
  write("s/jobs.swf.gz", "");
  EXPECT_EQ(open("s").jobs->filename(), "sacct.txt");
  EXPECT_EQ(told(),
            "@/s/jobs.swf.gz: warning: is not read: the jobs come from sacct.txt\n  hint: keep one "
            "of them, or choose with --jobs");
}

TEST_F(SiteTest, AMissingSlurmConfListsWhatIsThere) {
  write("s/sacct.txt", "");
  write("s/gres.conf", "");
  (void)open("s");
  EXPECT_EQ(told(),
            "@/s: error: no slurm.conf in this folder\n  hint: found: gres.conf, sacct.txt; a site "
            "needs the cluster's slurm.conf, unchanged");
}

TEST_F(SiteTest, AWrongNameIsMetWithTheNearest) {
  fs::create_directories(root_ / "mysite");
  (void)open("mysiet");
  EXPECT_EQ(told(), "@/mysiet: error: does not exist\n  hint: did you mean 'mysite'?");
}

TEST_F(SiteTest, AFileOfAnotherKindIsNamed) {
  write("s/slurm.conf", "ClusterName=x\n");
  write("s/sacct.txt", "JobID|JobName\n");
  write("out.h5", "\x89HDF\r\n\x1A\n....");
  (void)open("s/slurm.conf");
  (void)open("s/sacct.txt");
  (void)open("out.h5");
  EXPECT_EQ(
      told(),
      "@/s/slurm.conf: error: is a slurm.conf, not a site\n  hint: give the folder that it is "
      "in\n"
      "@/s/sacct.txt: error: is a list of jobs (sacct), not a site\n  hint: give the folder "
      "that it is in\n"
      "@/out.h5: error: is a result file (HDF5), not a site\n  hint: a site is a folder with "
      "a slurm.conf, or a scenario .yaml");
}

TEST_F(SiteTest, AScenarioChangesItsSite) {
  write("s/slurm.conf", "");
  write("s/site.yaml", "seed: 7\ntime_zone: Asia/Tokyo\n");
  write("scenarios/a.yaml", "site: ../s\nset: ['PriorityWeightAge=5']\nseed: 8\n");
  write("scenarios/b.yaml", "site: a.yaml\nset: ['PriorityWeightQOS=6']\n");
  const SiteFolder site = open("scenarios/b.yaml");
  EXPECT_EQ(told(), "");
  EXPECT_EQ(site.root, root_ / "s");
  EXPECT_EQ(site.conf.seed, 8U);
  EXPECT_EQ(site.conf.time_zone, "Asia/Tokyo");
  EXPECT_EQ(site.set, (std::vector<std::string>{"PriorityWeightAge=5", "PriorityWeightQOS=6"}));
  ASSERT_EQ(site.sources.size(), 3U);
  EXPECT_EQ(site.sources[2].first, "b.yaml");
}

TEST_F(SiteTest, BrokenScenariosAreToldExactly) {
  write("s/slurm.conf", "");
  write("none.yaml", "seed: 3\n");
  write("set.yaml", "site: s\nset: [PriorityWeightAge]\n");
  write("key.yaml", "site: s\nsets: [a=b]\n");
  write("circle.yaml", "site: circle.yaml\n");
  write("gone.yaml", "site: nowhere\n");
  for (const char* name : {"none", "set", "key", "circle", "gone"}) {
    (void)open(std::string(name) + ".yaml");
  }
  EXPECT_EQ(told(),
            "@/none.yaml:1:1: error: a scenario must name its site\n  hint: site: ../mysite\n"
            "@/set.yaml:2:6: error: set: 'PriorityWeightAge' is not KEY=VALUE\n  hint: as in --set "
            "PriorityWeightAge=1000 or PartitionName=gpu:MaxTime=1-0\n"
            "@/key.yaml:2:1: error: sets: unknown key\n  hint: did you mean 'set'?\n"
            "@/circle.yaml:1:7: error: scenarios name each other in a circle\n"
            "@/gone.yaml:1:7: note: the site is named here\n"
            "@/nowhere: error: does not exist\n  hint: a site is a folder with a slurm.conf, or a "
            "scenario .yaml");
}

TEST_F(SiteTest, BrokenSiteYamlIsToldExactly) {
  write("s/slurm.conf", "");
  write("s/site.yaml",
        "slurm_version: 21.08\ntime_zone: Mars;Base\ncontroller:\n  epilog: 5\n  phase: 2s\n"
        "price_gpu_hour: -1\ntimezone: UTC\n");
  (void)open("s");
  EXPECT_EQ(
      told(),
      "@/s/site.yaml:1:16: error: slurm_version: '21.08' is not an emulated release\n  hint: "
      "one of 22.05, 23.02, 23.11, 24.05, 24.11, 25.05\n"
      "@/s/site.yaml:2:12: error: time_zone: 'Mars;Base' is not the name of a time zone\n"
      "  hint: an IANA name such as Europe/Berlin or UTC\n"
      "@/s/site.yaml:4:11: error: controller.epilog: '5' is not a duration\n  hint: write the "
      "unit: 30s, 5min, 36h, 2d\n"
      "@/s/site.yaml:5:10: error: controller.phase: 2s is out of range\n  hint: it must be 0s "
      ".. 999999us\n"
      "@/s/site.yaml:6:17: error: price_gpu_hour: -1 is out of range\n  hint: it must be >= "
      "0\n"
      "@/s/site.yaml:7:1: error: timezone: unknown key\n  hint: did you mean 'time_zone'?");
}

TEST(SlurmVersionText, ReleasesAndTheirPatchesAreKnown) {
  EXPECT_EQ(parse_slurm_version("22.05"), (SlurmVersion{22, 5}));
  EXPECT_EQ(parse_slurm_version("22.05.8"), (SlurmVersion{22, 5}));
  EXPECT_EQ(parse_slurm_version("25.05"), (SlurmVersion{25, 5}));
  for (const char* bad : {"", "22", "22.5", "21.08", "22.05.", "22.05.x", "22.055"}) {
    EXPECT_EQ(parse_slurm_version(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(to_text(SlurmVersion{22, 5}), "22.05");
}

// ---- configs/reference.yaml -------------------------------------------------------------------

TEST(ReferencePage, HasExactlyTheKeysOfTheCode) {
  EXPECT_EQ(page_of("site.yaml"), described(site_keys()));
  EXPECT_EQ(page_of("scenario"), described(scenario_keys()));
}

// ---- events.csv and runtimes.csv --------------------------------------------------------------

TEST_F(SiteTest, EventsKeepTheirTextAndPlace) {
  write("events.csv",
        "time,command\r\n2027-01-15T08:42:02,scontrol update NodeName=n2 State=DRAIN\r\n"
        "2027-01-15T08:50:20.5Z,\"scontrol create reservation Flags=MAINT,IGNORE_JOBS "
        "Comment=\"\"x\"\"\"\r\n\r\n2027-01-15 08:50+01:00,scancel 5\r\n");
  const auto events = read_admin_events(root_ / "events.csv", found_);
  EXPECT_EQ(told(), "");
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].command, "scontrol create reservation Flags=MAINT,IGNORE_JOBS Comment=\"x\"");
  EXPECT_EQ(events[1].time_text, "2027-01-15T08:50:20.5Z");
  EXPECT_EQ(events[1].where.line, 3U);
  EXPECT_EQ(events[1].where.column, 24U);
}

TEST_F(SiteTest, BrokenEventsAreToldExactly) {
  write("events.csv",
        "time,command\ntomorrow,scancel 1\n2027-02-29T00:00:00,scancel 1\n2027-01-15T08:42:02,\n"
        "2027-01-15T08:42:02,a,b\n2027-01-15T24:00:00,scancel 1\n2027-01-15T08:42:02,\"a\" b\n"
        "2027-01-15T08:42:02,\"open\n");
  (void)read_admin_events(root_ / "events.csv", found_);
  const std::string time_hint =
      "\n  hint: write 2027-01-15T08:42:02, with Z or +01:00 where it is not the site's time\n";
  EXPECT_EQ(
      told(),
      "@/events.csv:5:1: error: 3 fields, the header has 2\n  hint: quote a field that holds a "
      "comma: \"a,b\"\n"
      "@/events.csv:7:21: error: text after the closing quote\n  hint: double a quote: \"\"\n"
      "@/events.csv:8:21: error: the quote is never closed\n"
      "@/events.csv:2:1: error: time: 'tomorrow' is not a time" +
          time_hint + "@/events.csv:3:1: error: time: '2027-02-29T00:00:00' is not a time" +
          time_hint +
          "@/events.csv:4:21: error: command: nothing to do\n  hint: write what an admin types: "
          "scontrol update NodeName=n2 State=DRAIN Reason=x\n"
          "@/events.csv:6:1: error: time: '2027-01-15T24:00:00' is not a time\n  hint: write "
          "2027-01-15T08:42:02, with Z or +01:00 where it is not the site's time");
}

TEST_F(SiteTest, RunTimesAreReadInAnyColumnOrder) {
  write("runtimes.csv", "exit_code,runtime_s,JobIDRaw\n0,591,1\n1,426,2\n");
  write("short.csv", "jobidraw,runtime_s\n3,0\n");
  const auto rows = read_runtimes(root_ / "runtimes.csv", found_);
  const auto short_rows = read_runtimes(root_ / "short.csv", found_);
  EXPECT_EQ(told(), "");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].job_id_raw, 2U);
  EXPECT_EQ(rows[1].runtime, Seconds{426});
  EXPECT_EQ(rows[1].exit_code, 1);
  ASSERT_EQ(short_rows.size(), 1U);
  EXPECT_EQ(short_rows[0].exit_code, 0);
}

TEST_F(SiteTest, BrokenRunTimesAreToldExactly) {
  write("a.csv", "JobIDRaw,runtime_s,exit_code\nx,5,0\n1,5.5,0\n2,5,999\n3,5,0\n3,6,0\n");
  write("b.csv", "JobID,runtime_s\n1,2\n");
  write("c.csv", "");
  (void)read_runtimes(root_ / "a.csv", found_);
  (void)read_runtimes(root_ / "b.csv", found_);
  (void)read_runtimes(root_ / "c.csv", found_);
  (void)read_runtimes(root_ / "d.csv", found_);
  EXPECT_EQ(told(),
            "@/a.csv:2:1: error: JobIDRaw: 'x' is not a job number\n"
            "@/a.csv:3:3: error: runtime_s: '5.5' is not a whole number of seconds\n"
            "@/a.csv:4:5: error: exit_code: '999' is not within 0 .. 255\n"
            "@/a.csv:6:1: error: job 3 is already on line 5\n"
            "@/b.csv:1:1: error: unknown column 'JobID'\n  hint: the header is "
            "JobIDRaw,runtime_s,exit_code\n"
            "@/b.csv:1:1: error: no column 'JobIDRaw'\n  hint: the header is "
            "JobIDRaw,runtime_s,exit_code\n"
            "@/c.csv: error: is empty\n  hint: the header is JobIDRaw,runtime_s,exit_code\n"
            "@/d.csv: error: cannot be read\n  hint: does it exist, and may you read it?");
}

RC_GTEST_PROP(Csv, TakesAnyBytes, (const std::string& bytes)) {
  constexpr CsvColumn kColumns[] = {{"a"}, {"b", false}};
  Diagnostics found;
  for (const auto& row : read_csv("a,b\n" + bytes, "x", kColumns, found))
    RC_ASSERT(row.size() == 2U);
  (void)read_csv(bytes, "x", kColumns, found);
}

}  // namespace
}  // namespace rehearse::test
