// sim/cluster/ids.hpp — the names of things in a cluster. None of them has arithmetic.
#pragma once

#include <cstdint>

#include "sim/core/bitset.hpp"
#include "sim/core/id.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

enum class NodeId : std::uint32_t {};         ///< position in natural name order: every tie break
enum class PartitionId : std::uint32_t {};    ///< position in slurm.conf
enum class AssociationId : std::uint32_t {};  ///< position in the account book; root is 0
enum class QosId : std::uint32_t {};          ///< position in the QOS list; `normal` is 0
enum class JobId : std::uint32_t {};          ///< Slurm's job id (JobIDRaw)
enum class JobIndex : std::uint32_t {};       ///< position in the job table, in order of submission
enum class ReservationId : std::uint32_t {};  ///< position in the reservation table
enum class RequestId : std::uint32_t {};      ///< an interned Request
enum class TresIndex : std::uint32_t {};  ///< position in the TRES table, in order of Slurm's ids

using NodeSet = Bitset;  ///< bit i: NodeId i

}  // namespace rehearse
