// sim/app/tune_text.cpp — the answer in sentences, the settings, their figures, and what to paste.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/app/registry_table.hpp"
#include "sim/app/text_wrap.hpp"
#include "sim/app/tune_print.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/output/text_file.hpp"
#include "sim/study/design.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

using Cell = RegistryTable::Cell;

Cell word(std::string text) {
  return {std::move(text), false, false};
}

Cell number(double value) {
  return std::isfinite(value) ? Cell{fmt::format("{}", value), true, false} : Cell{"", true, true};
}

std::string_view better(const StudyObjective& objective) {
  return objective.most ? "more" : "less";
}

/// The keys of the study, without the week that a run has.
std::size_t keys_of(const StudyConf& study) {
  return study.parameters.size() - 1;
}

/// A row a key, a column a setting: names of keys are long, and a front has few settings.
RegistryTable settings_table(const TuneAnswer& answer, const StudyConf& study) {
  RegistryTable table;
  table.header = {"key", setting_name(0)};
  for (const TunedSetting& each : answer.front) table.header.push_back(setting_name(each.tried));
  for (std::size_t i = 0; i < keys_of(study); ++i) {
    const StudyParameter& key = study.parameters[i];
    auto& row = table.rows.emplace_back();
    row.push_back(word(key.name));
    row.push_back(word(answer.today_values[i]));
    for (const TunedSetting& each : answer.front) {
      const std::string& value = answer.tried[each.tried].values[i];
      row.push_back(word(key.change.ends_with('+') ? value : written(key, value)));
    }
  }
  return table;
}

RegistryTable fates_table(const TuneAnswer& answer) {
  RegistryTable table;
  table.header = {"setting", "on training", "on held-out"};
  const auto add = [&](std::size_t tried, std::string training, std::string held_out) {
    table.rows.push_back(
        {word(setting_name(tried)), word(std::move(training)), word(std::move(held_out))});
  };
  add(0, answer.today_is_on_front ? "on the front" : "is beaten", "");
  for (const TunedSetting& each : answer.front) {
    add(each.tried, each.dominates_on_training ? "dominates" : "trades",
        fmt::format("{}{}{}", to_text(each.fate), survives(each.fate) ? "" : "  DOES NOT SURVIVE",
                    each.is_on_held_out_front ? "" : ", beaten by another"));
  }
  return table;
}

/// `wait_mean [s]`; a share or a count has no unit.
std::string with_unit(const std::string& figure) {
  const KpiDefinition* const known = find_kpi_definition(figure.substr(figure.rfind('/') + 1));
  if (known == nullptr || known->units == "1") return figure;
  return fmt::format("{} [{}]", figure, known->units);
}

/// A row a setting and objective. Person: the changes relative to today's held-out mean.
RegistryTable figures_table(const TuneAnswer& answer, const StudyConf& study) {
  RegistryTable table;
  table.header = {"objective", "better", "setting", "training", "held-out", "change", "interval"};
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const StudyObjective& objective = study.objectives[i];
    const double today = answer.today[i].held_out;
    const auto add = [&](std::size_t tried, const TunedFigure& figure) {
      const auto percent = [&](double value) {
        return today > 0 || today < 0 ? fmt::format("{:+.1f} %", 100 * value / std::abs(today))
                                      : fmt::format("{:+.4g}", value);
      };
      const bool is_today = tried == 0;
      auto& row = table.rows.emplace_back();
      row.push_back(word(is_today ? with_unit(objective.name()) : ""));
      row.push_back(word(is_today ? std::string(better(objective)) : ""));
      row.push_back(word(setting_name(tried)));
      row.push_back(number(figure.training));
      row.push_back(number(figure.held_out));
      row.push_back(word(is_today || std::isnan(figure.change) ? "" : percent(figure.change)));
      row.push_back(word(figure.interval ? fmt::format("{} .. {}", percent(figure.interval->low),
                                                       percent(figure.interval->high))
                                         : ""));
    };
    add(0, answer.today[i]);
    for (const TunedSetting& each : answer.front) add(each.tried, each.figures[i]);
  }
  return table;
}

std::string weeks_text(const TuneAnswer& answer, bool held_out) {
  std::string text;
  for (const TuneWeek& week : answer.weeks.weeks) {
    if (week.is_held_out != held_out) continue;
    text += fmt::format("{}{} ({} jobs)", text.empty() ? "" : ", ", week.from, week.jobs);
  }
  return text;
}

/// A comment of a shell script and of slurm.conf, whatever names and values are in the text.
std::string comment(std::string_view text) {
  std::string lines = "# ";
  for (const char c : text) lines += c == '\n' || c == '\r' ? "\n# " : std::string(1, c);
  return lines + "\n";
}

