// tests/unit/workloads/trace_records_test.cpp — records across the edge of a block.
#include "workloads/trace_records.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace rehearse {
namespace {

constexpr std::size_t kMany = 2 * TraceRecords::kBlock + 7;

TEST(TraceRecords, KeepTheirOrderWhateverIsTakenBack) {
  TraceRecords records;
  EXPECT_TRUE(records.empty());
  for (std::size_t i = 0; i < kMany; ++i) {
    records.add().line = kMany;  // a step, say
    records.take_back();
    ASSERT_EQ(records.size(), i);
    records.add().line = i;
    ASSERT_EQ(records.last().line, i);
  }
  for (std::size_t i = 0; i < kMany; ++i) ASSERT_EQ(records[i].line, i);
}

TEST(TraceRecords, OfWhichTheFirstWereLetGoStillHaveTheRest) {
  TraceRecords records;
  for (std::size_t i = 0; i < kMany; ++i) records.add().line = i;
  const TraceRecord* const last = &records[kMany - 1];
  EXPECT_EQ(records.room(), 3 * TraceRecords::kBlock);
  for (std::size_t gone = 0; gone < kMany; gone += 7) {
    records.let_go(gone);
    ASSERT_EQ(records[gone].line, gone);
  }
  EXPECT_EQ(records.room(), TraceRecords::kBlock) << "memory is given back, not only emptied";
  EXPECT_EQ(&records[kMany - 1], last);
  EXPECT_EQ(records.size(), kMany);
}

}  // namespace
}  // namespace rehearse
