// sim/output/output_error.hpp — a file could not be written: nobody's input is wrong.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace rehearse {

/// A result cannot be written: disk full, no such folder, no right. Only main catches it; exit
/// code 1. The text names the file and the system's reason.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::filesystem::path& file, const std::string& what)
      : std::runtime_error(file.string() + ": " + what) {}
};

}  // namespace rehearse
