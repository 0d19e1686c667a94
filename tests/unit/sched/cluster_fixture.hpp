// tests/unit/sched/cluster_fixture.hpp — small clusters by hand, asked with sbatch's words.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/ledger.hpp"
#include "sim/cluster/node.hpp"
#include "sim/cluster/partition.hpp"
#include "sim/cluster/whole_nodes.hpp"
#include "sim/config/topology_conf.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/select/context.hpp"
#include "sim/sched/select/request_rules.hpp"
#include "tests/support/ask_request.hpp"

namespace rehearse::test {

/// The nodes of one NodeName line.
struct NodeLine {
  std::vector<std::string> names = {};
  std::uint32_t sockets = 1, cores = 1, threads = 1;
  std::uint64_t memory_mib = 1;
  std::vector<GresSpec> gres = {};
  std::vector<std::string> features = {};
  std::uint32_t weight = 1;
  std::uint32_t core_spec = 0;
};

/// Both ends and all between.
[[nodiscard]] inline std::vector<std::uint32_t> span(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = first; i <= last; ++i) numbers.push_back(i);
  return numbers;
}

/// One line of gres.conf: `device` numbers become files.
struct DeviceLine {
  std::string node = {}, name = {}, type = {};
  std::vector<std::uint32_t> devices = {};  ///< empty: no File=
  std::vector<std::uint32_t> cores = {};
  std::vector<std::int32_t> links = {};
  std::optional<std::uint64_t> count = {};
};

class TestCluster {
 public:
  TestCluster();

  /// In natural order of names: call in that order.
  void add(const NodeLine& line);
  /// Before the nodes that have them.
  void add(const DeviceLine& line);
  /// The nodes of a line with `gpus` GPUs of no type at each socket.
  void add_gpu_nodes(NodeLine line, std::uint32_t gpus);
  PartitionConf& partition(const std::string& name, const std::vector<std::string>& nodes);
  /// To be called once the configuration is complete.
  void build();

  /// As slurmctld takes it in.
  [[nodiscard]] Request request(std::string_view options) {
    Request asked = ask_request(options, names);
    settle_whole_nodes(asked, conf);
    return asked;
  }
  [[nodiscard]] RuledRequest ruled(std::string_view options, const std::string& partition);

  [[nodiscard]] std::optional<Allocation> place(std::string_view options,
                                                const std::string& partition = "");
  [[nodiscard]] std::optional<Allocation> ever(std::string_view options,
                                               const std::string& partition = "");
  /// Places and takes; the text of `cpus()`, or "waits".
  std::string start(std::string_view options, const std::string& partition = "");
  /// Takes that many CPUs of a node for nobody in particular.
  void fill(const std::string& node, std::uint32_t cpus);
  /// Takes these cores of a node, and devices of its first GRES, for good.
  void hold(const std::string& node, const std::vector<std::uint32_t>& cores,
            const std::vector<std::uint16_t>& devices = {});
  void end(std::size_t started);
  void end_all();

  /// `n1:4 n2:1`.
  [[nodiscard]] std::string cpus(const std::optional<Allocation>& allocation) const;
  /// `n1 0-1,4; n2 0`: cores by node.
  [[nodiscard]] std::string cores(const std::optional<Allocation>& allocation) const;
  /// `n1 0,2; n2 1`: devices by node.
  [[nodiscard]] std::string devices(const std::optional<Allocation>& allocation) const;
  /// `cores | devices` of what would be placed, or "none".
  [[nodiscard]] std::string given(std::string_view options, const std::string& partition = "");

  SlurmConf conf;
  SlurmVersion version;
  std::vector<SwitchConf> topology;
  std::optional<Topology> tree;  ///< of these, once it is built
  NamePool names;
  RequestTable requests;
  IdVector<NodeId, Node> nodes;
  IdVector<PartitionId, Partition> partitions;
  Diagnostics found;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<SelectPlugin> plugin;
  NodeSet candidates;  ///< all, unless a test changes it
  bool future = false;
  CoresByNode reserved;  ///< cores that reservations keep from whoever asks

 private:
  struct Started {
    Allocation allocation;
    PartitionId partition{};
  };
  [[nodiscard]] std::optional<Allocation> ask(std::string_view options, const std::string& name,
                                              bool ignore_use);
  [[nodiscard]] PartitionId find(const std::string& name) const;
  [[nodiscard]] const Node& node_of(const std::string& name) const;

  GresConf gres_conf_;
  std::vector<std::optional<Started>> started_;
};

/// `0-3,7`.
[[nodiscard]] std::string ranges(const std::vector<std::size_t>& numbers);

}  // namespace rehearse::test
