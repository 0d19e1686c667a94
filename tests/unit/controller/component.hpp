// tests/unit/controller/component.hpp — jobs made components of a heterogeneous one.
#pragma once

#include <memory>

#include "sim/cluster/job_spec.hpp"

namespace rehearse::test {

/// Makes the job a component of that leader's.
inline JobSpec& make_component(JobSpec& spec, std::uint32_t leader, std::uint32_t offset) {
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->het_leader = JobId{leader};
  spec.extras->het_offset = offset;
  return spec;
}

}  // namespace rehearse::test
