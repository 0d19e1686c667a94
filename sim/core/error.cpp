// sim/core/error.cpp — findings as text, and the exception that carries them to main.
#include "sim/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace rehearse {
namespace {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "error";
}

std::string all_text(const std::vector<Diagnostic>& findings) {
  std::string text;
  for (const Diagnostic& finding : findings) {
    if (!text.empty()) text += '\n';
    text += to_text(finding);
  }
  return text;
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  const SourcePosition& at = diagnostic.where;
  std::string text;
  if (!at.file.empty()) {
    text += at.file;
    if (at.line > 0) text += fmt::format(":{}", at.line);
    if (at.line > 0 && at.column > 0) text += fmt::format(":{}", at.column);
    text += ": ";
  }
  text += fmt::format("{}: {}", name_of(diagnostic.severity), diagnostic.what);
  if (!diagnostic.hint.empty()) text += "\n  hint: " + diagnostic.hint;
  return text;
}

void Diagnostics::error(SourcePosition where, std::string what, std::string hint) {
  all_.push_back({Severity::Error, std::move(where), std::move(what), std::move(hint)});
  ++error_count_;
}

void Diagnostics::warning(SourcePosition where, std::string what, std::string hint) {
  all_.push_back({Severity::Warning, std::move(where), std::move(what), std::move(hint)});
}

void Diagnostics::note(SourcePosition where, std::string what, std::string hint) {
  all_.push_back({Severity::Note, std::move(where), std::move(what), std::move(hint)});
}

void Diagnostics::throw_if_errors() const {
  if (has_errors()) throw InputError(all_);
}

InputError::InputError(std::vector<Diagnostic> findings)
    : findings_(std::move(findings)), text_(all_text(findings_)) {}

InputError::InputError(SourcePosition where, std::string what, std::string hint)
    : InputError(std::vector<Diagnostic>{
          {Severity::Error, std::move(where), std::move(what), std::move(hint)}}) {}

}  // namespace rehearse
