// sim/app/progress_text.cpp — stderr, as a terminal or as a log.
#include "sim/app/progress_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace rehearse {
namespace {

constexpr const char* kClearLine = "\r\033[K";

/// `2027-01-15T08:42:02`, as the clock on the wall of this machine has it.
std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &local)};
}

}  // namespace

std::string time_left_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole >= 3600) return fmt::format("{}h{:02}min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{}min{:02}s", whole / 60, whole % 60);
  return fmt::format("{}s", whole);
}

ProgressText::ProgressText()
    : is_terminal_(isatty(STDERR_FILENO) == 1),
      pace_(is_terminal_ ? Pace::Onto::Terminal : Pace::Onto::File) {}

std::chrono::milliseconds ProgressText::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
}

double ProgressText::elapsed_s() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

void ProgressText::show(std::string_view text) {
  if (is_terminal_) {
    fmt::print(stderr, "{}{}", kClearLine, text);
  } else {
    fmt::print(stderr, "{}  {}\n", now_text(), text);
  }
  std::fflush(stderr);
  drawn_ = is_terminal_;
}

void ProgressText::clear() {
  if (drawn_) std::fputs(kClearLine, stderr);
  drawn_ = false;
}

}  // namespace rehearse
