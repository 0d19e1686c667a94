// tests/unit/workloads/input_test.cpp — compression is told by content.
#include "workloads/input.hpp"

#include <gtest/gtest.h>

#include "reading.hpp"
#include "tests/unit/scratch_folder.hpp"

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
  const ScratchFolder folder;
  EXPECT_EQ(read_input(folder.write("compressed_without_a_suffix", bytes)).text, text);
}

TEST(ReadInput, RefusesWhatWasMadeToFillTheMemory) {
  const ScratchFolder folder;
  const std::string bytes = compress_xz(std::string(std::size_t{1} << 26U, 'x'));
  std::string bomb;  // streams one after the other are one text
  for (int i = 0; i < 5; ++i) bomb += bytes;
  try {
    (void)read_input(folder.write("sacct.txt.xz", bomb));
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("grow to more than 256 MiB"), std::string::npos)
        << error.what();
  }
}

TEST(ReadInput, RefusesADevice) {
  EXPECT_THROW((void)read_input("/dev/zero"), InputError);
}

TEST(ReadInput, TellsADamagedFileFromAShortOne) {
  const ScratchFolder folder;
  const std::string bytes = compress_xz(std::string(100'000, 'x'));
  EXPECT_THROW((void)read_input(folder.write("cut.xz", bytes.substr(0, bytes.size() / 2))),
               InputError);
}

}  // namespace
}  // namespace rehearse::test
