// sim/app/explain_tables.cpp — pending jobs by Reason over time, and an explanation for scripts.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/app/explain_print.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReasonColumns = 7;

Json instant(std::int64_t at) {
  return at == kNoTime ? Json(nullptr) : Json(at);
}

Json parts(const PriorityParts& of) {
  return {{"total", of.total},
          {"age", of.age},
          {"fair_share", of.fair_share},
          {"job_size", of.job_size},
          {"partition", of.partition},
          {"qos", of.qos},
          {"assoc", of.assoc},
          {"tres", of.tres},
          {"nice", of.nice}};
}

Json run_json(const Result& result, const ExplainedRun& run) {
  const RunColumns& r = result.runs;
  Json json{{"job", job_id_text(result, run.row)},
            {"user", text_of(result.names.user, r.user[run.row])},
            {"account", text_of(result.names.account, r.account[run.row])},
            {"submit", r.submit[run.row]},
            {"eligible", instant(r.eligible[run.row])},
            {"start", instant(r.start[run.row])},
            {"end", instant(r.end[run.row])},
            {"state", run_state_text(r.state[run.row])},
            {"reasons", Json::array()},
            {"priorities", Json::array()},
            {"went_first", Json::array()},
            {"took_its_nodes", Json::array()}};
  for (const ReasonSpan& span : run.spans) {
    json["reasons"].push_back({{"begin", span.begin},
                               {"end", span.end},
                               {"reason", to_text(span.reason)},
                               {"text", span.text},
                               {"meaning", meaning_of(span.reason)}});
  }
  for (const PriorityAt& each : run.priorities) {
    Json one = parts(each.parts);
    one["time"] = each.time;
    json["priorities"].push_back(std::move(one));
  }
  for (const Overtaker& each : run.overtakers) {
    json["went_first"].push_back({{"job", job_id_text(result, each.row)},
                                  {"user", text_of(result.names.user, r.user[each.row])},
                                  {"start", r.start[each.row]},
                                  {"rule", to_text(each.rule)},
                                  {"detail", each.detail},
                                  {"priority", each.priority},
                                  {"own_priority", each.own_priority}});
  }
  for (const std::uint32_t row : run.took_its_nodes) {
    json["took_its_nodes"].push_back(job_id_text(result, row));
  }
  return json;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string explanation_json(const Result& result, const Explanation& explanation) {
  Json json{{"schema", "rehearse-explain/1"}, {"runs", Json::array()}};
  for (const ExplainedRun& run : explanation.runs) json["runs"].push_back(run_json(result, run));
  return dump(json);
}

std::string reasons_json(const ReasonTable& table, std::int64_t period_s) {
  Json json{{"schema", "rehearse-reasons/1"},
            {"period_s", period_s},
            {"time", table.time},
            {"mean_pending", Json::object()}};
  for (std::size_t column = 0; column < table.reasons.size(); ++column) {
    Json values = Json::array();
    for (const auto& row : table.mean) values.push_back(row[column]);
    json["mean_pending"][std::string(to_text(table.reasons[column]))] = std::move(values);
  }
  return dump(json);
}

std::string reasons_text(const Result& result, const ReasonTable& table,
                         const TableOptions& format) {
  const TimeZone zone = zone_of(result);
  const std::size_t all = table.reasons.size();
  const std::size_t shown = format.parsable ? all : std::min(all, kReasonColumns);
  std::string text;
  constexpr std::size_t kLeastWidth = 10;
  const auto row = [&](const std::string& head, const auto& cell, const std::string& rest) {
    std::string out = format.parsable ? head : fmt::format("{:<19}", head);
    for (std::size_t column = 0; column < shown; ++column) {
      const std::size_t width = std::max(kLeastWidth, to_text(table.reasons[column]).size() + 2);
      out += format.parsable ? "|" + cell(column) : fmt::format("{:>{}}", cell(column), width);
    }
    if (shown < all) out += fmt::format("{:>10}", rest);
    text += out + "\n";
  };
  if (!format.no_header) {
    row(
        format.parsable ? "BEGIN" : "MEAN JOBS PENDING",
        [&](std::size_t column) { return std::string(to_text(table.reasons[column])); }, "others");
  }
  for (std::size_t bucket = 0; bucket < table.time.size(); ++bucket) {
    const std::vector<double>& mean = table.mean[bucket];
    double others = 0;
    for (std::size_t column = shown; column < all; ++column) others += mean[column];
    row(
        zone.print(from_epoch_seconds(table.time[bucket])),
        [&](std::size_t column) { return fmt::format("{:.1f}", mean[column]); },
        fmt::format("{:.1f}", others));
  }
  return text;
}

}  // namespace rehearse
