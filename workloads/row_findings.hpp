// workloads/row_findings.hpp — the findings of a trace: the first twenty in full, the rest counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"

namespace rehearse {

/// What a row that cannot be used is: an error, or (asked for) a row that is left out.
enum class UnusableRows : std::uint8_t { AreErrors, AreLeftOut };

class RowFindings {
 public:
  static constexpr std::uint64_t kShown = 20;

  RowFindings(std::string file, UnusableRows unusable, Diagnostics& found)
      : file_(std::move(file)), unusable_(unusable), found_(found) {}

  /// The input as a whole cannot be read. Line 0: no line to tell.
  void fail(std::uint64_t line, std::uint32_t column, std::string what, std::string hint = {});
  /// A row cannot be used.
  void unusable(std::uint64_t line, std::uint32_t column, std::string what, std::string hint = {});
  void warn(std::uint64_t line, std::uint32_t column, std::string what, std::string hint = {});
  /// Tells how many findings were not shown. Once, at the end.
  void close();

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Where they go, for those of another file.
  [[nodiscard]] Diagnostics& diagnostics() const { return found_; }
  [[nodiscard]] SourcePosition at(std::uint64_t line, std::uint32_t column) const {
    return {file_, static_cast<std::uint32_t>(line), column};
  }

 private:
  std::string file_;
  UnusableRows unusable_;
  Diagnostics& found_;
  std::uint64_t unusable_count_ = 0, warning_count_ = 0;
};

/// Column from 1 of `field` in `line`, of which it is a part; 1 where it is not.
[[nodiscard]] std::uint32_t column_in(std::string_view line, std::string_view field);

}  // namespace rehearse
