// workloads/registry.cpp — the one list of trace formats. Adding one takes a word and a line.
#include "workloads/import.hpp"

namespace rehearse {

std::string import_sacct(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_swf(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_acme(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_eagle(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_helios(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_openb(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_pai(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_philly(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_sonar(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

constexpr TraceFormat kFormats[] = {
    {"acme", "Acme 2023: trace_seren or trace_kalos", import_acme},
    {"eagle", "NREL Eagle 2019", import_eagle},
    {"helios", "SenseTime Helios 2020: cluster_log", import_helios},
    {"openb", "Alibaba GPU sharing 2023 (cluster-trace-gpu-v2023): a pod list", import_openb},
    {"pai", "Alibaba PAI 2020 (cluster-trace-gpu-v2020): task table [job table], or job list",
     import_pai, 2},
    {"philly", "Microsoft Philly 2017: the CSV extract or cluster_job_log", import_philly},
    {"sacct", "sacct text without its header line, columns given", import_sacct},
    {"sonar", "NordicHPC sonar (Fox 2025): its JSON samples of Slurm jobs", import_sonar},
    {"swf", "Standard Workload Format 2.2 of the Parallel Workloads Archive", import_swf},
};

}  // namespace

std::span<const TraceFormat> trace_formats() {
  return kFormats;
}

}  // namespace rehearse
