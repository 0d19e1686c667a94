// tests/unit/output/make_result.cpp — writes the small result for the readers' tests: make_result
// FILE.
#include <cstdio>

#include "sim/output/output_error.hpp"
#include "sim/output/result_file.hpp"
#include "tests/unit/output/fixture.hpp"

int main(int count, char** arguments) {
  using namespace rehearse;
  if (count != 2) return 2;
  Provenance from;
  from.version = "0.1.0";
  from.commit = "test";
  from.command_line = "make_result";
  from.slurm_version = "22.05";
  from.seeds = {{"run", 7}};
  // As large as a real slurm.conf may be, and not ASCII only.
  std::string conf = "ClusterName=small # größe\n";
  while (conf.size() < 200'000) conf += "# a comment that makes it long\n";
  from.inputs = {make_input("slurm.conf", "slurm.conf", conf),
                 make_input("jobs", "sacct.txt", "JobID\n")};
  from.inputs.back().text.clear();  // that of jobs is not kept
  from.configuration = "{}";
  try {
    Result result = test::small_result();
    // Of job 2, as if an event had changed the size that jobs count for at second 240.
    result.priority_parts = {
        {1}, {0}, {result.begin + 120}, {result.begin + 240}, {0}, {31}, {0}, {0}, {0}, {0}};
    result.former_shares = {{1}, {result.begin + 240}, {2}, {0.6}};
    write_result(arguments[1], result, compute_kpis(result), from);
  } catch (const OutputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
