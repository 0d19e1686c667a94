// tests/unit/models/mig_geometry_test.cpp — every row and consequence of gpu-models.md §2.2–2.4,
// and what must hold of any layout.
#include "models/gpu/mig_geometry.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace rehearse::test {
namespace {

const GpuCatalogue& catalogue() {
  static const GpuCatalogue all = [] {
    Diagnostics found;
    return GpuCatalogue(GpuConf{}, found);
  }();
  return all;
}

const GpuModel& model(const std::string& name) {
  return *catalogue().find(name);
}

std::uint32_t profile(const GpuModel& gpu, const std::string& name) {
  const MigProfile* one = gpu.find_profile(std::string_view(name));
  EXPECT_NE(one, nullptr) << gpu.name << " " << name;
  return static_cast<std::uint32_t>(one - gpu.profiles.data());
}

/// `3g.20gb:4 1g.5gb`: wishes, by words.
std::vector<MigWish> wishes(const GpuModel& gpu, const std::string& text) {
  std::vector<MigWish> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const auto more = parse_mig_wish(gpu, text.substr(at, end - at));
    EXPECT_FALSE(more.empty()) << text.substr(at, end - at);
    all.insert(all.end(), more.begin(), more.end());
    at = end + 1;
  }
  return all;
}

std::string placed(const std::string& gpu, const std::string& text) {
  const auto layout = place_in_order(model(gpu), wishes(model(gpu), text));
  return layout ? to_text(model(gpu), *layout) : "-";
}

bool fits(const std::string& gpu, const std::string& text) {
  return place(model(gpu), wishes(model(gpu), text)).has_value();
}

std::string nearest(const std::string& gpu, const std::string& text) {
  return to_text(model(gpu), nearest_legal(model(gpu), wishes(model(gpu), text)));
}

/// Compute slices from large to small, `3+2+1`, and how many are used.
std::map<std::string, std::uint32_t> multisets(const GpuModel& gpu,
                                               const std::vector<MigLayout>& layouts) {
  std::map<std::string, std::uint32_t> all;
  for (const MigLayout& layout : layouts) {
    std::vector<std::string> names;
    std::uint32_t used = 0;
    for (const MigInstance& one : layout) {
      names.push_back(gpu.profiles[one.profile].name);
      used += gpu.profiles[one.profile].compute;
    }
    std::sort(names.rbegin(), names.rend());
    std::string text;
    for (const std::string& name : names) {
      text += (text.empty() ? "" : "+") + name.substr(0, name.find("gb"));
    }
    all[text] = used;
  }
  return all;
}

// §2.2: "max", the most instances of a profile alone on an empty GPU.
TEST(MigGeometry, HoldsAsManyOfAProfileAsTheTableSays) {
  const std::map<std::string, std::size_t> seven{{"1g.5gb", 7},  {"1g.5gb+me", 1}, {"1g.10gb", 4},
                                                 {"2g.10gb", 3}, {"3g.20gb", 2},   {"4g.20gb", 1},
                                                 {"7g.40gb", 1}};
  const std::map<std::string, std::size_t> four{
      {"1g.6gb", 4}, {"1g.6gb+me", 1}, {"2g.12gb", 2}, {"2g.12gb+me", 1}, {"4g.24gb", 1}};
  for (const auto& [gpu, table] : {std::pair{"a100-40", seven}, {"a30", four}}) {
    for (const auto& [name, most] : table) {
      const MigWish one{profile(model(gpu), name), std::nullopt};
      EXPECT_TRUE(place(model(gpu), std::vector<MigWish>(most, one))) << name;
      EXPECT_FALSE(place(model(gpu), std::vector<MigWish>(most + 1, one))) << name;
    }
  }
}

// §2.3: 19 placed layouts, 14 multisets, with the compute slices that they use.
TEST(MigGeometry, HasNineteenMaximalLayoutsOfSevenSlices) {
  for (const char* name : {"a100-40", "a100-80", "h100-sxm", "h100-pcie", "h200-sxm", "b200"}) {
    const GpuModel& gpu = model(name);
    const std::vector<std::uint32_t> plain{0, 3, 4, 5, 6};
    EXPECT_EQ(maximal_layouts(gpu, plain).size(), 19U) << name;
    EXPECT_EQ(multisets(gpu, maximal_layouts(gpu, plain)).size(), 14U) << name;
    const std::vector<std::uint32_t> with_double{0, 2, 3, 4, 5, 6};
    EXPECT_EQ(maximal_layouts(gpu, with_double).size(), 78U) << name;
    EXPECT_EQ(multisets(gpu, maximal_layouts(gpu, with_double)).size(), 38U) << name;
  }
  const GpuModel& gpu = model("a100-40");
  const std::map<std::string, std::uint32_t> table{{"7g.40", 7},
                                                   {"4g.20+3g.20", 7},
                                                   {"4g.20+2g.10+1g.5", 7},
                                                   {"4g.20+1g.5+1g.5+1g.5", 7},
                                                   {"3g.20+3g.20", 6},
                                                   {"3g.20+2g.10+2g.10", 7},
                                                   {"3g.20+2g.10+1g.5+1g.5", 7},
                                                   {"3g.20+2g.10+1g.5", 6},
                                                   {"3g.20+1g.5+1g.5+1g.5+1g.5", 7},
                                                   {"3g.20+1g.5+1g.5+1g.5", 6},
                                                   {"2g.10+2g.10+2g.10+1g.5", 7},
                                                   {"2g.10+2g.10+1g.5+1g.5+1g.5", 7},
                                                   {"2g.10+1g.5+1g.5+1g.5+1g.5+1g.5", 7},
                                                   {"1g.5+1g.5+1g.5+1g.5+1g.5+1g.5+1g.5", 7}};
  EXPECT_EQ(multisets(gpu, maximal_layouts(gpu, {0, 3, 4, 5, 6})), table);
}

