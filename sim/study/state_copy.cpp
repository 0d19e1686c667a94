// sim/study/state_copy.cpp — fork, a pipe, and the child's end.
#include "sim/study/state_copy.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

[[noreturn]] void answer_and_leave(int pipe, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(pipe, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);
    written += static_cast<std::size_t>(count);
  }
  _exit(0);  // no destructors, no second flush of what the parent has buffered
}

}  // namespace

std::string ask_a_copy(const std::function<std::string()>& answer) {
  std::array<int, 2> ends{};
  REHEARSE_CHECK(pipe(ends.data()) == 0, "no pipe: errno {}", errno);
  const pid_t child = fork();
  REHEARSE_CHECK(child >= 0, "no child process: errno {}", errno);
  if (child == 0) {
    close(ends[0]);
    answer_and_leave(ends[1], answer());
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  REHEARSE_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the copy ended with status {}",
                 status);
  return text;
}

}  // namespace rehearse
