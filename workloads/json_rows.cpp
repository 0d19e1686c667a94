// workloads/json_rows.cpp — a scanner that finds job objects, and what each of their keys means.
#include "workloads/json_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "workloads/record_reader.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::json;

/// The position after the string that begins at `at`, which is its opening quote.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

/// The position after the object or list that begins at `at`; npos: it does not end in this text.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = after_string(text, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
    if (depth <= 0) return at;
  }
  return std::string_view::npos;
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// The value under a path of keys, or null where any of them is missing.
const Json* at_path(const Json& object, std::initializer_list<const char*> path) {
  const Json* here = &object;
  for (const char* key : path) {
    if (!here->is_object()) return nullptr;
    const auto found = here->find(key);
    if (found == here->end()) return nullptr;
    here = &*found;
  }
  return here;
}

struct Number {
  bool infinite = false;
  std::uint64_t value = 0;
};

/// A number in any of its forms; none: null, unset, negative or something else.
std::optional<Number> number_of(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_object()) {
    const Json* set = at_path(*value, {"set"});
    const Json* infinite = at_path(*value, {"infinite"});
    if (infinite != nullptr && *infinite == true) return Number{true, 0};
    if (set != nullptr && *set == false) return std::nullopt;
    const Json* number = at_path(*value, {"number"});
    return number != nullptr && number->is_object() ? std::nullopt : number_of(number);
  }
  if (value->is_number_unsigned()) return Number{false, value->get<std::uint64_t>()};
  if (value->is_number_float()) {
    const double real = value->get<double>();
    constexpr double kMost = 9e18;
    if (!(real >= 0) || real > kMost) return std::nullopt;
    return Number{false, static_cast<std::uint64_t>(real)};
  }
  return std::nullopt;
}

std::string text_of(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string{};
}

/// `state.current`: text, or a list of a state and its flags.
std::string state_of(const Json* value) {
  if (value == nullptr || !value->is_array()) return text_of(value);
  std::string first;
  for (const Json& item : *value) {
    const std::string text = text_of(&item);
    const auto state = parse_row_state(text);
    if (first.empty()) first = text;
    if (state && *state != RowState::Running) return text;  // COMPLETING is beside a state
    if (state) first = text;
  }
  return first;
}

/// A list of `{type, name, count}` as `cpu=8,gres/gpu=2,mem=64000M`.
std::string tres_of(const Json* list) {
  std::string text;
  if (list == nullptr || !list->is_array()) return text;
  for (const Json& entry : *list) {
    const auto count = number_of(at_path(entry, {"count"}));
    const std::string type = text_of(at_path(entry, {"type"}));
    const std::string name = text_of(at_path(entry, {"name"}));
    if (!count || type.empty()) continue;
    if (!text.empty()) text += ',';
    text += name.empty() ? type : fmt::format("{}/{}", type, name);
    text += fmt::format("={}", count->value);
    if (type == "mem") text += 'M';
  }
  return text;
}

std::string decimal(const std::optional<Number>& number) {
  return number && !number->infinite ? fmt::format("{}", number->value) : std::string{};
}

/// Of 22.05 a mask of the tasks, `0x3C`: `2-5` (formats.md §11). Others as they are.
std::string tasks_of(const std::string& told) {
  constexpr std::size_t kDigitsFrom = 2, kBits = 4;
  if (!told.starts_with("0x") ||
      told.find_first_not_of("0123456789abcdefABCDEF", kDigitsFrom) != std::string::npos) {
    return told;
  }
  const auto is_in = [&](std::size_t task) {
    const char c = lower(told[told.size() - 1 - task / kBits]);
    const auto digit = static_cast<unsigned>(is_digit(c) ? c - '0' : c - 'a' + 10);
    return (digit >> task % kBits & 1U) != 0;
  };
  const std::size_t end = (told.size() - kDigitsFrom) * kBits;
  std::string ranges;
  for (std::size_t first = 0; first < end; ++first) {
    if (!is_in(first)) continue;
    std::size_t last = first;
    while (last + 1 < end && is_in(last + 1)) ++last;
    ranges += fmt::format("{}{}", ranges.empty() ? "" : ",", first);
    if (last > first) ranges += fmt::format("-{}", last);
    first = last;
  }
  return ranges;
}

