// sim/study/pass_answer.cpp — the answer as JSON, there and back.
#include "sim/study/pass_answer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace rehearse {
namespace {

using Json = nlohmann::json;

std::uint32_t number_of(JobId id) {
  return static_cast<std::uint32_t>(id);
}

JobId id_in(const Json& json, const char* key) {
  return JobId{json[key].get<std::uint32_t>()};
}

}  // namespace

std::string to_text(const PassAnswer& answer) {
  Json json{{"made", Json::array()}, {"signalled", Json::array()}, {"held", Json::array()}};
  for (const DecidedStart& start : answer.made) {
    Json nodes = Json::array();
    for (const NodeId node : start.nodes) nodes.push_back(index_of(node));
    json["made"].push_back({{"job", number_of(start.job)}, {"nodes", nodes}});
  }
  for (const DecidedSignal& signal : answer.signalled) {
    json["signalled"].push_back(
        {{"victim", number_of(signal.victim)}, {"preemptor", number_of(signal.preemptor)}});
  }
  for (const auto& [job, why] : answer.held) {
    json["held"].push_back({{"job", number_of(job)}, {"why", why}});
  }
  return json.dump();
}

PassAnswer read_answer(std::string_view text) {
  const Json json = Json::parse(text);
  PassAnswer read;
  for (const Json& start : json["made"]) {
    DecidedStart made{id_in(start, "job"), {}};
    for (const Json& node : start["nodes"]) {
      made.nodes.push_back(id_at<NodeId>(node.get<std::size_t>()));
    }
    read.made.push_back(std::move(made));
  }
  for (const Json& signal : json["signalled"]) {
    read.signalled.push_back({id_in(signal, "victim"), id_in(signal, "preemptor")});
  }
  for (const Json& held : json["held"]) {
    read.held[id_in(held, "job")] = held["why"].get<std::string>();
  }
  return read;
}

void PassWatch::job_started(const Job& job, SlurmTime /*now*/) {
  DecidedStart start{job.id, {}};
  for (const NodeShare& share : job.allocation.nodes) start.nodes.push_back(share.node);
  std::sort(start.nodes.begin(), start.nodes.end());
  answer.made.push_back(std::move(start));
}

void PassWatch::job_preempted(const Job& victim, const Job& preemptor, SlurmTime /*now*/) {
  answer.signalled.push_back({victim.id, preemptor.id});
}

}  // namespace rehearse
