// tests/unit/workloads/sacct_property_test.cpp — no bytes break the readers, and none lose a row.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "reading.hpp"

namespace rehearse::test {
namespace {

/// Lines that are neither blank nor the header.
std::uint64_t rows_in(const std::string& text) {
  std::uint64_t rows = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.find_first_not_of(" \t\r\v\f") != std::string::npos) ++rows;
    begin = end + 1;
  }
  return rows == 0 ? 0 : rows - 1;
}

/// Changes, drops or repeats bytes behind the header line.
std::string mutated(std::string text) {
  const std::size_t header = text.find('\n') + 1;
  const auto count = *rc::gen::inRange(1, 20);
  for (int i = 0; i < count; ++i) {
    const auto at =
        header + static_cast<std::size_t>(*rc::gen::inRange<std::size_t>(0, text.size() - header));
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
        break;
      case 1:
        text[at] = *rc::gen::elementOf(std::string("|\n,_[]+-:=0K"));
        break;
      case 2:
        text.erase(at, static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
        break;
      default:
        text.insert(at, text.substr(at, 30));
        break;
    }
    if (text.size() <= header) break;
  }
  return text;
}

void holds_for(const std::string& name) {
  const std::string text = mutated(read_input(sample(name)).text);
  const Reading read(text);
  RC_ASSERT(read.trace.report.rows_read == rows_in(text));
  RC_ASSERT(read.trace.report.adds_up());
  Time before = Time::min();
  for (const JobSpec& job : read.trace.jobs.specs()) {
    RC_ASSERT(job.submit >= before);
    RC_ASSERT(job.run.runtime >= Seconds{0});
    before = job.submit;
  }
}

RC_GTEST_PROP(SacctReader, LosesNoRowOfMutatedArrays, ()) {
  holds_for("sacct/recorded_arrays.txt");
}

RC_GTEST_PROP(SacctReader, LosesNoRowOfMutatedRequeues, ()) {
  holds_for("sacct/recorded_requeues.txt");
}

RC_GTEST_PROP(SacctReader, LosesNoRowOfMutatedFoxRows, ()) {
  holds_for("sacct/fox_live.txt");
}

RC_GTEST_PROP(SacctReader, ReadsAnyBytesWithoutACrash, ()) {
  const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  RC_ASSERT(Reading(bytes).trace.report.adds_up());
  RC_ASSERT(Reading("JobID|Submit|State\n" + bytes).trace.report.adds_up());
  RC_ASSERT(Reading("{\"jobs\":[{\"job_id\":1" + bytes).trace.report.adds_up());
}

}  // namespace
}  // namespace rehearse::test
