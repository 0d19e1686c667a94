// sim/controller/job_commands.cpp — reading which jobs a command means, scontrol's verbs, scancel.
#include <algorithm>
#include <array>
#include <map>

#include "sim/config/hostlist.hpp"
#include "sim/config/sbatch_args.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kIdHint = "write 123, 123_4, 123_[1-3,7] or 123+1";
constexpr std::string_view kJobName = "jobname=";  // hold, uhold and release take it

/// The item at the front of a list whose commas may stand in brackets too.
std::string_view take_item(std::string_view& rest) {
  std::size_t end = 0;
  for (int depth = 0; end < rest.size() && (depth > 0 || rest[end] != ','); ++end) {
    depth += rest[end] == '[' ? 1 : rest[end] == ']' ? -1 : 0;
  }
  const std::string_view item = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return item;
}

std::optional<JobTarget> parse_job_target(std::string_view item) {
  const std::size_t digits = std::min(item.find_first_not_of("0123456789"), item.size());
  const auto id = text::parse_decimal32(item.substr(0, digits));
  if (!id || *id == 0) return std::nullopt;
  JobTarget target;
  target.id = JobId{*id};
  if (digits == item.size()) return target;
  const std::string_view part = item.substr(digits + 1);
  if (item[digits] == '+') {
    target.component = text::parse_decimal32(part);
    return target.component ? std::optional(target) : std::nullopt;
  }
  if (item[digits] != '_') return std::nullopt;
  if (part == "*") return target;
  const auto set = parse_array_indexes(part);
  if (!set || set->indexes.empty() || set->max_running > 0) return std::nullopt;
  target.tasks = set->indexes;
  return target;
}

bool takes_names(JobAction action) {
  return action == JobAction::Hold || action == JobAction::UserHold || action == JobAction::Release;
}

