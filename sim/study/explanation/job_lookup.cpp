// sim/study/explanation/job_lookup.cpp — an id is a number, with a task or a component.
#include "sim/study/explanation/job_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/config/sbatch_args.hpp"
#include "sim/core/error.hpp"
#include "sim/output/sacct_writer.hpp"

namespace rehearse {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// An id as written.
struct WrittenId {
  std::uint32_t id = 0;
  std::vector<std::uint32_t> tasks;        ///< empty: none was named
  std::optional<std::uint32_t> component;  ///< of a heterogeneous job
};

[[noreturn]] void refuse(std::string_view text, std::string hint) {
  throw InputError({"job id", 0, 0}, fmt::format("'{}' is not a job id", text), std::move(hint));
}

WrittenId read_id(std::string_view text) {
  constexpr const char* kForms = "write 123, 123_4 (a task of an array) or 200+1 (a component)";
  WrittenId written;
  if (const std::size_t dot = text.find('.'); dot != text.npos) {
    refuse(text, fmt::format("a step waits for nothing: ask for its job, {}", text.substr(0, dot)));
  }
  const std::size_t mark = std::min(text.find_first_of("_+"), text.size());
  const auto id = number(text.substr(0, mark));
  if (!id || *id == 0) refuse(text, kForms);  // 0: in a result, not of an array
  written.id = *id;
  if (mark == text.size()) return written;
  std::string_view rest = text.substr(mark + 1);
  if (text[mark] == '+') {
    written.component = number(rest);
    if (!written.component) refuse(text, kForms);
    return written;
  }
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  const auto tasks = parse_array_indexes(rest);
  if (!tasks || tasks->indexes.empty()) refuse(text, kForms);
  written.tasks = tasks->indexes;
  return written;
}

/// True if the row is one of the job's, or of its array's.
bool is_of(const Result& result, std::size_t row, const WrittenId& written) {
  const RunColumns& r = result.runs;
  if (r.restarts[row] > 0) return false;
  if (written.tasks.empty()) return r.job_id[row] == written.id || r.array_job[row] == written.id;
  if (r.array_job[row] != written.id) return false;
  const auto is_asked = [&](std::uint32_t task) {
    return std::find(written.tasks.begin(), written.tasks.end(), task) != written.tasks.end();
  };
  if (r.array_task[row] >= 0) return is_asked(static_cast<std::uint32_t>(r.array_task[row]));
  const auto waiting = parse_array_indexes(text_of(result.names.text, r.array_text[row]));
  return waiting && std::any_of(waiting->indexes.begin(), waiting->indexes.end(), is_asked);
}

/// Ids around `id`, as text.
std::string nearest(const Result& result, std::uint32_t id) {
  std::vector<std::uint32_t> ids;
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    const std::uint32_t array = result.runs.array_job[row];
    ids.push_back(array != 0 ? array : result.runs.job_id[row]);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.empty()) return "the run has no jobs";
  const auto after = std::lower_bound(ids.begin(), ids.end(), id);
  std::string text;
  if (after != ids.begin()) text += fmt::format("{}", *(after - 1));
  if (after != ids.end()) text += fmt::format("{}{}", text.empty() ? "" : " and ", *after);
  return fmt::format("the nearest are {}; the run has {} ids from {} to {}", text, ids.size(),
                     ids.front(), ids.back());
}

std::vector<std::uint32_t> rows_of(const Result& result, const WrittenId& written) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    if (is_of(result, row, written)) rows.push_back(static_cast<std::uint32_t>(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    // The rest of an array that never started goes last: its task is −1.
    return static_cast<std::uint32_t>(result.runs.array_task[a]) <
           static_cast<std::uint32_t>(result.runs.array_task[b]);
  });
  return rows;
}

}  // namespace

std::string refusal_of(const Result& result, std::uint32_t id) {
  for (std::size_t i = 0; i < result.rejections.size(); ++i) {
    if (result.rejections.job_id[i] != id) continue;
    return text_of(result.names.text, result.rejections.message[i]);
  }
  return {};
}

FoundJobs find_jobs(const Result& result, std::string_view text) {
  WrittenId written = read_id(text);
  FoundJobs found;
  if (written.component) {
    // Components have successive ids, the leader's first (lifecycle.md).
    found.note = fmt::format("component {} of the heterogeneous job {} is job {}",
                             *written.component, written.id, written.id + *written.component);
    written.id += *written.component;
  }
  found.rows = rows_of(result, written);
  if (!found.rows.empty()) return found;
  if (const std::string message = refusal_of(result, written.id); !message.empty()) {
    throw InputError({"job id", 0, 0}, fmt::format("job {} was refused at submission", written.id),
                     message);
  }
  if (!written.tasks.empty()) {
    const std::vector<std::uint32_t> all = rows_of(result, {written.id, {}, {}});
    if (!all.empty()) {
      const bool is_array = result.runs.array_job[all.front()] != 0;
      throw InputError(
          {"job id", 0, 0}, fmt::format("'{}': there is no such task", text),
          is_array ? fmt::format("the tasks of {} are for example {} and {}", written.id,
                                 job_id_text(result, all.front()), job_id_text(result, all.back()))
                   : fmt::format("{} is no array", written.id));
    }
  }
  throw InputError({"job id", 0, 0}, fmt::format("there is no job {}", text),
                   nearest(result, written.id));
}

}  // namespace rehearse
