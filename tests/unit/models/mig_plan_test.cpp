// tests/unit/models/mig_plan_test.cpp — GPUs that change: when, into what, with which devices; and
// what is refused.
#include "models/gpu/mig_plan.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/gpu/mig_calendar.hpp"
#include "tests/unit/models/gpu_site.hpp"

namespace rehearse::test {
namespace {

constexpr std::array<bool, 7> kEveryDay = {true, true, true, true, true, true, true};
constexpr std::array<bool, 7> kWorkdays = {false, true, true, true, true, true, false};

MigChangeLine at(Seconds time, const std::array<bool, 7>& days) {
  MigChangeLine line;
  line.time_of_day = time;
  line.days = days;
  return line;
}

class Plans : public GpuSite {
 protected:
  void change(const std::string& nodes, const std::string& gpus, std::vector<std::string> layout,
              Seconds time, const std::array<bool, 7>& days = kEveryDay) {
    MigChangeLine line = at(time, days);
    line.nodes = nodes;
    line.gpus = gpus;
    line.layout = std::move(layout);
    auto& lines = inputs_.site.gpu.mig.changes;
    const auto number = static_cast<std::uint32_t>(201 + lines.size());
    line.where = {"site.yaml", number, 5};
    line.at_where = {"site.yaml", number, 9};
    lines.push_back(line);
  }
  /// After build().
  void make() { plan_ = MigPlan(*cluster_, inventory_, layouts_, {}, found_); }
  const NodeGres& gpus(std::size_t node = 0) {
    return *gpus_of(cluster_->nodes[id_at<NodeId>(node)], names_);
  }
  /// Free devices of a Type, as jobs could have them now.
  std::uint64_t free(const std::string& type) {
    const auto units = cluster_->ledger.units(NodeId{0}, 0);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < gpus().devices.size(); ++i) {
      if (names_.text(gpus().devices[i].type) == type && units[i] == 0) ++count;
    }
    return count;
  }
  MigPlan plan_;
};

TEST_F(Plans, WithoutChangesAndPolicyKnowNothing) {
  mig("n0", "0", {"3g.20gb", "4g.20gb"});
  build("NodeName=n0 Gres=gpu:a100-40_3g.20gb:1,gpu:a100-40_4g.20gb:1\n");
  make();
  EXPECT_TRUE(plan_.is_static());
  EXPECT_EQ(gpus().devices.size(), 2U);
}

TEST_F(Plans, GiveANodeEveryDeviceThatItMayHaveAndBlockThoseThatAreNotThere) {
  mig("n0", "0", {"3g.20gb", "4g.20gb"});
  change("n0", "0", {"7*1g.5gb"}, Seconds{72000});
  build("NodeName=n0 Gres=gpu:a100-40_3g.20gb:1,gpu:a100-40_4g.20gb:1\n");
  make();
  ASSERT_EQ(all_text(found_), "");
  plan_.equip(*cluster_);
  EXPECT_EQ(gpus().devices.size(), 9U);  // 3g, 4g, seven 1g
  EXPECT_EQ(gpus().total, 2U);
  EXPECT_EQ(gpus().milli, 1000U);  // one GPU, however it is cut
  EXPECT_EQ(free("a100-40_3g.20gb"), 1U);
  EXPECT_EQ(free("a100-40_1g.5gb"), 0U);
  EXPECT_EQ(gpus().devices[2].presence, Presence::Unlisted);
  EXPECT_EQ(gpus().devices[2].milli, 14 * 1000 / 108);
  EXPECT_EQ(plan_.gpus()[0].devices[0], (std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(Plans, LetJobsAskForTypesThatComeLaterWhereTheSiteSaysSo) {
  mig("n0", "0", {"7g.40gb"});
  change("n0", "0", {"whole"}, Seconds{72000});
  inputs_.site.gpu.mig.absent_types_wait = true;
  build("NodeName=n0 Gres=gpu:a100-40_7g.40gb:1\n");
  make();
  ASSERT_EQ(all_text(found_), "");
  plan_.equip(*cluster_);
  EXPECT_EQ(names_.text(gpus().devices[1].type), "a100-40");
  EXPECT_EQ(gpus().devices[1].presence, Presence::Absent);
}

TEST_F(Plans, OfWholeDevicesCountThemAmongTheGpusThatNoLayoutNames) {
  mig("n0", "1", {"7g.40gb"});
  change("n0", "0", {"2*3g.20gb"}, Seconds{72000});
  build("NodeName=n0 Gres=gpu:a100-40:1,gpu:a100-40_7g.40gb:1\n");
  make();
  ASSERT_EQ(all_text(found_), "");
  EXPECT_TRUE(plan_.gpus().at(0).begin.whole);
  EXPECT_EQ(plan_.gpus()[0].devices.back(), std::vector<std::uint32_t>{0});
}

TEST_F(Plans, OfAPolicyHaveTheMostOfEveryProfileThatTheSiteHas) {
  mig("n0", "0", {"2*2g.10gb", "3g.20gb"});
  inputs_.site.gpu.mig.policy = MigPolicy::OnDemand;
  build("NodeName=n0 Gres=gpu:a100-40_2g.10gb:2,gpu:a100-40_3g.20gb:1\n");
  make();
  ASSERT_EQ(all_text(found_), "");
  plan_.equip(*cluster_);
  EXPECT_EQ(gpus().devices.size(), 5U);  // three 2g, two 3g
  EXPECT_EQ(free("a100-40_2g.10gb"), 2U);
  EXPECT_EQ(gpus().devices[4].presence, Presence::Absent);  // it may be asked for
}

TEST_F(Plans, RefuseWhatNoGpuCanBeWithTheNearestThatCan) {
  mig("n0", "0", {"7g.40gb"});
  change("n0", "0", {"4g.20gb", "4g.20gb"}, Seconds{7200});
  change("n0", "1", {"7g.40gb"}, Seconds{7200});
  change("n0", "0", {"5g.20gb"}, Seconds{7300});
  build("NodeName=n0 Gres=gpu:a100-40_7g.40gb:1\n");
  make();
  EXPECT_EQ(all_text(found_),
            "site.yaml:201:5: error: mig.changes: 4g.20gb,4g.20gb cannot be together on one "
            "a100-40\n  hint: the nearest that can: 4g.20gb:0,3g.20gb:4\n"
            "site.yaml:202:5: error: mig.changes: there is no GPU 1 with MIG on n0\n  hint: its "
            "model must be known (node_hardware, or the Type of Gres=), and of MIG instances which "
            "GPU they are on (mig.layouts)\n"
            "site.yaml:203:5: error: mig.changes: '5g.20gb' is no instance of the a100-40 of n0\n"
            "  hint: it has 1g.5gb, 1g.5gb+me, 1g.10gb, 2g.10gb, 3g.20gb, 4g.20gb, 7g.40gb; :START "
            "and COUNT* may be added");
}

TEST_F(Plans, RefuseTwoLayoutsOfAGpuAtOneTime) {
  mig("n0", "0", {"7g.40gb"});
  change("n0", "0", {"7*1g.5gb"}, Seconds{7200}, kWorkdays);
  change("n0", "0", {"7g.40gb"}, Seconds{7200});
  build("NodeName=n0 Gres=gpu:a100-40_7g.40gb:1\n");
  make();
  EXPECT_EQ(all_text(found_),
            "site.yaml:202:9: error: mig.changes: GPU 0 of n0 has another layout at the same time "
            "(line 201)\n  hint: one layout a GPU and time: change `at` or `days`");
}

TEST(MigCalendar, GoesByTheSitesClockAndItsDaysOfTheWeek) {
  const auto zone = TimeZone::find("Europe/Berlin");
  ASSERT_TRUE(zone.has_value());
  const MigChangeLine evening = at(Seconds{20 * 3600}, kWorkdays);
  // 2027-01-15 is a Friday; at 20:00 it is over, and Saturday and Sunday are left out.
  EXPECT_EQ(next_change(evening, *zone->read("2027-01-15T12:00:00"), *zone),
            zone->read("2027-01-15T20:00:00"));
  EXPECT_EQ(next_change(evening, *zone->read("2027-01-15T20:00:00"), *zone),
            zone->read("2027-01-18T20:00:00"));
  // Clocks go forward on 28 March 2027: a day of 23 hours.
  const MigChangeLine daily = at(Seconds{20 * 3600}, kEveryDay);
  EXPECT_EQ(next_change(daily, *zone->read("2027-03-27T20:00:00"), *zone),
            *zone->read("2027-03-27T20:00:00") + Seconds{23 * 3600});
}

TEST(MigCalendar, KnowsADateOnce) {
  MigChangeLine line;
  line.date = "2027-01-15T20:00:00";
  const TimeZone zone = TimeZone::utc();
  EXPECT_EQ(next_change(line, *zone.read("2027-01-15T19:59:59"), zone), zone.read(line.date));
  EXPECT_EQ(next_change(line, *zone.read(line.date), zone), std::nullopt);
}

}  // namespace
}  // namespace rehearse::test
