// sim/study/job_lacks.hpp — what a job asks for that no node of its partitions has, where amounts
// alone tell it.
#pragma once

#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/job.hpp"

namespace rehearse {

/// `487.5G of memory a node, none has more than 244.1G`; empty: it is a matter of shapes, features
/// or devices. The job has its partitions.
[[nodiscard]] std::string what_nodes_lack(const Job& job, const Cluster& cluster);

}  // namespace rehearse
