// sim/app/compare_json.cpp — a comparison for scripts, in one versioned schema.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/app/compare_print.hpp"
#include "sim/config/lint.hpp"
#include "sim/output/json_number.hpp"
#include "sim/study/comparison/moved_jobs.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

Json interval(const std::optional<Interval>& of) {
  return of ? Json::array({json_number(of->low), json_number(of->high)}) : Json(nullptr);
}

Json figure(const Figure& each) {
  return {{"units", each.info->units},
          {"a", json_number(each.a)},
          {"b", json_number(each.b)},
          {"difference", json_number(each.difference())},
          {"interval_a", interval(each.sure.a)},
          {"interval_b", interval(each.sure.b)},
          {"interval", interval(each.sure.difference)},
          {"significant", each.sure.is_significant()},
          {"judgement", judgement_of(each)},
          {"users", each.users}};
}

Json side(const Side& of) {
  Json json{{"label", of.label},
            {"cluster", of.result.cluster.cluster_name},
            {"slurm_version", of.result.cluster.slurm_version},
            {"status", of.result.complete ? "complete" : "partial"},
            {"simulated_begin", of.result.begin},
            {"simulated_end", of.result.end},
            {"schedule_fingerprint", fmt::format("{:016x}", of.result.loops.schedule_fingerprint)},
            {"version", of.provenance.version},
            {"commit", of.provenance.commit}};
  return json;
}

Json left_out(const LeftOut& of) {
  return {{"refused", of.refused},
          {"never_started", of.never_started},
          {"killed", of.killed},
          {"job_share", of.job_share},
          {"gpu_hour_share", of.gpu_hour_share ? Json(*of.gpu_hour_share) : Json(nullptr)},
          {"much", of.is_much()},
          {"account", of.account},
          {"account_jobs", of.account_jobs}};
}

Json groups(const Comparison& value) {
  Json json = Json::object();
  for (std::size_t scope = 0; scope < kPairScopeCount; ++scope) {
    Json rows = Json::array();
    for (const GroupRow& row : value.groups[scope]) {
      rows.push_back({{"name", row.name},
                      {"jobs", row.jobs},
                      {"started", row.started},
                      {"gpu_hours", json_number(row.gpu_hours)},
                      {"small", row.is_small},
                      {"wait_mean", figure(row.wait)},
                      {"wait_p95_a", json_number(row.p95_a)},
                      {"wait_p95_b", json_number(row.p95_b)},
                      {"added_hours", json_number(row.started > 0 ? row.added_hours() : 0)}});
    }
    json[std::string(to_text(static_cast<PairScope>(scope)))] = std::move(rows);
  }
  return json;
}

Json configuration(const ConfDifference& conf) {
  Json json{{"keys", Json::array()},
            {"nodes", conf.nodes},
            {"inputs", Json::array()},
            {"ignored_on_both_sides", conf.ignored_both}};
  for (const KeyDifference& key : conf.keys) {
    json["keys"].push_back({{"where", key.where},
                            {"key", key.key},
                            {"a", key.a},
                            {"b", key.b},
                            {"effect", to_text(key.effect)},
                            {"meaning", key.meaning}});
  }
  for (const InputDifference& input : conf.inputs) {
    json["inputs"].push_back({{"file", input.file},
                              {"lines_only_a", input.lines_only_a},
                              {"lines_only_b", input.lines_only_b},
                              {"only_a", input.only_a},
                              {"only_b", input.only_b}});
  }
  return json;
}

Json gpu_hours(const Comparison& value) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kGpuHoursCount; ++i) {
    json[std::string(name_of(static_cast<GpuHours>(i)))] = {
        {"a", json_number(value.gpu_hours_a[i])}, {"b", json_number(value.gpu_hours_b[i])}};
  }
  return json;
}

Json moved(const Comparison& value, const std::vector<MovedJob>& jobs) {
  const NamePool& names = value.pairs.names;
  const auto wait = [](const JobOutcome& of) {
    return of.has_started() ? Json(of.wait()) : Json(nullptr);
  };
  Json rows = Json::array();
  for (const MovedJob& each : jobs) {
    const JobPair& pair = *each.pair;
    rows.push_back({{"job", to_text(pair.a.key)},
                    {"user", names.text(pair.of(PairScope::User))},
                    {"account", names.text(pair.of(PairScope::Account))},
                    {"partition", names.text(pair.of(PairScope::Partition))},
                    {"qos", names.text(pair.of(PairScope::Qos))},
                    {"gpus", each.gpus},
                    {"submit", pair.a.submit},
                    {"wait_a", wait(pair.a)},
                    {"wait_b", wait(pair.b)},
                    {"difference", each.difference ? Json(*each.difference) : Json(nullptr)},
                    {"reason_a", each.reason_a},
                    {"reason_b", each.reason_b}});
  }
  return rows;
}

}  // namespace

std::string comparison_json(const Comparison& value, const ComparePrint& print) {
  const JobPairs& pairs = value.pairs;
  Json json{{"schema", "rehearse-compare/1"},
            {"verdict", to_text(value.verdict)},
            {"sentence", value.sentence()},
            {"a", side(*value.a)},
            {"b", side(*value.b)},
            {"pairs",
             {{"jobs", pairs.pairs.size()},
              {"users", pairs.paired_users},
              {"moved", value.moved},
              {"only_a", pairs.only_a.jobs},
              {"only_b", pairs.only_b.jobs},
              {"started_only_a", pairs.started_only_a},
              {"started_only_b", pairs.started_only_b},
              {"never_started", pairs.never_started},
              {"window_begin", pairs.window.from},
              {"window_end", pairs.window.to}}},
            {"left_out", {{"a", left_out(value.left_out_a)}, {"b", left_out(value.left_out_b)}}},
            {"resampling",
             {{"draws", value.options.draws},
              {"seed", value.options.seed},
              {"level", value.options.level},
              {"users_min", value.options.users_min}}}};
  json["figures"] = Json::object();
  for (const Figure& each : value.figures)
    json["figures"][std::string(each.info->name)] = figure(each);
  json["groups"] = groups(value);
  if (print.populations != nullptr) {
    json["populations"] = populations_json(*print.populations, value.options.level);
  }
  if (print.jobs > 0) {
    const MovedJobs jobs = moved_jobs(value, print.jobs);
    json["jobs"] = {{"longer", moved(value, jobs.longer)},
                    {"shorter", moved(value, jobs.shorter)},
                    {"longer_count", jobs.longer_count},
                    {"shorter_count", jobs.shorter_count}};
  }
  json["pending_hours"] = Json::object();
  for (const ReasonRow& row : value.reasons) {
    json["pending_hours"][row.reason] = {{"a", row.hours_a}, {"b", row.hours_b}};
  }
  json["pending_hours_left"] = {{"a", value.hours_left_a}, {"b", value.hours_left_b}};
  json["gpu_hours"] = gpu_hours(value);
  json["configuration"] = configuration(value.conf);
  json["doubts"] = value.doubts;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rehearse
