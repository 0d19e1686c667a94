// workloads/logged_commands.cpp — a command and the first line about its first job that is near.
#include "workloads/logged_commands.hpp"

#include <charconv>
#include <utility>
#include <variant>

namespace rehearse {
namespace {

using Kind = LoggedCommand::Kind;

constexpr std::pair<std::string_view, Kind> kLines[] = {
    {"_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=", Kind::Kill},
    {"_slurm_rpc_update_job: complete JobId=", Kind::Update}};
constexpr std::string_view kReconfigure = "Processing Reconfiguration Request";
constexpr std::string_view kPartition = "update_part: setting ", kOfPartition = " for partition ";
/// A command takes so long, and its second may be that of its end.
constexpr Seconds kBefore{5}, kAfter{1};

/// What a line about the command would say; the id of none: any job's.
std::optional<LoggedCommand> line_of(const AdminAction& action) {
  const auto first = [](const std::vector<JobTarget>& targets) {
    return targets.empty() ? JobId{} : targets.front().id;
  };
  if (std::holds_alternative<UpdatePartition>(action))
    return LoggedCommand{{}, Kind::Partition, {}, {}};
  if (std::holds_alternative<Reconfigure>(action)) {
    return LoggedCommand{{}, Kind::Reconfigure, {}, {}};
  }
  if (const auto* cancel = std::get_if<CancelJobs>(&action)) {
    return LoggedCommand{{}, Kind::Kill, first(cancel->targets), {}};
  }
  if (const auto* update = std::get_if<UpdateJobs>(&action)) {
    return LoggedCommand{{}, Kind::Update, first(update->targets), {}};
  }
  const auto* act = std::get_if<ActOnJobs>(&action);
  if (act == nullptr) return std::nullopt;
  const bool updates = act->action == JobAction::Hold || act->action == JobAction::UserHold ||
                       act->action == JobAction::Release;
  if (!updates) return std::nullopt;
  return LoggedCommand{{}, Kind::Update, first(act->targets), {}};
}

/// `scontrol update PartitionName=gpu State=DOWN` is about the line's partition.
bool is_about(const std::string& text, const LoggedCommand& line) {
  if (line.partition.empty()) return true;
  const std::string name = "=" + line.partition;
  const std::size_t at = text.find(name);
  if (at == std::string::npos) return false;
  return at + name.size() == text.size() || text[at + name.size()] == ' ';
}

}  // namespace

std::optional<LoggedCommand> logged_command(std::string_view said) {
  if (said == kReconfigure) return LoggedCommand{{}, Kind::Reconfigure, {}, {}};
  if (said.starts_with(kPartition)) {
    const std::size_t of = said.rfind(kOfPartition);
    if (of == std::string_view::npos) return std::nullopt;
    return LoggedCommand{
        {}, Kind::Partition, {}, std::string(said.substr(of + kOfPartition.size()))};
  }
  for (const auto& [words, kind] : kLines) {
    if (!said.starts_with(words)) continue;
    said.remove_prefix(words.size());
    std::uint32_t id = 0;
    const auto read = std::from_chars(said.data(), said.data() + said.size(), id);
    if (read.ec != std::errc{}) return std::nullopt;
    return LoggedCommand{{}, kind, JobId{id}, {}};
  }
  return std::nullopt;
}

std::size_t sharpen(std::vector<AdminCommandAt>& commands,
                    const std::vector<LoggedCommand>& logged) {
  std::size_t sharpened = 0;
  std::vector<bool> used(logged.size());
  for (AdminCommandAt& command : commands) {
    const auto wanted = line_of(command.action);
    if (!wanted) continue;
    for (std::size_t i = 0; i < logged.size(); ++i) {
      const LoggedCommand& line = logged[i];
      if (used[i] || line.kind != wanted->kind) continue;
      if (!is_about(command.text, line)) continue;
      if (wanted->id != JobId{} && line.id != wanted->id) continue;
      if (line.at < command.at - kBefore || line.at >= command.at + kAfter) continue;
      used[i] = true;
      command.at = line.at;
      ++sharpened;
      break;
    }
  }
  put_in_order(commands);
  return sharpened;
}

}  // namespace rehearse