/// `123`, `123_4`, `123_[5-9]`, `123+1`.
std::string job_id_of(const Json& job) {
  const auto array = number_of(at_path(job, {"array", "job_id"}));
  if (array && array->value != 0) {
    const auto task = number_of(at_path(job, {"array", "task_id"}));
    if (task) return fmt::format("{}_{}", array->value, task->value);
    const std::string set = tasks_of(text_of(at_path(job, {"array", "task"})));
    const auto limit = number_of(at_path(job, {"array", "limits", "max", "running", "tasks"}));
    const bool told = !limit || limit->value == 0 || set.find('%') != std::string::npos;
    if (!set.empty()) {
      return told ? fmt::format("{}_[{}]", array->value, set)
                  : fmt::format("{}_[{}%{}]", array->value, set, limit->value);
    }
  }
  const auto leader = number_of(at_path(job, {"het", "job_id"}));
  if (leader && leader->value != 0) {
    const auto offset = number_of(at_path(job, {"het", "job_offset"}));
    return fmt::format("{}+{}", leader->value, offset ? offset->value : 0);
  }
  return decimal(number_of(at_path(job, {"job_id"})));
}

/// `4000Mn` or `2000Mc`, the forms of ReqMem that say of what.
std::string memory_of(const Json& job) {
  constexpr std::uint64_t kPerCpuFlag = 1ULL << 63U;  // in `required.memory` of 22.05
  if (const auto cpu = number_of(at_path(job, {"required", "memory_per_cpu"}))) {
    if (cpu->value > 0) return fmt::format("{}Mc", cpu->value);
  }
  if (const auto node = number_of(at_path(job, {"required", "memory_per_node"}))) {
    if (node->value > 0) return fmt::format("{}Mn", node->value);
  }
  const auto memory = number_of(at_path(job, {"required", "memory"}));
  if (!memory || memory->value < kPerCpuFlag) return {};  // then ReqTRES has the total
  return fmt::format("{}Mc", memory->value - kPerCpuFlag);
}

std::string exit_code_of(const Json& job) {
  const auto code = number_of(at_path(job, {"exit_code", "return_code"}));
  auto signal = number_of(at_path(job, {"exit_code", "signal", "signal_id"}));
  if (!signal) signal = number_of(at_path(job, {"exit_code", "signal", "id"}));
  if (!code && !signal) return {};
  return fmt::format("{}:{}", code ? code->value : 0, signal ? signal->value : 0);
}

}  // namespace

JsonRows::JsonRows(TextWindow text, ImportReport& report, RowFindings& found)
    : window_(std::move(text)), text_(window_.text()), report_(report), found_(found) {
  open_ = find_jobs();
  if (!open_) {
    found_.fail(0, 0, "has no array 'jobs'", "expected the output of sacct --json");
  }
}

/// Lets go what lies before `at_`, and reads on. False: there is no more.
bool JsonRows::slide() {
  const bool more = window_.slide(at_);
  text_ = window_.text();
  at_ = 0;
  return more;
}

void JsonRows::advance(std::size_t to) {
  const std::size_t end = std::min(to, text_.size());
  line_ += static_cast<std::uint64_t>(std::count(text_.data() + at_, text_.data() + end, '\n'));
  at_ = end;
}

/// Moves behind the `[` of the next `"jobs": [` at the top level of an object. False: none is left.
bool JsonRows::find_jobs() {
  while (at_ < text_.size() || slide()) {
    const char c = text_[at_];
    if (c != '"') {
      if (c == '{' || c == '[') ++depth_;
      if (c == '}' || c == ']') --depth_;
      advance(at_ + 1);
      continue;
    }
    const std::size_t end = after_string(text_, at_);
    std::size_t next = end;
    while (next < text_.size() && (is_space(text_[next]) || text_[next] == ':')) ++next;
    if (next >= text_.size() && slide()) continue;  // from the quote again, with what follows
    const bool is_jobs = depth_ == 1 && text_.substr(at_, end - at_) == "\"jobs\"" &&
                         next < text_.size() && text_[next] == '[';
    advance(is_jobs ? next + 1 : end);
    if (is_jobs) return true;
  }
  return false;
}

