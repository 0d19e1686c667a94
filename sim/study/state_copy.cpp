// sim/study/state_copy.cpp — fork, a pipe, and the child's end.
#include "sim/study/state_copy.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// A copy that was asked, and what it has said so far.
struct Copy {
  pid_t process = -1;
  int pipe = -1;
  std::size_t number = 0;
  std::string text;
};

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

Copy make_copy(std::size_t number, const std::function<std::string(std::size_t)>& answer) {
  std::array<int, 2> ends{};
  REHEARSE_CHECK(pipe(ends.data()) == 0, "no pipe: errno {}", errno);
  const pid_t child = fork();
  REHEARSE_CHECK(child >= 0, "no child process: errno {}", errno);
  if (child == 0) {
    close(ends[0]);
    answer_and_leave(ends[1], answer(number));
  }
  close(ends[1]);
  return {child, ends[0], number, {}};
}

/// Reads what there is; false: the copy has said all.
bool listen(Copy& copy) {
  std::array<char, 4096> buffer{};
  const ssize_t count = read(copy.pipe, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  copy.text.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

/// The copy's exit status.
int await(const Copy& copy) {
  close(copy.pipe);
  int status = 0;
  while (waitpid(copy.process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Waits until some copy says something, and listens to it; those that have said all leave.
void listen_to(std::vector<Copy>& copies, std::vector<std::string>& answers, bool& failed) {
  std::vector<pollfd> waiting;
  for (const Copy& copy : copies) waiting.push_back({copy.pipe, POLLIN, 0});
  if (poll(waiting.data(), waiting.size(), -1) < 0) return;  // a signal
  for (std::size_t i = waiting.size(); i-- > 0;) {
    if (waiting[i].revents == 0 || listen(copies[i])) continue;
    const int status = await(copies[i]);
    failed = failed || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    answers[copies[i].number] = std::move(copies[i].text);
    copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

std::string ask_a_copy(const std::function<std::string()>& answer) {
  return ask_copies(
             1, 1, [&](std::size_t) { return answer(); }, nullptr)
      ->front();
}

std::optional<std::vector<std::string>> ask_copies(
    std::size_t copies, std::size_t at_once, const std::function<std::string(std::size_t)>& answer,
    const std::atomic<bool>* interrupted) {
  std::vector<std::string> answers(copies);
  std::vector<Copy> asked;
  const auto is_interrupted = [&] {
    return interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
  };
  bool failed = false;
  std::size_t next = 0;
  while ((next < copies && !is_interrupted()) || !asked.empty()) {
    while (next < copies && asked.size() < std::max<std::size_t>(at_once, 1) && !is_interrupted()) {
      asked.push_back(make_copy(next++, answer));
    }
    if (!asked.empty()) listen_to(asked, answers, failed);
  }
  if (is_interrupted()) return std::nullopt;
  REHEARSE_CHECK(!failed, "a copy broke off");
  return answers;
}

}  // namespace rehearse
