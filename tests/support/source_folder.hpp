// tests/support/source_folder.hpp — where the tests' data lie.
#pragma once

#include <filesystem>

namespace rehearse::test {

/// The folder of the checkout. Told by one file only: objects of all others are the same in every
/// checkout, so that a compiler cache serves them all.
[[nodiscard]] std::filesystem::path source_folder();

}  // namespace rehearse::test
