// sim/output/export/openmetrics_nodes.cpp — each node's life as spans of one state and one load.
#include "sim/output/export/openmetrics_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/output/views/node_state.hpp"

namespace rehearse {
namespace {

/// The exporter counts by the beginning of sinfo's word. Of its states `err` and `resv` are not
/// here: a result does not hold which nodes are reserved.
constexpr std::array<std::string_view, 9> kStates{"alloc", "comp",  "down", "drain", "fail",
                                                  "idle",  "maint", "mix",  "other"};

std::size_t state_index(std::string_view word) {
  for (std::size_t i = 0; i + 1 < kStates.size(); ++i) {
    if (word.starts_with(kStates[i])) return i;
  }
  return kStates.size() - 1;
}

bool is_out_of_service(std::size_t state) {
  return kStates[state] == "down" || kStates[state] == "drain" || kStates[state] == "fail";
}

struct Change {
  std::int64_t time = 0, cpus = 0, gpu_milli = 0, memory_mib = 0;
  int flags = -1;      ///< −1: as before
  int completing = 0;  ///< jobs more that have ended and keep the node
};

struct NodeSpan {
  std::int64_t from = 0, to = 0, cpus = 0, gpu_milli = 0, memory_mib = 0;
  std::string word;  ///< sinfo's
  std::size_t state = 0;
};

/// CPUs of jobs that an admin has suspended are free meanwhile.
void add_lent_cores(const Result& result, std::vector<std::vector<Change>>& changes) {
  const SuspensionColumns& still = result.suspensions;
  std::multimap<std::uint32_t, std::size_t> lent;  // rows of suspensions, by run
  for (std::size_t i = 0; i < still.size(); ++i) {
    if (still.lends_cores[i] != 0) lent.emplace(still.run[i], i);
  }
  if (lent.empty()) return;
  for (std::size_t i = 0; i < result.holdings.size(); ++i) {
    const std::int64_t cpus = result.holdings.cpus[i];
    const auto [first, last] = lent.equal_range(result.holdings.run[i]);
    for (auto at = first; at != last; ++at) {
      const std::int64_t end = still.end[at->second];
      std::vector<Change>& of_node = changes[result.holdings.node[i]];
      of_node.push_back({still.begin[at->second], -cpus, 0});
      of_node.push_back({end == kNoTime ? result.end : end, cpus, 0});
    }
  }
}

std::vector<std::vector<NodeSpan>> spans_of(const Result& result) {
  std::vector<std::vector<Change>> changes(result.cluster.nodes.size());
  const RunColumns& runs = result.runs;
  std::vector<std::int64_t> clean = runs.end;  // when the last node of each run was
  for (std::size_t i = 0; i < result.completing.size(); ++i) {
    const std::int64_t at = result.completing.end[i];
    clean[result.completing.run[i]] = at == kNoTime ? result.end : at;
  }
  for (std::size_t i = 0; i < result.holdings.size(); ++i) {
    const std::uint32_t row = result.holdings.run[i];
    if (runs.start[row] == kNoTime) continue;
    const std::int64_t end = runs.end[row] == kNoTime ? result.end : runs.end[row];
    const std::int64_t cpus = result.holdings.cpus[i];
    const std::int64_t gpus = result.holdings.gpu_milli[i];
    const auto memory = static_cast<std::int64_t>(result.holdings.memory_mib[i]);
    changes[result.holdings.node[i]].push_back({runs.start[row], cpus, gpus, memory});
    changes[result.holdings.node[i]].push_back({end, -cpus, -gpus, -memory});
    if (clean[row] > end) {
      changes[result.holdings.node[i]].push_back({end, 0, 0, 0, -1, 1});
      changes[result.holdings.node[i]].push_back({clean[row], 0, 0, 0, -1, -1});
    }
  }
  add_lent_cores(result, changes);
  const NodeEventColumns& events = result.node_events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    changes[events.node[i]].push_back({events.time[i], 0, 0, 0, events.state[i], 0});
  }
  std::vector<std::vector<NodeSpan>> all(changes.size());
  for (std::size_t node = 0; node < changes.size(); ++node) {
    std::stable_sort(changes[node].begin(), changes[node].end(),
                     [](const Change& a, const Change& b) { return a.time < b.time; });
    NodeSpan now{result.begin, result.begin, 0, 0, 0, {}, 0};
    std::uint16_t flags = 0;
    std::int64_t held = 0;
    int completing = 0;
    const auto close = [&](std::int64_t at) {
      now.to = std::clamp(at, now.from, result.end);
      const std::uint32_t whole = result.cluster.nodes[node].effective_cpus;
      now.cpus = std::min(held, std::int64_t{whole});  // jobs may share CPUs
      now.word = node_state(flags, now.cpus, whole, completing > 0).whole;
      now.state = state_index(now.word);
      if (now.to > now.from) all[node].push_back(now);
      now.from = now.to;
    };
    for (const Change& change : changes[node]) {
      close(change.time);
      held += change.cpus;
      now.gpu_milli += change.gpu_milli;
      now.memory_mib += change.memory_mib;
      completing += change.completing;
      if (change.flags >= 0) flags = static_cast<std::uint16_t>(change.flags);
    }
    close(result.end);
  }
  return all;
}

/// The partitions that a node is in, and the whole cluster: what is counted, and under which label.
struct Place {
  std::string head, label;
};

std::vector<Place> places_of(const NodeFacts& node) {
  std::vector<Place> places{{"slurm_", ""}};
  for (std::size_t at = 0; at < node.partitions.size();) {
    const std::size_t comma = std::min(node.partitions.find(',', at), node.partitions.size());
    const std::string name = node.partitions.substr(at, comma - at);
    places.push_back({"slurm_partition_", labels({{"partition", name}})});
    at = comma + 1;
  }
  return places;
}

/// Families by their names.
class Families {
 public:
  MetricFamily& at(const std::string& name, std::string_view help, std::int64_t unit = 1) {
    const auto found = all_.try_emplace(name, MetricFamily{name, std::string(help), unit}).first;
    return found->second;
  }
  void emit(const std::function<void(MetricFamily)>& emit) {
    for (auto& [name, family] : all_) emit(std::move(family));
  }