/// The targets in the words from `from` on, or nothing once it has been told what is wrong.
std::optional<std::vector<JobTarget>> read_targets(CommandText& text, std::size_t from,
                                                   bool by_name = false) {
  std::vector<JobTarget> all;
  for (std::size_t i = from; i < text.words.size(); ++i) {
    if (by_name && starts_with_ignoring_case(text.words[i], kJobName)) {
      JobTarget named;
      named.name = text.names.intern(std::string_view(text.words[i]).substr(kJobName.size()));
      all.push_back(named);
      continue;
    }
    const auto some = parse_job_targets(text.words[i]);
    if (!some) {
      text.fail(fmt::format("'{}' is not a job id", shortened(text.words[i])),
                std::string(kIdHint));
      return std::nullopt;
    }
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

struct StateWord {
  std::string_view whole, code;
  JobState state;
};
constexpr std::array<StateWord, 3> kStates = {{{"pending", "pd", JobState::Pending},
                                               {"running", "r", JobState::Running},
                                               {"suspended", "s", JobState::Suspended}}};

bool read_states(CommandText& text, const std::string& value, CancelJobs& cancel) {
  for (const std::string_view word : split_list(value)) {
    const std::string lower = to_lower(word);
    const auto known = std::find_if(kStates.begin(), kStates.end(), [&](const StateWord& each) {
      return lower == each.whole || lower == each.code;
    });
    if (known == kStates.end()) {
      text.fail(fmt::format("scancel: state '{}' is not known", shortened(word)),
                "PENDING, RUNNING or SUSPENDED");
      return false;
    }
    cancel.states.push_back(known->state);
  }
  return true;
}

bool read_nodes(CommandText& text, const std::string& value, CancelJobs& cancel) {
  const HostlistResult hosts = expand_hostlist(value);
  if (!hosts.error.empty()) text.fail(hosts.error);
  const auto nodes = known_nodes(text, hosts.hosts);
  if (!nodes || !hosts.error.empty()) return false;
  if (!cancel.nodes) cancel.nodes.emplace();
  cancel.nodes->insert(cancel.nodes->end(), nodes->begin(), nodes->end());
  return true;
}

/// An option of scancel: its name, and what was joined to it.
struct ScancelOption {
  std::string name;
  std::optional<std::string> value;
};

ScancelOption split_option(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (word.starts_with("--")) {
    if (equals == std::string::npos) return {word, std::nullopt};
    return {word.substr(0, equals), word.substr(equals + 1)};
  }
  if (word.size() > 2) return {word.substr(0, 2), word.substr(word[2] == '=' ? 3 : 2)};
  return {word, std::nullopt};
}

bool takes_no_value(const std::string& option) {
  constexpr std::array<std::string_view, 13> kFlags = {
      "-b", "--batch", "-c",        "--ctld", "-f",      "--full", "-H",
      "-Q", "--quiet", "--verbose", "-v",     "--hurry", "-i"};
  return std::find(kFlags.begin(), kFlags.end(), option) != kFlags.end();
}

bool apply_filter(CommandText& text, const std::string& option, const std::string& value,
                  CancelJobs& cancel) {
  const std::map<std::string_view, NameId*> filters{{"--user", &cancel.user},
                                                    {"-u", &cancel.user},
                                                    {"--account", &cancel.account},
                                                    {"-A", &cancel.account},
                                                    {"--partition", &cancel.partition},
                                                    {"-p", &cancel.partition},
                                                    {"--name", &cancel.name},
                                                    {"-n", &cancel.name},
                                                    {"--jobname", &cancel.name},
                                                    {"--qos", &cancel.qos},
                                                    {"-q", &cancel.qos},
                                                    {"--reservation", &cancel.reservation},
                                                    {"-R", &cancel.reservation},
                                                    {"--wckey", &cancel.wckey}};
  if (option == "--state" || option == "-t") return read_states(text, value, cancel);
  if (option == "--nodelist" || option == "-w") return read_nodes(text, value, cancel);
  if (option == "--signal" || option == "-s") {
    const std::string signal = to_lower(value);
    if (signal == "kill" || signal == "sigkill" || signal == "9") return true;
    text.not_simulated("a signal to programs");
    return false;
  }
  const auto filter = filters.find(option);
  if (filter == filters.end()) {
    text.fail(fmt::format("scancel: option '{}' is not known", shortened(option)),
              "--state, --user, --account, --partition, --qos, --name, --reservation, --wckey, "
              "--nodelist or job ids");
    return false;
  }
  *filter->second = text.names.intern(value);
  return true;
}

}  // namespace

std::optional<std::vector<JobTarget>> parse_job_targets(std::string_view text) {
  std::vector<JobTarget> targets;
  while (!text.empty()) {
    auto target = parse_job_target(take_item(text));
    if (!target) return std::nullopt;
    targets.push_back(std::move(*target));
  }
  return targets;
}

std::optional<JobAction> find_job_action(std::string_view verb) {
  constexpr std::array<std::pair<std::string_view, JobAction>, 8> kActions = {
      {{"hold", JobAction::Hold},
       {"uhold", JobAction::UserHold},
       {"release", JobAction::Release},
       {"requeue", JobAction::Requeue},
       {"requeuehold", JobAction::RequeueHold},
       {"suspend", JobAction::Suspend},
       {"resume", JobAction::Resume},
       {"top", JobAction::Top}}};
  for (const auto& [word, action] : kActions) {
    if (word == verb) return action;
  }
  return std::nullopt;
}

std::optional<AdminAction> read_job_action(CommandText& text, JobAction action) {
  if (action == JobAction::RequeueHold) {
    const auto words = std::erase_if(
        text.words, [](const std::string& word) { return to_lower(word) == "state=specialexit"; });
    if (words > 0) action = JobAction::SpecialExit;
  }
  auto targets = read_targets(text, 2, takes_names(action));
  if (!targets) return std::nullopt;
  if (targets->empty()) return text.fail("no job is named", std::string(kIdHint));
  return ActOnJobs{action, std::move(*targets)};
}

std::optional<AdminAction> read_scancel(CommandText& text) {
  CancelJobs cancel;
  std::vector<std::string> rest{text.words.front()};
  bool filtered = false;
  for (std::size_t i = 1; i < text.words.size(); ++i) {
    const std::string word = text.words[i];
    if (!word.starts_with('-')) {
      rest.push_back(word);
      continue;
    }
    ScancelOption option = split_option(word);
    if (takes_no_value(option.name)) continue;
    if (option.name == "--me") option = {"--user", "root"};  // whoever types here is root
    if (!option.value) {
      if (i + 1 == text.words.size()) {
        return text.fail(fmt::format("scancel: {} without a value", option.name));
      }
      option.value = text.words[++i];
    }
    if (!apply_filter(text, option.name, *option.value, cancel)) return std::nullopt;
    filtered = true;
  }
  text.words = std::move(rest);
  auto targets = read_targets(text, 1);
  if (!targets) return std::nullopt;
  if (targets->empty() && !filtered) {
    return text.fail("no job is named", "job ids, or --user, --state …");
  }
  cancel.targets = std::move(*targets);
  return cancel;
}

std::vector<JobId> jobs_acted_on(const std::vector<AdminCommand>& lines) {
  std::vector<JobId> ids;
  const auto add = [&](std::string_view list) {
    for (const JobTarget& target : parse_job_targets(list).value_or(std::vector<JobTarget>{})) {
      ids.push_back(target.id);
    }
  };
  for (const AdminCommand& line : lines) {
    const std::vector<std::string> words = split_words(line.command);
    if (words.size() < 3 || words[0] != "scontrol") continue;
    const std::string verb = to_lower(words[1]);
    const bool acts = find_job_action(verb).has_value();
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (acts) add(words[i]);
      if (verb == "update" && starts_with_ignoring_case(words[i], "jobid=")) {
        add(std::string_view(words[i]).substr(6));
      }
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<UpdatedWord> updated_words(const std::vector<AdminCommand>& lines) {
  std::vector<UpdatedWord> found;
  for (const AdminCommand& line : lines) {
    const std::vector<std::string> words = split_words(line.command);
    if (words.size() < 4 || words[0] != "scontrol" || to_lower(words[1]) != "update") continue;
    if (!starts_with_ignoring_case(words[2], "jobid=")) continue;
    const auto targets = parse_job_targets(std::string_view(words[2]).substr(6));
    for (const JobTarget& target : targets.value_or(std::vector<JobTarget>{})) {
      if (!target.tasks.empty()) continue;
      for (std::size_t i = 3; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        if (equals == std::string::npos) continue;
        found.push_back({target.id, to_lower(std::string_view(words[i]).substr(0, equals)),
                         words[i].substr(equals + 1)});
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

}  // namespace rehearse
