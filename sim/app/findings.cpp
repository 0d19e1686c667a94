// sim/app/findings.cpp — what was found in the inputs, as a person reads it on a terminal.
#include "sim/app/findings.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

namespace rehearse {
namespace {

struct Style {
  Severity severity;
  std::string_view word, many, colour;
};
constexpr std::array<Style, 3> kStyles{{
    {Severity::Error, "error: ", "errors", "\033[31m"},
    {Severity::Warning, "warning: ", "warnings", "\033[33m"},
    {Severity::Note, "note: ", "notes", "\033[36m"},
}};

std::string coloured(std::string text, const Style& style) {
  const auto at = text.find(style.word);
  if (at == std::string::npos) return text;
  text.insert(at + style.word.size() - 1, "\033[0m");
  return text.insert(at, style.colour);
}

}  // namespace

bool wants_colour(int descriptor) {
  const char* const no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && isatty(descriptor) == 1;
}

void print_findings(const std::vector<Diagnostic>& findings, std::size_t shown) {
  std::fflush(stdout);  // into one file or pipe: after what was printed before, not amid a line
  const bool colour = wants_colour(STDERR_FILENO);
  std::set<std::string> told;  // what two readers of one file find is printed once
  for (const Style& style : kStyles) {
    std::size_t count = 0;
    for (const Diagnostic& finding : findings) {
      if (finding.severity != style.severity) continue;
      const std::string text = to_text(finding);
      if (!told.insert(text).second || ++count > shown) continue;
      fmt::print(stderr, "{}\n", colour ? coloured(text, style) : text);
    }
    if (count > shown) fmt::print(stderr, "and {} more {}\n", count - shown, style.many);
  }
}

}  // namespace rehearse