 private:
  std::map<std::string, MetricFamily> all_;
};

/// What a node has of one thing, and what jobs hold of it.
struct Amount {
  const char* what;
  std::int64_t unit, whole, held;
};

/// The amount of the nodes: in all, held, and not held on nodes that may run jobs (idle) or may not
/// (other).
void add_amount(Families& families, const Place& place, const Amount& amount,
                const NodeSpan& span) {
  const bool is_out = is_out_of_service(span.state);
  const bool is_cluster = place.label.empty();
  const std::int64_t left = amount.whole - amount.held;
  const auto add = [&](const char* end, const char* meaning, std::int64_t value) {
    families
        .at(fmt::format("{}{}{}", place.head, amount.what, end),
            fmt::format(fmt::runtime(meaning), amount.what), amount.unit)
        .series[place.label]
        .add(value, span.from, span.to);
  };
  add("_total", "Total {}", amount.whole);
  add(is_cluster ? "_alloc" : "_allocated", "Allocated {}", amount.held);
  add("_idle", "Idle {} of nodes in service", is_out ? 0 : left);
  add("_other", "Idle {} of nodes out of service", is_out ? left : 0);
}

/// What each node has and gives, beside the state that it is in (the exporter's labels).
class SingleNodes {
 public:
  void add(const NodeFacts& facts, const NodeSpan& span) {
    const std::string by = labels({{"node", facts.name}, {"status", span.word}});
    const std::int64_t left = std::int64_t{facts.effective_cpus} - span.cpus;
    const bool is_out = is_out_of_service(span.state);
    const auto memory = static_cast<std::int64_t>(facts.real_memory_mib);
    const std::array<std::int64_t, 7> values{1,
                                             span.cpus,
                                             is_out ? 0 : left,
                                             is_out ? left : 0,
                                             facts.effective_cpus,
                                             span.memory_mib,
                                             memory};
    for (std::size_t i = 0; i < values.size(); ++i) {
      families_[i].series[by].hold(values[i], span.from, span.to);
    }
  }
  void emit(const std::function<void(MetricFamily)>& emit) {
    for (MetricFamily& family : families_) {
      family.sparse = true;
      emit(std::move(family));
    }
  }

 private:
  std::array<MetricFamily, 7> families_{{
      {"slurm_node_status", "1 while the node is in the state that status names"},
      {"slurm_node_cpu_alloc", "Allocated CPUs of the node"},
      {"slurm_node_cpu_idle", "Idle CPUs of a node in service"},
      {"slurm_node_cpu_other", "Idle CPUs of a node out of service"},
      {"slurm_node_cpu_total", "CPUs of the node"},
      {"slurm_node_mem_alloc", "Allocated memory of the node in MiB"},
      {"slurm_node_mem_total", "Memory of the node in MiB"},
  }};
};

}  // namespace

std::string labels(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, label_text(value));
  }
  return text + "}";
}

void write_node_families(const Result& result, const ExportOptions& options,
                         const std::function<void(MetricFamily)>& emit) {
  const auto spans = spans_of(result);
  Families families;
  SingleNodes single;
  for (std::size_t node = 0; node < spans.size(); ++node) {
    const NodeFacts& facts = result.cluster.nodes[node];
    for (const Place& place : places_of(facts)) {
      if (!place.label.empty() && !options.partitions) break;
      for (const std::string_view state : kStates) {
        families
            .at(fmt::format("{}nodes_{}", place.head, state),
                fmt::format("Nodes in state {}", state))
            .series[place.label];
      }
      MetricFamily& all = families.at(place.head + "nodes_total", "Total nodes");
      for (const NodeSpan& span : spans[node]) {
        families.at(fmt::format("{}nodes_{}", place.head, kStates[span.state]), "")
            .series[place.label]
            .add(1, span.from, span.to);
        all.series[place.label].add(1, span.from, span.to);
        add_amount(families, place, {"cpus", 1, facts.effective_cpus, span.cpus}, span);
        add_amount(families, place, {"gpus", 1000, facts.gpu_milli, span.gpu_milli}, span);
      }
    }
    if (!options.nodes) continue;
    for (const NodeSpan& span : spans[node]) single.add(facts, span);
  }
  families.emit(emit);
  if (options.nodes) single.emit(emit);
}

}  // namespace rehearse
