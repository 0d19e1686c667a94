// sim/output/trial.cpp — fork, limits, and the copy's last word.
#include "sim/output/trial.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include "sim/core/error.hpp"

namespace rehearse {
namespace {

constexpr int kOther = 1;  ///< exit code where something else than an InputError came up

[[noreturn]] void try_it(std::chrono::seconds most_cpu, const std::function<void()>& work) {
  const auto seconds = static_cast<rlim_t>(most_cpu.count());
  const rlimit cpu{seconds, seconds + 1};
  const rlimit core{0, 0};
  (void)setrlimit(RLIMIT_CPU, &cpu);
  (void)setrlimit(RLIMIT_CORE, &core);
  if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    (void)dup2(nowhere, STDERR_FILENO);  // what the C library says of its heap is no finding
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    (void)std::signal(signal, SIG_DFL);
  }
  try {
    work();
  } catch (const InputError&) {
    _exit(0);
  } catch (const std::exception&) {
    _exit(kOther);
  }
  _exit(0);
}

}  // namespace

std::string how_it_fails(std::chrono::seconds most_cpu, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child < 0) return "";  // no copy to be had: without the trial
  if (child == 0) try_it(most_cpu, work);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return "";
  }
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status) == SIGXCPU ? "without an end" : strsignal(WTERMSIG(status));
  }
  return WEXITSTATUS(status) == 0 ? "" : "more memory than there is";
}

}  // namespace rehearse
