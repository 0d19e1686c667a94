// sim/app/size_json.cpp — the size of a cluster for scripts, in one versioned schema.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/app/size_print.hpp"
#include "sim/output/json_number.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json optional(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json tried_json(const TriedCount& tried, const SizeAnswer& answer, const SizeRequest& request) {
  Json json{{"count", tried.count},
            {"figures", Json::array()},
            {"run_meets", tried.target.holds},
            {"share", optional(tried.target.share)},
            {"meets", optional(answer.search.tried.at(tried.count).by_draws)},
            {"cannot_run", tried.target.cannot_run},
            {"gave_up", tried.gave_up},
            {"gpu_utilization", json_number(tried.gpu_utilization)},
            {"cpu_utilization", json_number(tried.cpu_utilization)},
            {"gpus", tried.gpus},
            {"cost_month", optional(tried.cost_month)},
            {"schedule_fingerprint", fmt::format("{:016x}", tried.schedule_fingerprint)},
            {"error", tried.error.empty() ? Json(nullptr) : Json(tried.error)}};
  for (std::size_t i = 0; i < tried.target.figures.size(); ++i) {
    const TargetFigure& figure = tried.target.figures[i];
    json["figures"].push_back({{"figure", to_text(request.target.figures[i])},
                               {"units", request.target.figures[i].info->units},
                               {"value", json_number(figure.value)},
                               {"band", figure.band ? Json::array({json_number(figure.band->low),
                                                                   json_number(figure.band->high)})
                                                    : Json(nullptr)},
                               {"users", figure.users}});
  }
  return json;
}

}  // namespace

std::string size_json(const SizeAnswer& answer, const SizeRequest& request) {
  const auto& found = answer.search;
  Json json{{"schema", "rehearse-size/1"},
            {"sentence", answer.sentence},
            {"status", found.is_complete ? "complete" : "partial"},
            {"node_type", request.node_type},
            {"nodes", answer.kind.text},
            {"target", request.target.text},
            {"confidence", request.confidence},
            {"answer", optional(found.answer())},
            {"answer_is_of", found.has_draws() ? "draws" : "run"},
            {"run_answer", optional(found.by_run)},
            {"today", answer.today},
            {"min", answer.bounds.min},
            {"max", answer.bounds.max},
            {"misses_above", found.misses_above()},
            {"knee", answer.knee ? Json(answer.tried[*answer.knee].count) : Json(nullptr)},
            {"jobs", answer.jobs},
            {"users", answer.users},
            {"never_started", answer.never_started},
            {"unrecorded", answer.unrecorded},
            {"currency", answer.currency},
            {"resampling",
             {{"draws", request.draws.draws},
              {"seed", request.draws.seed},
              {"level", request.draws.level},
              {"users_min", request.draws.users_min}}},
            {"tried", Json::array()},
            {"baseline", answer.baseline ? Json(to_text(answer.baseline->verdict)) : Json(nullptr)},
            {"doubts", answer.doubts}};
  for (const TriedCount& tried : answer.tried) {
    json["tried"].push_back(tried_json(tried, answer, request));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rehearse
