// tests/unit/workloads/sacct_json_test.cpp — the JSON of 22.05 and of later releases (formats.md
// §11).
#include <gtest/gtest.h>

#include "reading.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kJob2205 = R"({"meta":{"Slurm":{"version":{"major":22}}},"errors":[],
"jobs":[
{"account":"ml","allocation_nodes":1,"array":{"job_id":0,"limits":{"max":{"running":{"tasks":0}}},"task":null,"task_id":null},
 "association":{"user":"ann"},"cluster":"c","constraints":"a100",
 "exit_code":{"status":"ERROR","return_code":3},"het":{"job_id":0,"job_offset":null},"job_id":7,"name":"n\"[",
 "nodes":"n1","partition":"gpu","qos":"normal","required":{"CPUs":4,"memory":8000},
 "state":{"current":"FAILED","reason":"None"},"steps":[{"jobs":[1]}],
 "time":{"elapsed":60,"eligible":1800000000,"end":1800000090,"start":1800000030,"submission":1800000000,"suspended":0,"limit":30},
 "tres":{"allocated":[{"type":"cpu","name":"","id":1,"count":4}],
  "requested":[{"type":"cpu","name":"","id":1,"count":4},{"type":"mem","name":"","id":2,"count":8000},
   {"type":"node","name":"","id":4,"count":2},{"type":"gres","name":"gpu:a100","id":1002,"count":4}]},
 "user":"ann","some_new_key":{"x":[1,2]}}
]})";

constexpr const char* kJob2311 = R"({"jobs":[
{"job_id":131,"array":{"job_id":123,"task_id":{"set":true,"infinite":false,"number":4},"task":""},
 "time":{"elapsed":60,"eligible":1800000000,"end":1800000090,"start":1800000030,"submission":1800000000,
  "limit":{"set":true,"infinite":true,"number":0}},
 "state":{"current":["COMPLETED","COMPLETING"]},
 "exit_code":{"status":["SUCCESS"],"return_code":{"set":true,"infinite":false,"number":0},"signal":{"id":{"set":false,"number":0}}},
 "required":{"CPUs":2,"memory_per_cpu":{"set":true,"infinite":false,"number":500},"memory_per_node":{"set":false,"number":0}},
 "tres":{"allocated":[{"type":"node","name":"","count":1}],"requested":[{"type":"cpu","name":"","count":2}]},
 "nodes":"n1","user":"bob"},
{"job_id":123,"array":{"job_id":123,"task_id":{"set":false,"number":0},"task":"5-9",
  "limits":{"max":{"running":{"tasks":2}}}},
 "time":{"elapsed":0,"eligible":1800000000,"end":0,"start":0,"submission":1800000000,"limit":{"set":false,"number":0}},
 "state":{"current":["PENDING"]},"nodes":"None assigned","user":"bob"}]})";

TEST(SacctJson, ReadsAJobOf2205) {
  const Reading read(kJob2205);
  EXPECT_FALSE(read.found.has_errors());
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  const JobSpec& job = read.job(0);
  EXPECT_EQ(job.id, JobId{7});
  EXPECT_EQ(job.source_row, 3U);
  EXPECT_EQ(job.submit, Time{utc(1800000000)});
  EXPECT_EQ(job.recorded_start, utc(1800000030));
  EXPECT_EQ(job.run.outcome, RunOutcome::Failed);
  EXPECT_EQ(job.run.exit_code, 3);
  EXPECT_EQ(job.time_limit, Minutes{30});
  EXPECT_EQ(read.name(job.user), "ann");
  EXPECT_EQ(read.name(job.name), "n\"[");
  EXPECT_EQ(read.request(0).min_nodes, 2U);
  EXPECT_EQ(read.request(0).memory_mib, 4000U);
  EXPECT_EQ(read.request(0).gres.at(0).per_node, 2U);
  EXPECT_EQ(read.name(read.request(0).features), "a100");
}

TEST(SacctJson, ReadsTheMaskOfWaitingTasksOf2205) {  // formats.md §11
  const auto tasks_of = [](const std::string& mask) {
    const Reading read(R"({"jobs":[{"job_id":32,"array":{"job_id":32,"task_id":null,"task":")" +
                       mask +
                       R"(","limits":{"max":{"running":{"tasks":2}}}},"time":{"elapsed":0,
"eligible":1800000000,"end":0,"start":0,"submission":1800000000,"limit":30},"state":{"current":"PENDING"},
"nodes":"None assigned","user":"bob"}]})");
    EXPECT_FALSE(read.found.has_errors()) << mask;
    std::string text;
    for (const ArrayTask& task : read.job(0).extras->array)
      text += std::to_string(task.index) + " ";
    return text + "%" + std::to_string(read.job(0).extras->array_max_running);
  };
  EXPECT_EQ(tasks_of("0x3C"), "2 3 4 5 %2");
  EXPECT_EQ(tasks_of("0x800a1"), "0 5 7 19 %2");
  EXPECT_EQ(tasks_of("5-6,9"), "5 6 9 %2") << "of later releases";
}

TEST(SacctJson, ReadsNumbersAndStatesOfLaterReleases) {
  const Reading read(kJob2311);
  EXPECT_FALSE(read.found.has_errors());
  ASSERT_EQ(read.trace.jobs.specs().size(), 1U);
  const JobSpec& job = read.job(0);
  EXPECT_EQ(job.id, JobId{123});
  ASSERT_EQ(job.extras->array.size(), 6U);
  EXPECT_EQ(job.extras->array[0].id, JobId{131});
  EXPECT_EQ(job.extras->array[0].run.outcome, RunOutcome::Completed);
  EXPECT_EQ(job.extras->array_max_running, 2U);
  EXPECT_EQ(job.time_limit, kUnlimited);
  EXPECT_EQ(read.request(0).memory_mode, MemoryMode::PerCpu);
  EXPECT_EQ(read.request(0).memory_mib, 500U);
  EXPECT_EQ(read.trace.report.rows_read, 2U);
}

TEST(SacctJson, ReadsOutputsOneAfterTheOther) {  // sacct --json >> sacct.json, month by month
  const Reading read(std::string("\xef\xbb\xbf") + kJob2205 + "\n" + kJob2311 + R"({"jobs":[]})" +
                     kJob2205);
  EXPECT_FALSE(read.found.has_errors());
  EXPECT_EQ(read.trace.report.rows_read, 4U);
  ASSERT_EQ(read.trace.jobs.specs().size(), 2U) << "7 is told twice";
  EXPECT_TRUE(read.trace.report.adds_up());
}

TEST(SacctJson, SaysWhereAFileWasCut) {
  const std::string text = kJob2205;
  const Reading read(text.substr(0, text.size() - 6));
  EXPECT_TRUE(read.found.has_errors());
  EXPECT_TRUE(read.trace.report.adds_up());
}

TEST(SacctJson, RefusesJsonWithoutJobs) {
  EXPECT_TRUE(Reading(R"({"data":{"jobs":[]}})").found.has_errors());
}

}  // namespace
}  // namespace rehearse::test
