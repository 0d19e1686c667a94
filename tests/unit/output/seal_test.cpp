// tests/unit/output/seal_test.cpp — a result whose bytes are others is told before libhdf5 sees it.
#include "sim/output/seal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/core/error.hpp"
#include "sim/output/hdf5.hpp"
#include "sim/output/result_file.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

class Sealed : public ::testing::Test {
 protected:
  void SetUp() override {
    hdf5::Writer file(path);
    file.attributes("/", {{"tool", std::string("rehearse")}});
    file.commit();
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }

  void keep(const std::string& changed) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
  }
  [[nodiscard]] std::size_t seal_at() const { return bytes.find("\nrehearse-seal 1 "); }

  ScratchFolder folder;
  std::filesystem::path path = folder.path() / "out.h5";
  std::string bytes;
};

TEST_F(Sealed, AFileAsItWasWrittenIsRead) {
  EXPECT_EQ(seal::what_is_broken(path), "");
  EXPECT_EQ(bytes.size() - seal_at(), 34U);
  EXPECT_EQ(hdf5::Reader(path).text_attribute("/", "tool"), "rehearse");
}

/// Of both ends each byte, of what lies between one in thirteen: at every place of a word in turn.
TEST_F(Sealed, AChangedByteIsSeen) {
  const std::size_t in_full = std::min<std::size_t>(bytes.size() / 2, 256);
  const auto step = [&](std::size_t at) {
    return std::size_t{at < in_full || at + in_full >= bytes.size() ? 1U : 13U};
  };
  for (std::size_t at = 0; at < bytes.size(); at += step(at)) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    keep(changed);
    ASSERT_NE(seal::what_is_broken(path), "") << at;
    EXPECT_THROW(hdf5::Reader{path}, InputError) << at;
  }
}

TEST_F(Sealed, ACutFileIsSaidToBeCut) {
  keep(bytes.substr(0, seal_at() - 7));
  EXPECT_EQ(seal::what_is_broken(path).substr(0, 19), "the file is cut: of");
  keep(bytes.substr(0, bytes.size() - 1));
  EXPECT_NE(seal::what_is_broken(path), "");
}

TEST_F(Sealed, AFileWithoutASealIsReadAsItIs) {
  keep(bytes.substr(0, seal_at()));  // of an older program, or written in by another
  EXPECT_EQ(seal::what_is_broken(path), "");
  EXPECT_EQ(hdf5::Reader(path).text_attribute("/", "tool"), "rehearse");
}

TEST_F(Sealed, WhatIsNoHdf5IsLeftToTheReader) {
  keep("text");
  EXPECT_EQ(seal::what_is_broken(path), "");
  keep("");
  EXPECT_EQ(seal::what_is_broken(path), "");
  EXPECT_EQ(seal::what_is_broken(path / "none"), "");
}

TEST_F(Sealed, APipeIsNoResultAndIsNotWaitedFor) {
  const std::filesystem::path pipe = folder.path() / "pipe.h5";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW((void)read_result(pipe), InputError);
  EXPECT_THROW(hdf5::Reader{pipe}, InputError);
  EXPECT_FALSE(is_hdf5(pipe));
}

}  // namespace
}  // namespace rehearse::test
