// tests/unit/models/catalogue_test.cpp — the bundled figures are those of gpu-models.md, each
// marked; names mean what sites mean by them; a file of a site's own is read or refused.
#include "models/gpu/catalogue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/gpu/catalogue_reader.hpp"
#include "tests/unit/config/findings.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

GpuCatalogue bundled() {
  Diagnostics found;
  GpuCatalogue catalogue(GpuConf{}, found);
  EXPECT_EQ(all_text(found), "");
  return catalogue;
}

/// `a100-40`, `a100-40 1g.5gb`, with `?` where other models bear the name; `-`: none.
std::string meaning(const std::string& type) {
  const GpuCatalogue catalogue = bundled();
  const GpuMeaning meaning = catalogue.meaning_of(type);
  if (meaning.model == nullptr) return "-";
  return meaning.model->name + (meaning.profile != nullptr ? " " + meaning.profile->name : "") +
         (meaning.assumed ? "?" : "");
}

// gpu-models.md §1: model, SMs, MiB, GB/s, cap.
TEST(Catalogue, HasTheFiguresOfTheReference) {
  struct Row {
    const char* name;
    std::uint32_t sms;
    std::uint64_t mib;
    std::uint32_t bandwidth, cap;
    double fp16, fp64, fp64_tensor;
  };
  const Row rows[] = {{"a100-40", 108, 40960, 1555, 400, 312, 9.7, 19.5},
                      {"a100-40-pcie", 108, 40960, 1555, 250, 312, 9.7, 19.5},
                      {"a100-80", 108, 81920, 2039, 400, 312, 9.7, 19.5},
                      {"a100-80-pcie", 108, 81920, 1935, 300, 312, 9.7, 19.5},
                      {"a30", 56, 24576, 933, 165, 165, 5.2, 10.3},
                      {"h100-sxm", 132, 81559, 3350, 700, 989, 34, 67},
                      {"h100-pcie", 114, 81559, 2000, 350, 756, 26, 51},
                      {"h200-sxm", 132, 143771, 4800, 700, 989, 34, 67},
                      {"h200-nvl", 132, 143771, 4800, 600, 836, 30, 60},
                      {"b200", 148, 183000, 8000, 1000, 2250, 37, 37}};
  const GpuCatalogue catalogue = bundled();
  ASSERT_EQ(catalogue.models().size(), std::size(rows));
  for (const Row& row : rows) {
    const GpuModel* model = catalogue.find(row.name);
    ASSERT_NE(model, nullptr) << row.name;
    EXPECT_EQ(model->sms, row.sms) << row.name;
    EXPECT_EQ(model->memory_mib, row.mib) << row.name;
    EXPECT_EQ(model->bandwidth_gb_s, row.bandwidth) << row.name;
    EXPECT_EQ(model->power_cap_w, row.cap) << row.name;
    EXPECT_DOUBLE_EQ(model->fp16_tf, row.fp16) << row.name;
    EXPECT_DOUBLE_EQ(model->fp64_tf, row.fp64) << row.name;
    EXPECT_DOUBLE_EQ(model->fp64_tensor_tf, row.fp64_tensor) << row.name;
  }
}

