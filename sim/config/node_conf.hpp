// sim/config/node_conf.hpp — one node of slurm.conf, defaults and inference applied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

/// One NodeName record, expanded to one node, defaults and inference applied (formats.md §3).
struct NodeConf {
  std::string name;
  std::uint32_t boards = 1;
  std::uint32_t sockets = 1;  ///< of the whole node (boards × sockets per board)
  std::uint32_t cores_per_socket = 1;
  std::uint32_t threads_per_core = 1;
  std::uint32_t cpus = 1;  ///< sockets, cores or threads in all (formats.md §3)
  std::uint64_t real_memory_mib = 1;
  std::uint64_t mem_spec_limit_mib = 0;
  std::uint32_t core_spec_count = 0;
  std::vector<std::uint32_t> cpu_spec_list;
  std::uint64_t tmp_disk_mib = 0;
  std::uint32_t weight = 1;
  std::vector<std::string> features;
  std::string gres;  ///< the text of Gres=, parsed by gres_spec
  std::string state = "UNKNOWN";
  std::string reason;
  SourcePosition where;
  SourcePosition gres_where;
};

}  // namespace rehearse
