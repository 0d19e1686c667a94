// tests/unit/sched/recorded_priorities_test.cpp — every column of a recorded sprio comes out here.
//
// A real slurmctld 22.05.8 with every weight set, two partitions and nice. Taken from its `sprio
// -l` are the jobs and their ages (when exactly its tick was is not known); from its `sshare` the
// usage; from its sacct what the jobs ask for. All other numbers are computed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/priority/usage.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::string field;
  std::istringstream in(line);
  while (std::getline(in, field, separator)) fields.push_back(field);
  return fields;
}

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream in(line);
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

std::vector<std::string> lines(const fs::path& path) {
  std::vector<std::string> list;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

class RecordedPriorities : public ::testing::TestWithParam<const char*> {
 protected:
  RecordedPriorities() {
    const fs::path root = source_folder() / "tests/data";
    folder = root / "accounting/multifactor";
    site.inputs.slurm_conf =
        read_slurm_conf(root / "recordings/multifactor/slurm.conf", {}, site.found);
    site.inputs.gres_conf = read_gres_conf(root / "recordings/multifactor/gres.conf", site.found);
    site.inputs.accounting = read_accounting(folder, site.found);
    site.build();
    for (const std::string& line : lines(folder / "sprio_jobs.csv")) {
      const auto fields = split(line, ',');
      rows[fields[0]] = fields;
    }
  }

  /// The record of a job as sacct told it
  /// (id,user,account,qos,partitions,cpus,mem,gpus,nice,nodes).
  Job& record(const std::string& id) {
    const auto& row = rows.at(id);
    Cluster& cluster = site.cluster();
    Request request;
    request.min_cpus = static_cast<std::uint32_t>(std::stoul(row[5]));
    request.min_nodes = static_cast<std::uint32_t>(std::stoul(row[9]));
    Job& job = site.job(row[1], row[2], request);
    job.qos = cluster.accounts.find_qos(site.names.intern(row[3]));
    job.partitions.clear();
    for (const std::string& name : split(row[4], '+')) {
      job.partitions.push_back(*cluster.find_partition(site.names.intern(name)));
    }
    job.request_tres[0] = request.min_cpus;
    job.request_tres[1] = std::stoull(row[6]);
    job.request_tres[8] = std::stoull(row[7]);
    job.nice = std::stoll(row[8]);
    return job;
  }

  SiteBuilder site;
  fs::path folder;
  std::map<std::string, std::vector<std::string>> rows;
};

TEST_P(RecordedPriorities, ComeOutOfTheRecordedUsageAndAges) {
  Cluster& cluster = site.cluster();
  std::vector<UsageRow> usage;
  for (const std::string& line : lines(folder / (std::string(GetParam()) + ".sshare.txt"))) {
    const auto fields = split(line, '|');
    if (fields.size() < 5 || fields[1].empty() || fields[0] == "Account") continue;
    const std::string account = words(fields[0]).at(0);
    usage.push_back({account, fields[1], "", std::stod(fields[4])});
  }
  load_usage(cluster.accounts, usage, site.names, site.found);
  const auto plugin = make_priority_plugin(cluster);
  const SlurmTime now = at(1'000'000);
  plugin->tick(now, {}, {});

  std::size_t compared = 0;
  for (const std::string& line : lines(folder / (std::string(GetParam()) + ".sprio.txt"))) {
    const auto told = words(line);
    if (told.size() < 13 || !rows.contains(told[0])) continue;
    SCOPED_TRACE(line);
    Job& job = record(told[0]);
    const double weight = cluster.conf.priority.weight_age;
    const double max_age = static_cast<double>(cluster.conf.priority.max_age.count());
    job.accrue =
        now - Seconds{static_cast<std::int64_t>(std::stod(told[5]) / weight * max_age + 0.5)};
    job.partition = *cluster.find_partition(site.names.intern(told[1]));
    plugin->recompute(job, now);
    const auto shown = [](double term) { return fmt::format("{:.0f}", term); };
    EXPECT_EQ(shown(job.factors.assoc), told[6]);
    EXPECT_EQ(shown(job.factors.fair_share), told[7]);
    EXPECT_EQ(shown(job.factors.job_size), told[8]);
    EXPECT_EQ(shown(job.factors.partition), told[9]);
    EXPECT_EQ(shown(job.factors.qos), told[10]);
    EXPECT_EQ(std::to_string(job.factors.nice), told[11]);
    const std::string tres =
        fmt::format("cpu={:.0f},mem={:.0f},gres/gpu={:.0f}", job.factors.tres[0],
                    job.factors.tres[1], job.factors.tres[8]);
    EXPECT_EQ(tres.substr(0, told[12].size()), told[12]);
    // The age is known to half a point.
    EXPECT_NEAR(static_cast<double>(job.priority), std::stod(told[3]), 1.0);
    const auto place = std::find(job.partitions.begin(), job.partitions.end(), job.partition);
    if (job.partitions.size() > 1) {
      EXPECT_EQ(job.partition_priority[static_cast<std::size_t>(place - job.partitions.begin())],
                job.priority);
    }
    ++compared;
  }
  EXPECT_GT(compared, 20U);
}

INSTANTIATE_TEST_SUITE_P(Samples, RecordedPriorities, ::testing::Values("0003600", "0014400"));

}  // namespace
}  // namespace rehearse::test