// gpu-models.md §7, tuple by tuple.
TEST(Catalogue, HasTheProfilesOfTheReference) {
  using Starts = std::vector<std::uint32_t>;
  const Starts seven{0, 1, 2, 3, 4, 5, 6}, twice{0, 2, 4, 6}, two{0, 2, 4}, three{0, 4}, one{0};
  struct Row {
    const char* name;
    std::uint32_t compute, sms, slices;
    Starts starts;
    std::uint64_t mib;
  };
  const std::map<std::string, std::vector<Row>> tables{
      {"a100-40",
       {{"1g.5gb", 1, 14, 1, seven, 4864},
        {"1g.5gb+me", 1, 14, 1, seven, 4864},
        {"1g.10gb", 1, 14, 2, twice, 9856},
        {"2g.10gb", 2, 28, 2, two, 9856},
        {"3g.20gb", 3, 42, 4, three, 19968},
        {"4g.20gb", 4, 56, 4, one, 19968},
        {"7g.40gb", 7, 98, 8, one, 40192}}},
      {"a100-80",
       {{"1g.10gb", 1, 14, 1, seven, 9728},
        {"1g.10gb+me", 1, 14, 1, seven, 9728},
        {"1g.20gb", 1, 14, 2, twice, 19968},
        {"2g.20gb", 2, 28, 2, two, 19968},
        {"3g.40gb", 3, 42, 4, three, 40448},
        {"4g.40gb", 4, 56, 4, one, 40448},
        {"7g.80gb", 7, 98, 8, one, 80384}}},
      {"h100-sxm",
       {{"1g.10gb", 1, 16, 1, seven, 9984},
        {"1g.10gb+me", 1, 16, 1, seven, 9984},
        {"1g.20gb", 1, 26, 2, twice, 20096},
        {"2g.20gb", 2, 32, 2, two, 20096},
        {"3g.40gb", 3, 60, 4, three, 40448},
        {"4g.40gb", 4, 64, 4, one, 40448},
        {"7g.80gb", 7, 132, 8, one, 81152}}},
      {"a30",
       {{"1g.6gb", 1, 14, 1, {0, 1, 2, 3}, 5952},
        {"1g.6gb+me", 1, 14, 1, {0, 1, 2, 3}, 5952},
        {"2g.12gb", 2, 28, 2, {0, 2}, 11968},
        {"2g.12gb+me", 2, 28, 2, {0, 2}, 11968},
        {"4g.24gb", 4, 56, 4, one, 24000}}}};
  const GpuCatalogue catalogue = bundled();
  for (const auto& [name, rows] : tables) {
    const GpuModel* model = catalogue.find(name);
    ASSERT_NE(model, nullptr);
    ASSERT_EQ(model->profiles.size(), rows.size()) << name;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const MigProfile& profile = model->profiles[i];
      EXPECT_EQ(profile.name, rows[i].name);
      EXPECT_EQ(profile.compute, rows[i].compute) << name << " " << profile.name;
      EXPECT_EQ(profile.sms, rows[i].sms) << name << " " << profile.name;
      EXPECT_EQ(profile.memory_slices, rows[i].slices) << name << " " << profile.name;
      EXPECT_EQ(profile.starts, rows[i].starts) << name << " " << profile.name;
      EXPECT_EQ(profile.memory_mib, rows[i].mib) << name << " " << profile.name;
      EXPECT_EQ(profile.media, profile.name.ends_with("+me"));
    }
  }
  EXPECT_EQ(catalogue.find("a100-40")->sms_with_mig, 98U);
  EXPECT_EQ(catalogue.find("h100-sxm")->sms_with_mig, 132U);
  EXPECT_EQ(catalogue.find("a30")->compute_slices, 4U);
}

TEST(Catalogue, EveryBundledFigureBearsItsMark) {
  const std::set<std::string> figures{"sms",         "memory_mib",     "bandwidth_gb_s",
                                      "power_cap_w", "idle_w",         "fp16_tf",
                                      "fp64_tf",     "fp64_tensor_tf", "sms_with_mig"};
  const GpuCatalogue catalogue = bundled();
  for (const GpuModel& model : catalogue.models()) {
    std::set<std::string> marked;
    for (const auto& [figure, mark] : model.marks) marked.insert(figure);
    EXPECT_EQ(marked, figures) << model.name;
    for (const MigProfile& profile : model.profiles) {
      EXPECT_NE(profile.mark, "") << model.name << " " << profile.name;
    }
    EXPECT_NE(model.source, "") << model.name;
  }
}

TEST(Catalogue, ASharedNameHasExactlyOneDefault) {
  const GpuCatalogue catalogue = bundled();
  std::map<std::string, int> bearers, defaults;
  for (const GpuModel& model : catalogue.models()) {
    for (const std::string& alias : model.aliases) ++bearers[alias];
    for (const std::string& alias : model.default_of) ++defaults[alias];
  }
  for (const auto& [alias, count] : bearers) {
    EXPECT_EQ(defaults[alias], count > 1 ? 1 : defaults[alias]) << alias;
    EXPECT_EQ(catalogue.find(alias), nullptr) << alias << " is a model's own name";
  }
}

TEST(Catalogue, NodeShapesHoldAKnownGpu) {
  const GpuCatalogue catalogue = bundled();
  ASSERT_NE(catalogue.find_shape("dgx-h100"), nullptr);
  for (const NodeShape& shape : catalogue.shapes()) {
    EXPECT_NE(catalogue.find(shape.gpu), nullptr) << shape.name;
    EXPECT_EQ(shape.gpus, 8U);
  }
}

TEST(Catalogue, TypesAreReadAsSitesWriteThem) {
  EXPECT_EQ(meaning("a100-80"), "a100-80");
  EXPECT_EQ(meaning("A100_80GB"), "a100-80?");
  EXPECT_EQ(meaning("a100"), "a100-40?");
  EXPECT_EQ(meaning("h100"), "h100-sxm?");
  EXPECT_EQ(meaning("nvidia_h100_pcie"), "h100-pcie");
  EXPECT_EQ(meaning("nvidia_h100_80gb_hbm3"), "h100-sxm");
  EXPECT_EQ(meaning("a30"), "a30");
  EXPECT_EQ(meaning("v100"), "-");
  EXPECT_EQ(meaning(""), "-");
  EXPECT_EQ(meaning("1g.5gb"), "-");  // of which model is not told
}