TEST(MigGeometry, HasFiveMaximalLayoutsOfAnA30) {
  const GpuModel& gpu = model("a30");
  std::vector<std::string> texts;
  for (const MigLayout& layout : maximal_layouts(
           gpu, {profile(gpu, "1g.6gb"), profile(gpu, "2g.12gb"), profile(gpu, "4g.24gb")})) {
    texts.push_back(to_text(gpu, layout));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "1g.6gb:0,1g.6gb:1,1g.6gb:2,1g.6gb:3", "1g.6gb:0,1g.6gb:1,2g.12gb:2",
                       "2g.12gb:0,1g.6gb:2,1g.6gb:3", "2g.12gb:0,2g.12gb:2", "4g.24gb:0"}));
}

// §2.3, "Consequences that surprise people".
TEST(MigGeometry, SmallInstancesInTheWayMakeALargeOneImpossible) {
  EXPECT_EQ(placed("a100-40", "1g.5gb:6 3g.20gb:4"), "-");
  EXPECT_EQ(placed("a100-40", "1g.5gb:6 3g.20gb:0"), "3g.20gb:0,1g.5gb:6");
  for (const char* start : {"0", "1", "2", "3"}) {
    EXPECT_EQ(placed("a100-40", std::string("1g.5gb:") + start + " 4g.20gb"), "-");
    EXPECT_EQ(placed("a100-40", std::string("1g.5gb:") + start + " 3g.20gb:0"), "-");
  }
  EXPECT_EQ(placed("a100-40", "4g.20gb 3g.20gb"), "4g.20gb:0,3g.20gb:4");
  EXPECT_EQ(placed("a100-40", "4g.20gb 2g.10gb"), "4g.20gb:0,2g.10gb:4");
  EXPECT_FALSE(fits("a100-40", "4g.20gb 3g.20gb 1g.5gb"));
  EXPECT_TRUE(fits("a100-40", "7*1g.5gb"));
  EXPECT_FALSE(fits("a100-40", "7*1g.5gb 1g.5gb"));  // memory slice 7 is of no 1g
  EXPECT_FALSE(fits("a100-40", "1g.5gb+me 1g.5gb+me"));
  EXPECT_TRUE(fits("a100-40", "1g.5gb+me 6*1g.5gb"));
}

// §2.4: what drivers were seen to do on an empty A100.
TEST(MigGeometry, PutsInstancesWhereTheDriverWasSeenToPutThem) {
  EXPECT_EQ(placed("a100-40", "1g.5gb 2g.10gb 4g.20gb"), "4g.20gb:0,2g.10gb:4,1g.5gb:6");
  EXPECT_EQ(placed("a100-40", "2g.10gb 5*1g.5gb"),
            "1g.5gb:0,1g.5gb:1,1g.5gb:2,1g.5gb:3,2g.10gb:4,1g.5gb:6");
  EXPECT_EQ(placed("a100-40", "3g.20gb 1g.5gb 2g.10gb 1g.5gb"),
            "1g.5gb:0,1g.5gb:1,2g.10gb:2,3g.20gb:4");
}

TEST(MigGeometry, AnExplicitStartWins) {
  EXPECT_EQ(placed("a100-40", "3g.20gb 3g.20gb:4"), "3g.20gb:0,3g.20gb:4");
  EXPECT_EQ(placed("a100-40", "1g.5gb:2 1g.5gb:2"), "-");
  EXPECT_EQ(placed("a100-40", "2g.10gb:1"), "-");
}

TEST(MigGeometry, AnOrderThatFailsIsTurnedLargeFirst) {
  EXPECT_EQ(placed("a100-40", "5*1g.5gb 3g.20gb"), "-");
  EXPECT_FALSE(fits("a100-40", "5*1g.5gb 3g.20gb"));
  EXPECT_EQ(placed("a100-40", "4*1g.5gb 3g.20gb"), "-");  // 6, 4, 5, 0: no half is left
  EXPECT_TRUE(fits("a100-40", "4*1g.5gb 3g.20gb"));
}

