// sim/study/site_provenance.hpp — what a run of a site was made of.
#pragma once

#include <string>
#include <string_view>

#include "sim/output/provenance.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

/// Which program made it.
struct ProgramVersion {
  std::string_view release, commit;
};

/// The birth certificate of a run: every input with its SHA-256, the resolved configuration, and
/// the command that makes the result again.
[[nodiscard]] Provenance provenance_of(const LoadedSite& site, const LoadOptions& options,
                                       const ProgramVersion& program, std::string command);

}  // namespace rehearse
