// tests/unit/workloads/input_test.cpp — compression is told by content.
#include "workloads/input.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "reading.hpp"

namespace rehearse::test {
namespace {

TEST(ReadInput, GivesTheSameTextForEveryCompression) {
  const std::string plain = read_input(sample("sacct/eagle_array.txt")).text;
  ASSERT_EQ(plain.size(), 4127U);
  for (const char* end : {".gz", ".xz", ".zst", ".bz2"}) {
    EXPECT_EQ(read_input(sample(std::string("sacct/eagle_array.txt") + end)).text, plain) << end;
  }
}

TEST(ReadInput, SaysWhichFileIsMissing) {
  try {
    (void)read_input("no/such/file.txt");
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("no/such/file.txt: error: cannot be read"), 0U)
        << error.what();
  }
}

TEST(CompressXz, GivesTheSameBytesTwiceAndTheTextBack) {
  const std::string text(100'000, 'x');
  const std::string bytes = compress_xz(text);
  EXPECT_EQ(bytes, compress_xz(text));
  EXPECT_LT(bytes.size(), 1000U);
  const auto path = std::filesystem::path(testing::TempDir()) / "compressed_without_a_suffix";
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(read_input(path).text, text);
}

TEST(ReadInput, TellsADamagedFileFromAShortOne) {
  const auto path = std::filesystem::path(testing::TempDir()) / "cut.xz";
  const std::string bytes = compress_xz(std::string(100'000, 'x'));
  std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  EXPECT_THROW((void)read_input(path), InputError);
}

}  // namespace
}  // namespace rehearse::test