TEST(MigGeometry, TheNearestLegalLayoutChangesAsLittleAsCanBe) {
  EXPECT_EQ(nearest("a100-40", "4g.20gb 4g.20gb"), "4g.20gb:0,3g.20gb:4");
  EXPECT_EQ(nearest("a100-40", "3g.20gb 3g.20gb 1g.5gb"), "3g.20gb:0,3g.20gb:4");
  EXPECT_EQ(nearest("a100-40", "8*1g.5gb"),
            "1g.5gb:0,1g.5gb:1,1g.5gb:2,1g.5gb:3,1g.5gb:4,1g.5gb:5,1g.5gb:6");
  EXPECT_EQ(nearest("a30", "3*2g.12gb"), "2g.12gb:0,2g.12gb:2");
  // A tie of all but the last rule: half of what was wanted as 4g, or 2g without a place.
  EXPECT_EQ(nearest("a30", "4g.24gb 2g.12gb"), "2g.12gb:0,2g.12gb:2");
  EXPECT_EQ(nearest("a30", "2*2g.12gb+me"), "2g.12gb:0,2g.12gb+me:2");
  EXPECT_EQ(nearest("a100-40", "1g.5gb:2 1g.5gb:2"), nearest("a100-40", "2*1g.5gb"));
}

TEST(MigGeometry, WishesAreReadOrRefused) {
  const GpuModel& gpu = model("a100-40");
  EXPECT_EQ(parse_mig_wish(gpu, "3*1g.5gb").size(), 3U);
  EXPECT_EQ(parse_mig_wish(gpu, "3g.20gb:4")[0].start, 4U);
  for (const char* wrong : {"", "3g", "3g.40gb", "3g.20gb:", "3g.20gb:x", "2*3g.20gb:4", "0*1g.5gb",
                            "*1g.5gb", "99*1g.5gb", "a100_1g.5gb"}) {
    EXPECT_TRUE(parse_mig_wish(gpu, wrong).empty()) << wrong;
  }
}

const std::vector<std::string> kNames{"a100-40", "a100-80", "a30", "h100-sxm", "h200-nvl", "b200"};

/// Some wishes of a model, without starts; legal or not.
std::vector<MigWish> some_wishes(const GpuModel& gpu) {
  std::vector<MigWish> all;
  for (const int one : *rc::gen::container<std::vector<int>>(
           rc::gen::inRange(0, static_cast<int>(gpu.profiles.size())))) {
    if (all.size() < 9) all.push_back({static_cast<std::uint32_t>(one), std::nullopt});
  }
  return all;
}

RC_GTEST_PROP(MigGeometry, EveryDefaultPlacementIsLegalAndWhole, ()) {
  const GpuModel& gpu = model(*rc::gen::elementOf(kNames));
  const std::vector<MigWish> wanted = some_wishes(gpu);
  for (const auto& layout : {place_in_order(gpu, wanted), place(gpu, wanted)}) {
    if (!layout) continue;
    RC_ASSERT(is_legal(gpu, *layout));
    RC_ASSERT(layout->size() == wanted.size());
    std::uint32_t compute = 0;
    for (const MigInstance& one : *layout) compute += gpu.profiles[one.profile].compute;
    RC_ASSERT(compute <= gpu.compute_slices);
  }
}

RC_GTEST_PROP(MigGeometry, TheNearestLegalLayoutIsLegalAndItsOwnNearest, ()) {
  const GpuModel& gpu = model(*rc::gen::elementOf(kNames));
  const MigLayout layout = nearest_legal(gpu, some_wishes(gpu));
  RC_ASSERT(is_legal(gpu, layout));
  std::vector<MigWish> again;
  for (const MigInstance& one : layout) again.push_back({one.profile, one.start});
  RC_ASSERT(nearest_legal(gpu, again) == layout);
}

RC_GTEST_PROP(MigGeometry, WhatIsNotMaximalCanGrow, ()) {
  const GpuModel& gpu = model(*rc::gen::elementOf(kNames));
  const std::vector<std::uint32_t> every = [&] {
    std::vector<std::uint32_t> all(gpu.profiles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }();
  MigLayout layout;
  for (const MigWish& wish : some_wishes(gpu)) {
    const auto start = default_start(gpu, layout, wish.profile);
    if (start) layout.push_back({*start, wish.profile});
  }
  std::sort(layout.begin(), layout.end());
  const auto all = maximal_layouts(gpu, every);
  const bool grows = std::any_of(every.begin(), every.end(), [&](std::uint32_t one) {
    return default_start(gpu, layout, one).has_value();
  });
  RC_ASSERT(grows != std::binary_search(all.begin(), all.end(), layout));
}

}  // namespace
}  // namespace rehearse::test
