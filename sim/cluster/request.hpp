// sim/cluster/request.hpp — what a job asks of nodes; jobs that ask the same share one Request.
//
// A Request is what slurmctld holds after the client's option mapping (scheduling.md §5.6, gres.md
// §2) and before any partition default is applied. It never changes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// One requested GRES name and type (gres.md §2.1). 0: not asked for in that way.
struct GresRequest {
  NameId name = kNoName;
  NameId type = kNoName;  ///< kNoName: any type
  std::uint64_t per_job = 0, per_node = 0, per_socket = 0, per_task = 0;
  std::uint64_t ntasks_per_gres = 0;
  friend auto operator<=>(const GresRequest&, const GresRequest&) = default;
};

enum class MemoryMode : std::uint8_t { None, PerNode, PerCpu, PerGpu };
/// How sockets give the cores of a node: as CR_CORE_DEFAULT_DIST_BLOCK says, one filled after the
/// other, or in turn.
enum class CoreDistribution : std::uint8_t { Default, Block, Cyclic };
enum class ExclusiveRequest : std::uint8_t { None, Exclusive, User, Mcs };

struct LicenseRequest {
  NameId name = kNoName;
  std::uint32_t count = 1;
  friend auto operator<=>(const LicenseRequest&, const LicenseRequest&) = default;
};

struct Request {
  std::uint32_t min_nodes = 1;
  std::optional<std::uint32_t> max_nodes;  ///< as the user gave it
  std::optional<std::uint32_t> num_tasks;  ///< as sent by the client
  /// Which counted it by --ntasks-per-node over a range of nodes: no count where GPUs are tasks'.
  bool tasks_by_range = false;
  std::uint32_t min_cpus = 1;
  std::optional<std::uint32_t> max_cpus;
  std::optional<std::uint16_t> cpus_per_task;
  /// Of the submission, where an update has changed it: by this each node's least CPUs go still.
  std::optional<std::uint16_t> first_cpus_per_task;
  std::uint16_t ntasks_per_node = 0;  ///< 0: not given; so for the next four
  std::uint16_t ntasks_per_socket = 0;
  std::uint16_t ntasks_per_core = 0;
  std::uint16_t sockets_per_node = 0;
  std::uint16_t cores_per_socket = 0;
  std::uint16_t threads_per_core = 0;
  std::uint32_t pn_min_cpus = 1;  ///< least CPUs of each node
  MemoryMode memory_mode = MemoryMode::None;
  std::uint64_t memory_mib = 0;  ///< [MiB] per node (0: all), CPU or GPU; None: LeftMemory
  std::uint64_t tmp_disk_mib = 0;
  std::optional<std::uint16_t> core_spec;  ///< --core-spec; binds under AllowSpecResourcesUsage
  ExclusiveRequest exclusive = ExclusiveRequest::None;
  bool oversubscribe = false, overcommit = false, contiguous = false, spread = false,
       use_min_nodes = false, enforce_binding = false, nomultithread = false, reboot = false;
  CoreDistribution distribution = CoreDistribution::Default;
  std::optional<std::uint32_t> switches;
  Seconds switches_wait{0};  ///< without `@t`: for ever, but for max_switch_wait
  std::vector<GresRequest> gres;
  std::uint32_t cpus_per_gpu = 0;  ///< 0: not given
  /// DefCpuPerGPU that stays with the job (0: none), whatever the partition (gres.md §2.3); none:
  /// that of each partition.
  std::optional<std::uint32_t> kept_cpus_per_gpu;
  NameId features = kNoName;  ///< the -C expression as written
  NameId prefer = kNoName;    ///< the --prefer expression as written
  bool prefers = false;       ///< of the record that goes by `prefer` (scheduling.md §3.1)
  std::vector<NameId> required_nodes;  ///< -w, expanded
  std::vector<NameId> excluded_nodes;  ///< -x, expanded
  std::vector<LicenseRequest> licenses;
  bool any_license = false;  ///< `-L a|b`: one of them, the first that is free (25.05)
  /// The features that its nodes are to have.
  [[nodiscard]] NameId features_wanted() const { return prefers ? prefer : features; }
  friend auto operator<=>(const Request&, const Request&) = default;
};

/// Equal requests get equal ids; ids are in order of first use.
class RequestTable {
 public:
  RequestId intern(const Request& request);
  [[nodiscard]] const Request& operator[](RequestId id) const { return *by_id_[index_of(id)]; }
  [[nodiscard]] std::size_t size() const { return by_id_.size(); }

  /// Of those so far: every one is for this GRES; for some; one is, and another is not.
  [[nodiscard]] bool all_want(NameId gres) const { return wanted_by_all_.contains(gres); }
  [[nodiscard]] bool all_want_gres() const { return wanting_ == by_id_.size(); }
  [[nodiscard]] bool some_want_gres() const { return wanting_ > 0 && !all_want_gres(); }

 private:
  void note_gres(const Request& request);

  std::map<Request, RequestId> ids_;
  std::vector<const Request*> by_id_;  // the keys of ids_, which do not move
  std::size_t wanting_ = 0;            // requests for any GRES
  std::set<NameId> wanted_by_all_;
};

}  // namespace rehearse
