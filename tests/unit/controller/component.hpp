// tests/unit/controller/het_site.hpp — heterogeneous jobs in a site that is run.
#pragma once

#include <memory>
#include <string>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {

/// Makes the job a component of that leader's.
inline JobSpec& make_component(JobSpec& spec, std::uint32_t leader, std::uint32_t offset) {
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->het_leader = JobId{leader};
  spec.extras->het_offset = offset;
  return spec;
}

/// Of the first line that says so; -1: none does.
inline std::int64_t second_of(const RunSite& site, const std::string& what) {
  const auto lines = site.lines(what);
  return lines.empty() ? -1 : std::stoll(lines.front());
}

}  // namespace rehearse::test
