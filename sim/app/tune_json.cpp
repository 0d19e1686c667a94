// sim/app/tune_json.cpp — a front for scripts, in one versioned schema.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/app/tune_print.hpp"
#include "sim/output/json_number.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

Json values_json(const Setting& values, const StudyConf& study) {
  if (!values.empty() && values.front() == kAsItIs) return nullptr;
  Json json = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) json[study.parameters[i].name] = values[i];
  return json;
}

Json figures_json(const std::vector<TunedFigure>& figures, const StudyConf& study) {
  Json json = Json::array();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const TunedFigure& figure = figures[i];
    json.push_back({{"objective", study.objectives[i].name()},
                    {"training", json_number(figure.training)},
                    {"held_out", json_number(figure.held_out)},
                    {"change", json_number(figure.change)},
                    {"interval", figure.interval ? Json::array({json_number(figure.interval->low),
                                                                json_number(figure.interval->high)})
                                                 : Json(nullptr)}});
  }
  return json;
}

Json setting_json(const TunedSetting& each, const TuneAnswer& answer, const StudyConf& study) {
  return {{"setting", each.tried},
          {"values", values_json(answer.tried[each.tried].values, study)},
          {"fate", to_text(each.fate)},
          {"survives", survives(each.fate)},
          {"dominates_on_training", each.dominates_on_training},
          {"is_on_held_out_front", each.is_on_held_out_front},
          {"unstarted_held_out", json_number(each.unstarted_held_out)},
          {"figures", figures_json(each.figures, study)},
          {"diff", each.paste.conf_diff},
          {"commands", each.paste.commands},
          {"by_hand", each.paste.by_hand}};
}

Json tried_json(const TriedSetting& tried, const StudyConf& study) {
  Json json{{"values", values_json(tried.values, study)},
            {"training", Json::array()},
            {"unstarted", json_number(tried.unstarted)},
            {"keeps_constraint", !(tried.fitness.violation > 0)},
            {"error", tried.error.empty() ? Json(nullptr) : Json(tried.error)}};
  for (const double value : tried.training) json["training"].push_back(json_number(value));
  return json;
}

}  // namespace

std::string tune_json(const TuneAnswer& answer, const StudyConf& study) {
  Json json{
      {"schema", "rehearse-tune/1"},
      {"sentence", answer.sentence},
      {"method", to_text(study.tune.method)},
      {"seed", study.seed},
      {"samples", study.samples},
      {"replications", study.replications},
      {"split", to_text(study.tune.split)},
      {"days", study.tune.days},
      {"level", study.tune.level},
      {"unstarted", study.tune.unstarted},
      {"objectives", Json::array()},
      {"weeks", Json::array()},
      {"jobs_left_out", answer.weeks.jobs_left_out},
      {"is_exhaustive", answer.is_exhaustive},
      {"intervals_over", answer.units.empty() ? Json(nullptr) : Json(answer.units)},
      {"today",
       {{"figures", figures_json(answer.today, study)}, {"is_on_front", answer.today_is_on_front}}},
      {"front_size", answer.front_size},
      {"front", Json::array()},
      {"hypervolume", json_number(answer.progress.back().volume)},
      {"progress", Json::array()},
      {"tried", Json::array()},
      {"doubts", answer.doubts}};
  for (const StudyObjective& each : study.objectives) {
    json["objectives"].push_back({{"name", each.name()}, {"better", each.most ? "more" : "less"}});
  }
  for (const TuneWeek& week : answer.weeks.weeks) {
    json["weeks"].push_back({{"from", week.from},
                             {"to", week.to},
                             {"jobs", week.jobs},
                             {"is_held_out", week.is_held_out}});
  }
  for (const TunedSetting& each : answer.front) {
    json["front"].push_back(setting_json(each, answer, study));
  }
  for (const TuneProgress& each : answer.progress) {
    json["progress"].push_back({{"tried", each.tried}, {"hypervolume", json_number(each.volume)}});
  }
  for (const TriedSetting& tried : answer.tried) json["tried"].push_back(tried_json(tried, study));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rehearse