void JsonRows::skip_to_object() {
  do {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == ',')) advance(at_ + 1);
  } while (at_ >= text_.size() && slide());
}

/// The next object of the array, whole; empty at its end. `at_` is left at its beginning.
std::string_view JsonRows::take_object() {
  skip_to_object();
  if (at_ >= text_.size() || text_[at_] == ']') return {};
  for (;;) {
    const std::size_t end = end_of_value(text_, at_);
    if (end != std::string_view::npos) return text_.substr(at_, end - at_);
    if (!slide()) return text_.substr(at_);
  }
}

bool JsonRows::next(SacctRow& row) {
  while (open_) {
    const std::string_view object = take_object();
    if (object.empty()) {
      if (at_ >= text_.size()) {
        found_.fail(line_, 0, "ends inside the array 'jobs'", "the file was cut; copy it again");
      } else {
        advance(at_ + 1);
      }
      open_ = find_jobs();  // outputs one after the other; what is damaged at the end is told too
      continue;
    }
    row = {};
    values_.clear();
    row.line = line_;
    row.text = object;
    ++report_.rows_read;
    const bool fine = read_object(object, row);
    advance(at_ + object.size());
    if (fine) return true;
    report_.explain(Explained::Unusable, row.line);
  }
  return false;
}

bool JsonRows::read_object(std::string_view object, SacctRow& row) {
  const Json job = Json::parse(object, nullptr, false);
  if (!job.is_object()) {
    found_.unusable(row.line, 0, "is not a job object of JSON");
    return false;
  }
  const auto set = [&](Column column, std::string value) {
    row.fields[static_cast<std::size_t>(column)] = values_.emplace_back(std::move(value));
  };
  const auto text = [&](Column column, std::initializer_list<const char*> path) {
    set(column, text_of(at_path(job, path)));
  };
  const auto count = [&](Column column, std::initializer_list<const char*> path) {
    set(column, decimal(number_of(at_path(job, path))));
  };
  set(Column::JobId, job_id_of(job));
  count(Column::JobIdRaw, {"job_id"});
  text(Column::JobName, {"name"});
  std::string user = text_of(at_path(job, {"user"}));
  set(Column::User, user.empty() ? text_of(at_path(job, {"association", "user"})) : user);
  text(Column::Account, {"account"});
  text(Column::Partition, {"partition"});
  text(Column::Qos, {"qos"});
  text(Column::QosRequested, {"qosreq"});
  text(Column::Cluster, {"cluster"});
  count(Column::Submit, {"time", "submission"});
  count(Column::Eligible, {"time", "eligible"});
  count(Column::Start, {"time", "start"});
  count(Column::End, {"time", "end"});
  count(Column::ElapsedRaw, {"time", "elapsed"});
  if (const auto suspended = number_of(at_path(job, {"time", "suspended"}))) {
    set(Column::Suspended, format_elapsed(Seconds{static_cast<std::int64_t>(
                               std::min<std::uint64_t>(suspended->value, 1ULL << 40U))}));
  }
  const auto limit = number_of(at_path(job, {"time", "limit"}));
  set(Column::TimeLimitRaw, limit && limit->infinite ? "UNLIMITED" : decimal(limit));
  set(Column::State, state_of(at_path(job, {"state", "current"})));
  set(Column::ExitCode, exit_code_of(job));
  count(Column::AllocNodes, {"allocation_nodes"});
  count(Column::ReqCpus, {"required", "CPUs"});
  set(Column::ReqMem, memory_of(job));
  set(Column::ReqTres, tres_of(at_path(job, {"tres", "requested"})));
  set(Column::AllocTres, tres_of(at_path(job, {"tres", "allocated"})));
  text(Column::NodeList, {"nodes"});
  text(Column::Constraints, {"constraints"});
  text(Column::SubmitLine, {"submit_line"});
  text(Column::Reservation, {"reservation", "name"});
  text(Column::WcKey, {"wckey", "wckey"});
  return true;
}

}  // namespace rehearse
