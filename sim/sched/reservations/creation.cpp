// sim/sched/reservations/creation.cpp — the checks of a creation in Slurm's order.
#include "sim/sched/reservations/creation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cluster/features.hpp"
#include "sim/cluster/refusals.hpp"
#include "sim/sched/reservations/access.hpp"
#include "sim/sched/reservations/node_pick.hpp"

namespace rehearse {
namespace {

constexpr Seconds kMostPast{60};  // a start up to a minute ago is accepted
constexpr Seconds kYear{365 * 24 * 3600};

constexpr std::string_view kDuplicate = "Duplicate reservation name";
constexpr std::string_view kNoNode = "Invalid node name specified";

std::vector<LicenseRequest> licenses_of(const ReservationWords& words, NamePool& names) {
  std::vector<LicenseRequest> licenses;
  if (!words.licenses) return licenses;
  for (const ReservationLicense& each : *words.licenses) {
    licenses.push_back({names.intern(each.name), each.count});
  }
  return licenses;
}

/// What needs no state of the cluster.
Reservation outline(const ReservationWords& words, const Cluster& cluster, NamePool& names,
                    Diagnostics& found) {
  Reservation made;
  made.name = names.intern(words.name);
  made.flags = words.set;
  made.licenses = licenses_of(words, names);
  made.max_start_delay = words.max_start_delay;
  made.purge_after = words.purge_after;
  if (words.features && !words.features->empty()) made.features = names.intern(*words.features);
  if (words.partition && !words.partition->empty()) {
    if (const auto name = names.find(*words.partition))
      made.partition = cluster.find_partition(*name);
  }
  resolve_access(words, cluster, names, made.access, found);
  made.nodes.resize(cluster.nodes.size());
  return made;
}

/// Features that nodes have, without alternatives in brackets.
bool are_reservable(NameId features, const Cluster& cluster) {
  if (features == kNoName) return true;
  const auto parsed = FeatureExpression::parse(cluster.names.text(features));
  if (!parsed || parsed->has_alternatives()) return false;
  const auto names = parsed->features();
  return std::all_of(names.begin(), names.end(),
                     [&](std::string_view name) { return nodes_with(cluster, name).any(); });
}

void set_span(Reservation& made, const ReservationWords& words, SlurmTime now) {
  made.start = words.start.value_or(now);
  made.end = words.end                                         ? *words.end
             : words.duration && *words.duration != kUnlimited ? made.start + *words.duration
                                                               : made.start + kYear;
  made.float_start = std::max(Seconds{0}, made.start - now);
  made.length = made.end - made.start;
}

/// `<user or account>_<number>`.
std::string made_up_name(const ReservationWords& words, Cluster& cluster) {
  std::string base = "resv";
  if (words.accounts && !words.accounts->allowed.empty()) base = words.accounts->allowed.front();
  if (words.users && !words.users->allowed.empty()) base = words.users->allowed.front();
  for (std::uint32_t number = 1;; ++number) {
    std::string name = fmt::format("{}_{}", base, number);
    const auto known = cluster.names.find(name);
    if (!known || cluster.reservations.find(*known) == nullptr) return name;
  }
}

/// Core counts of named nodes, in their order: the lowest that nobody has reserved.
CoresByNode cores_of_named(const Cluster& cluster, const NodeSet& nodes,
                           const std::vector<std::uint32_t>& counts) {
  CoresByNode cores;
  std::size_t position = 0;
  for_each_bit(nodes, [&](std::size_t i) {
    const Node& node = cluster.nodes[id_at<NodeId>(i)];
    const std::uint32_t wanted = counts[std::min(position++, counts.size() - 1)];
    CoreSet some;
    std::uint32_t left = wanted;
    node.usable_cores().for_each([&](std::size_t core) {
      if (left > 0) some.set(core), --left;
    });
    cores[node.id] = some;
  });
  return cores;
}

}  // namespace

NodeSet named_nodes(const ReservationWords& words, const Cluster& cluster) {
  NodeSet nodes(cluster.nodes.size());
  if (words.all_nodes) {
    nodes.set();
    return nodes;
  }
  if (!words.nodes) return nodes;
  for (const std::string& host : words.nodes->allowed) {
    const auto name = cluster.names.find(host);
    if (const auto node = name ? cluster.find_node(*name) : std::nullopt)
      nodes.set(index_of(*node));
  }
  return nodes;
}

void check_names(const ReservationWords& words, const Cluster& cluster, NamePool& names,
                 Diagnostics& found) {
  if (words.nodes) {
    for (const std::string& host : words.nodes->allowed) {
      const auto name = names.find(host);
      if ((name && cluster.find_node(*name)) || cluster.has_lost(host)) continue;
      found.error(words.nodes->where, fmt::format("no node is called '{}'", host),
                  "see NodeName in slurm.conf");
    }
  }
  if (words.partition && !words.partition->empty()) {
    const auto name = names.find(*words.partition);
    if (!name || !cluster.find_partition(*name)) {
      found.error(words.where, fmt::format("no partition is called '{}'", *words.partition),
                  "see PartitionName in slurm.conf");
    }
  }
  for (const ReservationLicense& each :
       words.licenses.value_or(std::vector<ReservationLicense>{})) {
    const auto known =
        std::find_if(cluster.conf.licenses.begin(), cluster.conf.licenses.end(),
                     [&](const LicenseConf& conf) { return conf.name == each.name; });
    if (known == cluster.conf.licenses.end()) {
      found.error(words.where, fmt::format("no licence is called '{}'", each.name),
                  "see Licenses in slurm.conf");
    } else if (each.count > known->count) {
      found.error(words.where, fmt::format("{} of {} licences {} cannot be reserved", each.count,
                                           known->count, each.name));
    }
  }
}

namespace {

/// One of all nodes, or of all of a partition, has those that a change made, too.
void add_new_nodes(Reservation& made, const Cluster& cluster) {
  const bool of_partition = made.has(ReservationFlag::PartNodes) && made.partition;
  if (!of_partition && !made.has(ReservationFlag::AllNodes)) return;
  for (const std::string& host : cluster.inputs.site.added_nodes) {
    const auto name = cluster.names.find(host);
    const auto node = name ? cluster.find_node(*name) : std::nullopt;
    if (!node) continue;
    if (of_partition && !cluster.partitions[*made.partition].nodes.test(index_of(*node))) continue;
    made.nodes.set(index_of(*node));
  }
}

/// True if a change took all of its nodes away.
bool tell_lost_nodes(const ReservationWords& words, const Cluster& cluster, Diagnostics& found) {
  const std::vector<std::string>& named = words.nodes->allowed;
  const auto lost = static_cast<std::size_t>(std::count_if(
      named.begin(), named.end(), [&](const auto& host) { return cluster.has_lost(host); }));
  if (lost == 0) return false;
  const bool all = lost == named.size();
  found.note(
      words.nodes->where,
      fmt::format("{} of the {} nodes of reservation {} are taken away by a change: {}", lost,
                  named.size(), words.name, all ? "it is left out" : "it keeps the others"));
  return all;
}

}  // namespace

std::optional<Reservation> recorded_reservation(const ReservationWords& words,
                                                const Cluster& cluster, NamePool& names,
                                                Diagnostics& found) {
  check_names(words, cluster, names, found);
  if (words.nodes && tell_lost_nodes(words, cluster, found)) return std::nullopt;
  Reservation made = outline(words, cluster, names, found);
  set_span(made, words, words.start.value_or(SlurmTime{}));
  made.nodes = named_nodes(words, cluster);
  add_new_nodes(made, cluster);
  for (const auto& [host, ids] : words.core_ids) {
    const auto name = names.find(host);
    const auto node = name ? cluster.find_node(*name) : std::nullopt;
    if (!node && cluster.has_lost(host)) continue;
    if (!node) {
      found.error(words.where, fmt::format("NodeName: no node is called '{}'", host));
      continue;
    }
    CoreSet cores;
    for (const std::uint32_t core : ids) {
      if (core < cluster.nodes[*node].core_count()) cores.set(core);
    }
    if (cores == cluster.nodes[*node].usable_cores()) continue;
    made.full_nodes = false;
    made.cores[*node] = cores;
  }
  if (!made.full_nodes) {
    for_each_bit(made.nodes, [&](std::size_t i) {
      const auto node = id_at<NodeId>(i);
      made.cores.emplace(node, cluster.nodes[node].usable_cores());
    });
  }
  if (!made.has(ReservationFlag::SpecNodes)) {
    made.nodes_wanted = static_cast<std::uint32_t>(made.nodes.count());
  }
  return made;
}

std::variant<Reservation, std::string> create_reservation(const ReservationWords& words,
                                                          Cluster& cluster, SlurmTime now) {
  if (words.start && *words.start < now - kMostPast) return std::string(kInvalidTime);
  Diagnostics known;  // told when the commands were read
  Reservation made = outline(words, cluster, cluster.names, known);
  set_span(made, words, now);
  if (made.end <= now) return std::string(kInvalidTime);
  if (words.name.empty()) {
    made.name = cluster.names.intern(made_up_name(words, cluster));
  } else if (cluster.reservations.find(made.name) != nullptr) {
    return std::string(kDuplicate);
  }
  if (!are_reservable(made.features, cluster)) return std::string(kBadFeature);
  const bool all = words.all_nodes && !made.has(ReservationFlag::PartNodes);
  if (all && !made.partition) made.flags.set(ReservationFlag::AllNodes);
  const bool ignores = made.has(ReservationFlag::IgnoreJobs);
  const bool counts = !words.node_counts.empty() || !words.core_counts.empty();
  if (words.nodes) {
    made.nodes = words.all_nodes && made.partition ? cluster.partitions[*made.partition].nodes
                                                   : named_nodes(words, cluster);
    if (!all) made.flags.set(ReservationFlag::SpecNodes);
    if (!words.core_counts.empty()) {
      made.full_nodes = false;
      made.cores = cores_of_named(cluster, made.nodes, words.core_counts);
    }
    if (made.nodes.none()) return std::string(kNoNode);
    if (meets_another(cluster, made, made.nodes, made.cores)) return std::string(kOverlap);
    if (!ignores && made.full_nodes && meets_jobs(cluster, made, made.nodes)) {
      return std::string(kNodesBusy);
    }
  } else if (counts || words.partition || words.features) {
    auto picked =
        pick_nodes(cluster, {made, words.node_counts, words.core_counts, std::nullopt}, now);
    if (!picked) return std::string(kNodesBusy);
    made.nodes = std::move(picked->nodes);
    made.cores = std::move(picked->cores);
    made.full_nodes = made.cores.empty();
    made.nodes_wanted = static_cast<std::uint32_t>(made.nodes.count());
    for (const std::uint32_t count : words.core_counts) made.cores_wanted += count;
  }
  return made;
}

}  // namespace rehearse