// gres.md §5.3: AutoDetect rounds the memory of the instance.
TEST(Catalogue, AMigTypeDecidesBetweenModelsOfOneName) {
  EXPECT_EQ(meaning("nvidia_a100_1g.5gb"), "a100-40 1g.5gb?");  // SXM or PCIe
  EXPECT_EQ(meaning("a100_3g.20gb"), "a100-40 3g.20gb?");
  EXPECT_EQ(meaning("a100_3g.39gb"), "a100-80 3g.40gb?");
  EXPECT_EQ(meaning("a100-80_3g.40gb"), "a100-80 3g.40gb");
  EXPECT_EQ(meaning("a100-40_7g.39gb"), "a100-40 7g.40gb");
  EXPECT_EQ(meaning("h100-sxm_7g.79gb"), "h100-sxm 7g.80gb");
  EXPECT_EQ(meaning("nvidia_h200_1g.16gb"), "h200-sxm 1g.18gb?");
  EXPECT_EQ(meaning("nvidia_h100_80gb_hbm3_1g.10gb"), "h100-sxm 1g.10gb");
  EXPECT_EQ(meaning("a30_1g.6gb+me"), "a30 1g.6gb+me");
  EXPECT_EQ(meaning("a30_1c.2g.12gb"), "a30 2g.12gb");
  EXPECT_EQ(meaning("a100_5g.20gb"), "-");
}

TEST(Catalogue, AFileOfASiteAddsAModelOrReplacesOne) {
  const ScratchFolder folder;
  GpuConf own;
  own.models = {
      folder.write("v100.yaml", "name: v100\nsms: 80\nmemory_mib: 32768\nbandwidth_gb_s: 900\n")
          .string(),
      folder.write("mine.yaml", "name: a30\nsms: 50\nmemory_mib: 24576\nbandwidth_gb_s: 933\n")
          .string()};
  Diagnostics found;
  const GpuCatalogue catalogue(own, found);
  EXPECT_EQ(all_text(found), "");
  ASSERT_NE(catalogue.find("v100"), nullptr);
  EXPECT_FALSE(catalogue.find("v100")->has_mig());
  EXPECT_EQ(catalogue.find("a30")->sms, 50U);
  EXPECT_EQ(catalogue.models().size(), bundled().models().size() + 1);
  EXPECT_EQ(catalogue.sources().size(), 2U);
}

/// What is told of a file of a site's own.
std::string told(const std::string& text) {
  Diagnostics found;
  const CatalogueFile read = read_catalogue_file("own.yaml", text, found);
  EXPECT_TRUE(read.models.empty() || !found.has_errors());
  return all_text(found);
}

TEST(Catalogue, RefusesWhatIsNoModel) {
  EXPECT_EQ(told("name: x1\nsms: 10\nmemory_mib: 100\nbandwidth_gbs: 3\n"),
            "own.yaml:1:1: error: bandwidth_gb_s: is not given\n"
            "  hint: of the device memory, in GB/s\n"
            "own.yaml:4:1: error: bandwidth_gbs: unknown key\n"
            "  hint: did you mean 'bandwidth_gb_s'?");
  const std::string head = "name: x1\nsms: 10\nmemory_mib: 100\nbandwidth_gb_s: 9\n";
  EXPECT_EQ(
      told(head + "marks: {sms: X}\n"),
      "own.yaml:5:8: error: marks: 'X' is no mark\n  hint: V vendor, M measured, D derived, C "
      "chosen, U unconfirmed; a source may follow");
  EXPECT_EQ(
      told(head +
           "mig:\n  compute_slices: 4\n  memory_slices: 4\n  profiles:\n"
           "    - {name: 2g.9gb, compute: 2, memory_slices: 2, starts: [0, 3], memory_mib: 9}\n"),
      "own.yaml:9:60: error: mig.profiles[0].starts: '3': an instance of 2 memory slices cannot "
      "begin there\n  hint: the GPU has memory slices 0 to 3");
  for (const char* none : {"", "- a\n- b\n", "a100"}) {
    EXPECT_EQ(told(none),
              "own.yaml: error: describes no GPU model\n"
              "  hint: name: v100, sms: 80 and so on, a key a line");
  }
  EXPECT_NE(told("name: [\n"), "");
}

}  // namespace
}  // namespace rehearse::test
