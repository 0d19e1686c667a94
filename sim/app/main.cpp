// sim/app/main.cpp — the roof: runs a verb, and turns what went wrong into an exit code.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <new>

#include "sim/app/command_line.hpp"
#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/standard_streams.hpp"
#include "sim/core/error.hpp"

namespace {

rehearse::Exit run(int argc, char** argv) {
  try {
    return rehearse::run_command_line(argc, argv);
  } catch (const rehearse::InputError& error) {
    rehearse::print_findings(error.findings());
    return rehearse::Exit::BadInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "rehearse: error: there is not enough memory for this\n");
    return rehearse::Exit::Failed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "rehearse: error: {}\n", error.what());
    return rehearse::Exit::Failed;
  }
}

/// Where not even that can be told, the exit code has to do.
rehearse::Exit run_whatever_is_told(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception&) {
    return rehearse::Exit::Failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __POPCNT__
  if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("sse4.2")) {
    std::fputs(
        "rehearse: error: this processor lacks x86-64-v2 (SSE 4.2, POPCNT): build with "
        "-DREHEARSE_ANY_X86=ON\n",
        stderr);
    return static_cast<int>(rehearse::Exit::Failed);
  }
#endif
  rehearse::fill_closed_streams();
  rehearse::handle_signals();
  rehearse::Exit exit = run_whatever_is_told(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fputs("rehearse: error: the standard output could not be written\n", stderr);
    if (exit == rehearse::Exit::Ok) exit = rehearse::Exit::Failed;
  }
  return static_cast<int>(exit);
}
