// sim/core/error.hpp — what is wrong with an input, where, and what would mend it.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

/// A place in an input file. Lines and columns count from 1; 0 means that there is none to tell.
struct SourcePosition {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class Severity : std::uint8_t { Error, Warning, Note };

/// One finding: `file:line:col: error: what`, then `  hint: hint` where there is one.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourcePosition where;
  std::string what;
  std::string hint;
};

/// The two lines (or one) that a person reads. No trailing newline.
[[nodiscard]] std::string to_text(const Diagnostic& diagnostic);

/// Collects the findings of one or more files, so that all are told and not the first only.
class Diagnostics {
 public:
  void error(SourcePosition where, std::string what, std::string hint = {});
  void warning(SourcePosition where, std::string what, std::string hint = {});
  void note(SourcePosition where, std::string what, std::string hint = {});

  [[nodiscard]] bool has_errors() const { return error_count_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return error_count_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

  /// Throws InputError with every finding if one of them is an error.
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
};

/// The input is wrong. Only main catches it; exit code 3.
class InputError : public std::exception {
 public:
  explicit InputError(std::vector<Diagnostic> findings);
  InputError(SourcePosition where, std::string what, std::string hint = {});

  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] const std::vector<Diagnostic>& findings() const { return findings_; }

 private:
  std::vector<Diagnostic> findings_;
  std::string text_;
};

}  // namespace rehearse
