// tests/fuzz/targets.hpp — every reader as a function of any bytes, which must come back from each.
#pragma once

#include <array>
#include <string_view>

namespace rehearse::test {

/// Reads `text`. May throw InputError; anything else that does not return is a finding.
using FuzzTarget = void (*)(std::string_view text);

void fuzz_cgroup_conf(std::string_view text);
void fuzz_compressed(std::string_view text);
void fuzz_conditions(std::string_view text);
void fuzz_controller_log(std::string_view text);
void fuzz_edited_conf(std::string_view text);
void fuzz_events_csv(std::string_view text);
void fuzz_generator(std::string_view text);
void fuzz_gpu_catalogue(std::string_view text);
void fuzz_gres_conf(std::string_view text);
void fuzz_hostlist(std::string_view text);
void fuzz_imports(std::string_view text);
void fuzz_reservations(std::string_view text);
void fuzz_sacct_json(std::string_view text);
void fuzz_sacct_text(std::string_view text);
void fuzz_sacctmgr_dump(std::string_view text);
void fuzz_sacctmgr_tables(std::string_view text);
void fuzz_sdiag(std::string_view text);
void fuzz_site_folder(std::string_view text);
void fuzz_site_yaml(std::string_view text);
void fuzz_slurm_conf(std::string_view text);
void fuzz_study_yaml(std::string_view text);
void fuzz_submit_line(std::string_view text);
void fuzz_swf(std::string_view text);
void fuzz_topology_conf(std::string_view text);
void fuzz_words(std::string_view text);

struct NamedTarget {
  std::string_view name;
  FuzzTarget read;
};

inline constexpr std::array kFuzzTargets = {
    NamedTarget{"cgroup_conf", fuzz_cgroup_conf},
    NamedTarget{"compressed", fuzz_compressed},
    NamedTarget{"conditions", fuzz_conditions},
    NamedTarget{"controller_log", fuzz_controller_log},
    NamedTarget{"edited_conf", fuzz_edited_conf},
    NamedTarget{"events_csv", fuzz_events_csv},
    NamedTarget{"generator", fuzz_generator},
    NamedTarget{"gpu_catalogue", fuzz_gpu_catalogue},
    NamedTarget{"gres_conf", fuzz_gres_conf},
    NamedTarget{"hostlist", fuzz_hostlist},
    NamedTarget{"imports", fuzz_imports},
    NamedTarget{"reservations", fuzz_reservations},
    NamedTarget{"sacct_json", fuzz_sacct_json},
    NamedTarget{"sacct_text", fuzz_sacct_text},
    NamedTarget{"sacctmgr_dump", fuzz_sacctmgr_dump},
    NamedTarget{"sacctmgr_tables", fuzz_sacctmgr_tables},
    NamedTarget{"sdiag", fuzz_sdiag},
    NamedTarget{"site_folder", fuzz_site_folder},
    NamedTarget{"site_yaml", fuzz_site_yaml},
    NamedTarget{"slurm_conf", fuzz_slurm_conf},
    NamedTarget{"study_yaml", fuzz_study_yaml},
    NamedTarget{"submit_line", fuzz_submit_line},
    NamedTarget{"swf", fuzz_swf},
    NamedTarget{"topology_conf", fuzz_topology_conf},
    NamedTarget{"words", fuzz_words},
};

}  // namespace rehearse::test
