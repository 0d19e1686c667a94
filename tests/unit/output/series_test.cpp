// tests/unit/output/series_test.cpp — what is followed over time comes out in the unit it is told
// in.
#include "sim/output/series.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

TEST(Series, AllGpusAreToldInGpusAndSummedInThousandths) {
  SeriesRecorder recorder(Seconds{60});
  recorder.begin(from_epoch_seconds(600));
  for (const Follow what :
       {Follow::GpusBusy, Follow::GpusExisting, Follow::GpusAvailable, Follow::GpusWanted}) {
    recorder.add(what, 3000);
  }
  const SeriesGrid grid = recorder.finish(from_epoch_seconds(720));
  for (const char* name : {"gpus_busy", "gpus_existing", "gpus_available", "gpus_wanted"}) {
    const Series* const series = grid.find(name);
    ASSERT_NE(series, nullptr) << name;
    EXPECT_EQ(series->mean, (std::vector<double>{3, 3})) << name;
    EXPECT_EQ(series->integral, 3000U * 120U) << name;
  }
}

}  // namespace
}  // namespace rehearse::test
