// sim/app/interrupt.cpp — SIGINT, SIGTERM and SIGHUP as a flag that the run loop looks at.
#include "sim/app/interrupt.hpp"

#include <csignal>

namespace rehearse {
namespace {

// A signal handler has no argument to carry state: the one mutable global of the program.
std::atomic<bool> flag{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void set_flag(int /*signal*/) {
  flag.store(true, std::memory_order_relaxed);
}

}  // namespace

void handle_signals() {
  struct sigaction once {};
  once.sa_handler = set_flag;
  // RESETHAND: the second signal finds the default.
  once.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &once, nullptr);
  sigaction(SIGTERM, &once, nullptr);
  struct sigaction now {};
  const bool is_ignored = sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
  if (!is_ignored) sigaction(SIGHUP, &once, nullptr);  // the terminal went away; nohup ignores it
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than allowed is an error of write, and told
}

const std::atomic<bool>& interrupted() {
  return flag;
}

}  // namespace rehearse