/// What comes before the first line of a file that is pasted.
std::string head_of(const TuneAnswer& answer, const StudyConf& study, const TunedSetting& each) {
  std::string text =
      comment(fmt::format("Setting {} of {}: {} on the held-out weeks{}.", setting_name(each.tried),
                          study.file.filename().string(), to_text(each.fate),
                          survives(each.fate) ? "" : ": IT DOES NOT SURVIVE THEM"));
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    text += comment(fmt::format("{} (the {} the better): today {:.6g}, held out {:.6g}",
                                study.objectives[i].name(), better(study.objectives[i]),
                                answer.today[i].held_out, each.figures[i].held_out));
  }
  for (const std::string& change : each.paste.by_hand) text += comment("by hand: " + change);
  return text;
}

std::string commands_of(const TunedSetting& each) {
  std::string text;
  for (const std::string& command : each.paste.commands) text += command + "\n";
  return text;
}

}  // namespace

std::string setting_name(std::size_t tried) {
  return tried == 0 ? "today" : fmt::format("{}", tried);
}

std::string tune_text(const TuneAnswer& answer, const StudyConf& study) {
  std::string text = wrapped(answer.sentence, "");
  text += fmt::format("\nstretches of {} days; training: {}\n", study.tune.days,
                      weeks_text(answer, false));
  text += fmt::format("held out: {}\n\n", weeks_text(answer, true));
  text += table_text(settings_table(answer, study), {});
  text += "\n" + table_text(fates_table(answer), {});
  text += "\n" + table_text(figures_table(answer, study), {});
  if (!answer.units.empty()) {
    text += wrapped(fmt::format("change: of held-out means, against today's on the same jobs; "
                                "intervals over {}, {:g} % for all of them together",
                                answer.units, 100 * study.tune.level),
                    "  ");
  }
  text +=
      fmt::format("hypervolume of the front {:.4f} (today's alone: 1; reference: twice as bad)\n",
                  answer.progress.back().volume);
  for (const TunedSetting& each : answer.front) {
    text += "\n" + head_of(answer, study, each) + each.paste.conf_diff + commands_of(each);
  }
  text += "\n";
  for (const std::string& doubt : answer.doubts) text += wrapped("- " + doubt, "  ");
  return text;
}

std::string tune_rows(const TuneAnswer& answer, const StudyConf& study, bool no_header) {
  RegistryTable table;
  table.header = {"SETTING",  "FATE",   "OBJECTIVE", "BETTER", "TRAINING",
                  "HELD_OUT", "CHANGE", "LOW",       "HIGH"};
  for (std::size_t i = 0; i < keys_of(study); ++i) table.header.push_back(study.parameters[i].name);
  const auto add = [&](std::size_t tried, std::string_view fate,
                       const std::vector<TunedFigure>& figures) {
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const TunedFigure& figure = figures[i];
      const double nothing = std::nan("");
      auto& row = table.rows.emplace_back();
      row = {word(setting_name(tried)),
             word(std::string(fate)),
             word(study.objectives[i].name()),
             word(std::string(better(study.objectives[i]))),
             number(figure.training),
             number(figure.held_out),
             number(figure.change),
             number(figure.interval ? figure.interval->low : nothing),
             number(figure.interval ? figure.interval->high : nothing)};
      for (const std::string& value : answer.tried[tried].values) row.push_back(word(value));
    }
  };
  add(0, "today", answer.today);
  for (const TunedSetting& each : answer.front) add(each.tried, to_text(each.fate), each.figures);
  TableOptions format;
  format.parsable = true;
  format.no_header = no_header;
  return table_text(table, format);
}

void write_pastes(const TuneAnswer& answer, const StudyConf& study, const fs::path& folder) {
  fs::create_directories(folder);
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const fs::path extension = entry.path().extension();
    const bool is_ours =
        name.starts_with("setting-") && (extension == ".diff" || extension == ".sh");
    if (is_ours && entry.is_regular_file()) old.push_back(entry.path());
  }
  for (const fs::path& path : old) fs::remove(path);
  for (const TunedSetting& each : answer.front) {
    const std::string head = head_of(answer, study, each);
    const fs::path stem = folder / fmt::format("setting-{:04}", each.tried);
    if (!each.paste.conf_diff.empty()) {
      write_text_file(
          stem.string() + ".diff",
          head +
              "# patch -d /etc/slurm -p0 < this, then scontrol reconfigure, or a restart "
              "of slurmctld where man slurm.conf says so\n" +
              each.paste.conf_diff);
    }
    if (!each.paste.commands.empty()) {
      write_text_file(stem.string() + ".sh", "#!/bin/sh -e\n" + head + commands_of(each));
    }
  }
}

}  // namespace rehearse
