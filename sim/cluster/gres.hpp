// sim/cluster/gres.hpp — the devices of a node after merging slurm.conf and gres.conf (gres.md
// §1.4–1.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/config/gres_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// A MIG instance is a device only while its GPU is cut so (models/gpu/mig_plan.hpp).
enum class Presence : std::uint8_t {
  Here,
  Absent,    ///< not now; jobs may ask for its Type and wait
  Unlisted,  ///< nor does Slurm's configuration know of it
};

/// One device: its index in NodeGres::devices is the index that `IDX:` shows.
struct GresDevice {
  NameId type = kNoName;
  std::optional<std::uint16_t> socket;  ///< none: any socket (gres.md §1.5)
  std::uint64_t units = 1;  ///< 1 for a device of its own; what may be shared of mps or shard
  Presence presence = Presence::Here;
  std::uint16_t milli = 1000;  ///< GPUs that it counts as, in thousandths, where Gres= changes
};

/// Sockets that Cores= of the devices of a Type touches: what is shown of them.
struct GresSockets {
  NameId type = kNoName;
  std::vector<bool> touched;  ///< by socket
};

/// One GRES name on one node. `devices` is empty where only a count is known (no File=).
struct NodeGres {
  NameId name = kNoName;
  std::vector<GresDevice> devices;
  bool count_only = false;    ///< no File=: `devices` (if any) are types with their counts
  std::uint64_t total = 0;    ///< units in all
  std::uint64_t milli = 0;    ///< GPUs in all, in thousandths, where Gres= changes; 0: by `total`
  bool has_topology = false;  ///< some record has Cores or Type (gres.md §1.5)
  bool no_consume = false;
  bool mixed_types = false;             ///< its devices are of more than one type
  bool one_sharing = false;             ///< only one device may be shared at a time (gres.md §1.3)
  std::optional<std::uint16_t> shares;  ///< of mps and shard: position of gpu among the node's GRES
  std::vector<std::vector<std::int32_t>> links;  ///< by device; empty: not known
  std::vector<GresSockets> sockets;              ///< empty: no line has Cores=
};

/// Merges one node's Gres= with the lines of gres.conf that apply to it, in GresTypes order.
/// Fewer devices than configured: a warning, and the node is to be drained, as slurmctld does.
struct MergedGres {
  std::vector<NodeGres> gres;
  std::string drain_reason;  ///< empty: fine
};
[[nodiscard]] MergedGres merge_gres(const NodeConf& node, const GresConf& gres_conf,
                                    const std::vector<std::string>& gres_types, NamePool& names,
                                    Diagnostics& found);
/// The same from a Gres= text that is read already.
[[nodiscard]] MergedGres merge_gres(const NodeConf& node, const std::vector<GresSpec>& specs,
                                    const GresConf& gres_conf,
                                    const std::vector<std::string>& gres_types, NamePool& names,
                                    Diagnostics& found);

}  // namespace rehearse
