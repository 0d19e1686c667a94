// workloads/generator/generator_text.cpp — a generator as the file that gives it back.
#include <fmt/format.h>

#include "sim/config/units.hpp"
#include "workloads/generator/distribution_text.hpp"
#include "workloads/generator/generator_conf.hpp"

namespace rehearse {
namespace {

/// A YAML text in double quotes: any name of a trace is safe in it.
std::string yaml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += fmt::format("\\{}", c);
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') {
      out += fmt::format("\\x{:02X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string rates(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

std::string spread(const Distribution& value, AmountUnit unit) {
  return yaml_text(to_text(value, unit));
}

std::string minutes(std::int64_t count) {
  return format_duration(Duration{count * 60000000});
}

std::string size_text(const AskedSize& size) {
  std::string text =
      fmt::format("{{weight: {:.6g}, nodes: {}, cpus: {}", size.weight, size.nodes, size.cpus);
  if (size.memory_mib > 0) text += fmt::format(", memory: {}M", size.memory_mib);
  if (!size.gres.empty()) text += ", gres: " + yaml_text(size.gres);
  return text + "}";
}

std::string limit_text(const AskedLimit& limit, std::string_view indent) {
  if (!limit.factor && !limit.values) return {};
  std::string text = fmt::format("{}limit:\n", indent);
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{}  {}: {}\n", indent, key, value);
  };
  if (limit.factor) line("factor", spread(*limit.factor, AmountUnit::Plain));
  if (limit.values) line("values", spread(*limit.values, AmountUnit::Timed));
  if (!limit.round_to.empty()) {
    std::string list;
    for (const std::int64_t each : limit.round_to) {
      list += (list.empty() ? "" : ", ") + minutes(each);
    }
    line("round_to", "[" + list + "]");
  }
  if (limit.correlation < 0 || limit.correlation > 0) {
    line("correlation", fmt::format("{:.3g}", limit.correlation));
  }
  if (limit.most > 0) line("most", minutes(limit.most));
  return text;
}

std::string kind_text(const JobKind& kind) {
  std::string text =
      fmt::format("      - name: {}\n        weight: {:.6g}\n", yaml_text(kind.name), kind.weight);
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("        {}:{}{}\n", key, value.empty() ? "" : " ", value);
  };
  if (!kind.partition.empty()) line("partition", yaml_text(kind.partition));
  if (!kind.qos.empty()) line("qos", yaml_text(kind.qos));
  if (!kind.account.empty()) line("account", yaml_text(kind.account));
  if (!kind.sizes.empty()) line("sizes", "");
  for (const AskedSize& size : kind.sizes) text += "          - " + size_text(size) + "\n";
  if (kind.scale.count) {
    line("scale", "");
    text += fmt::format("          count: {}\n          of: {}\n          per_node: {}\n",
                        spread(*kind.scale.count, AmountUnit::Plain), yaml_text(kind.scale.of),
                        kind.scale.per_node);
    text += fmt::format("          cpus_each: {}\n          memory_each: {}M\n",
                        kind.scale.cpus_each, kind.scale.memory_each_mib);
  }
  if (kind.run_time) line("run_time", spread(*kind.run_time, AmountUnit::Timed));
  text += limit_text(kind.limit, "        ");
  if (!kind.ends.empty()) line("outcomes", "");
  for (const EndChance& end : kind.ends) {
    text += fmt::format("          - {{state: {}, weight: {:.6g}", to_text(end.end), end.weight);
    if (end.after) text += ", after: " + spread(*end.after, AmountUnit::Timed);
    text += "}\n";
  }
  if (kind.array_share > 0 && kind.tasks) {
    line("array_share", fmt::format("{:.6g}", kind.array_share));
    line("tasks", spread(*kind.tasks, AmountUnit::Plain));
    if (kind.throttle > 0) line("throttle", fmt::format("{}", kind.throttle));
  }
  if (kind.dependent_share > 0) {
    line("dependent_share", fmt::format("{:.6g}", kind.dependent_share));
    line("dependency", kind.dependency);
  }
  return text;
}

std::string sessions_text(const SessionHabit& habit) {
  std::string text = "    sessions:\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("      {}: {}\n", key, value);
  };
  line("per_week", fmt::format("{:.6g}", habit.per_week));
  if (habit.jobs) line("jobs", spread(*habit.jobs, AmountUnit::Plain));
  if (habit.gap) line("gap", spread(*habit.gap, AmountUnit::Timed));
  if (habit.rest > Duration{0}) line("rest", format_duration(habit.rest));
  line("gap_correlation", fmt::format("{:.3g}", habit.gap_correlation));
  line("repeat", fmt::format("{:.3g}", habit.repeat));
  line("run_time_correlation", fmt::format("{:.3g}", habit.run_time_correlation));
  if (!habit.day.empty()) line("day", rates(habit.day));
  if (!habit.week.empty()) line("week", rates(habit.week));
  if (!habit.weeks.empty()) line("weeks", rates(habit.weeks));
  return text;
}

}  // namespace

std::string generator_text(const GeneratorConf& conf, const std::vector<std::string>& head) {
  std::string text;
  for (const std::string& line : head) text += fmt::format("# {}\n", line);
  text += fmt::format("seed: {}\ntime_zone: {}\nfrom: {}\nspan: {}\nrate: {:.6g}\nfirst_id: {}\n",
                      conf.seed, yaml_text(conf.time_zone), yaml_text(conf.from),
                      format_duration(conf.span), conf.rate, conf.first_id);
  text += "groups:\n";
  for (const UserGroup& group : conf.groups) {
    text += fmt::format("  - name: {}\n", yaml_text(group.name));
    if (!group.users.empty()) {
      std::string list;
      for (const std::string& user : group.users)
        list += (list.empty() ? "" : ", ") + yaml_text(user);
      text += fmt::format("    users: [{}]\n", list);
    } else {
      text += fmt::format("    count: {}\n", group.count);
    }
    text += fmt::format("    zipf: {:.4g}\n", group.zipf);
    if (group.habit > 0) text += fmt::format("    habit: {:.4g}\n", group.habit);
    if (group.pace > 0) text += fmt::format("    pace: {:.4g}\n", group.pace);
    if (!group.account.empty()) text += fmt::format("    account: {}\n", yaml_text(group.account));
    text += sessions_text(group.sessions) + "    kinds:\n";
    for (const JobKind& kind : group.kinds) text += kind_text(kind);
  }
  return text;
}

}  // namespace rehearse
