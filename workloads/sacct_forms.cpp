// workloads/sacct_forms.cpp — what values of sacct's columns look like, to tell which have shifted.
#include <algorithm>
#include <string_view>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "workloads/sacct_columns.hpp"

namespace rehearse {
namespace {

struct Known {
  std::string_view name;
  Form form;
};

constexpr Known kForms[] = {
    {"JobName", Form::FreeText},
    {"Comment", Form::FreeText},
    {"AdminComment", Form::FreeText},
    {"SystemComment", Form::FreeText},
    {"WorkDir", Form::FreeText},
    {"Extra", Form::FreeText},
    {"StdErr", Form::FreeText},
    {"StdIn", Form::FreeText},
    {"StdOut", Form::FreeText},
    {"Container", Form::FreeText},
    {"SubmitLine", Form::SubmitLine},
    {"Constraints", Form::Features},
    {"JobID", Form::JobId},
    {"JobIDRaw", Form::JobId},
    {"Submit", Form::Submit},
    {"State", Form::State},
    {"Eligible", Form::Instant},
    {"Start", Form::Instant},
    {"End", Form::Instant},
    {"Elapsed", Form::Length},
    {"Suspended", Form::Length},
    {"CPUTime", Form::Length},
    {"Planned", Form::Length},
    {"PlannedCPU", Form::Length},
    {"Reserved", Form::Length},
    {"ResvCPU", Form::Length},
    {"SystemCPU", Form::Length},
    {"TotalCPU", Form::Length},
    {"UserCPU", Form::Length},
    {"Timelimit", Form::Limit},
    {"TimelimitRaw", Form::Limit},
    {"ElapsedRaw", Form::Number},
    {"NNodes", Form::Number},
    {"ReqNodes", Form::Number},
    {"AllocNodes", Form::Number},
    {"NCPUS", Form::Number},
    {"ReqCPUS", Form::Number},
    {"AllocCPUS", Form::Number},
    {"AssocID", Form::Number},
    {"CPUTimeRAW", Form::Number},
    {"DBIndex", Form::Number},
    {"GID", Form::Number},
    {"NTasks", Form::Number},
    {"PlannedCPURAW", Form::Number},
    {"Priority", Form::Number},
    {"QOSRAW", Form::Number},
    {"ResvCPURAW", Form::Number},
    {"Restarts", Form::Number},
    {"UID", Form::Number},
    {"WCKeyID", Form::Number},
    {"ReqMem", Form::Amount},
    {"MaxRSS", Form::Amount},
    {"ReqTRES", Form::TresList},
    {"AllocTRES", Form::TresList},
    {"ExitCode", Form::ExitCode},
    {"DerivedExitCode", Form::ExitCode},
};

bool is_of(std::string_view value, std::string_view characters) {
  return value.find_first_not_of(characters) == std::string_view::npos;
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

/// `COMPLETED`, `CANCELLED by 1000`, `CANCELLED+`, `NODE_FAIL`; not a word with small letters.
bool is_state(std::string_view value) {
  const std::string_view word = value.substr(0, value.find(' '));
  if (word.empty() || !is_upper(word.front())) return false;
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return is_upper(c) || c == '_' || c == '+'; });
}

}  // namespace

Form form_of(std::string_view name) {
  for (const Known& known : kForms) {
    if (equals_ignoring_case(known.name, name)) return known.form;
  }
  return Form::Text;
}

bool looks_like_job_id(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return false;
  return is_of(text, "0123456789_[]-,:%+.abcdefghijklmnopqrstuvwxyz");
}

bool has_form(Form form, std::string_view value) {
  if (value.empty()) {
    return form != Form::JobId && form != Form::Submit && form != Form::State;
  }
  switch (form) {
    case Form::JobId:
      return looks_like_job_id(value);
    case Form::Submit:
    case Form::Amount:
      return is_digit(value.front());
    case Form::State:
      return is_state(value);
    case Form::Instant:
      return is_digit(value.front()) || value == "Unknown" || value == "None" || value == "N/A";
    case Form::Length:
      return value == "INVALID" || value == "Unknown" ||
             (value.find(':') != std::string_view::npos && is_of(value, "0123456789:.-"));
    case Form::Limit:
      return is_of(value, "0123456789:-") || value == "UNLIMITED" || value == "Partition_Limit";
    case Form::Number:
      return is_of(value, "0123456789");
    case Form::TresList:
      return value.find('=') != std::string_view::npos;
    case Form::ExitCode:
      return is_of(value, "0123456789:");
    case Form::Text:
    case Form::FreeText:
    case Form::SubmitLine:
    case Form::Features:
      break;
  }
  return true;
}

bool looks_usual(Form form, std::string_view value) {
  if (value.empty()) return true;
  if (form == Form::Features) {
    return std::count(value.begin(), value.end(), '[') ==
           std::count(value.begin(), value.end(), ']');
  }
  if (form == Form::SubmitLine) {
    std::string_view word = value.substr(0, value.find(' '));
    word.remove_prefix(word.rfind('/') + 1);  // npos + 1 is 0
    return value.front() == '-' || word == "sbatch" || word == "salloc" || word == "srun";
  }
  return true;
}

}  // namespace rehearse
