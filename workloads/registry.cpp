// workloads/registry.cpp — the one list of trace formats. Adding one takes a word and a line.
#include "workloads/import.hpp"

namespace rehearse {

std::string import_sacct(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_swf(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_philly(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

constexpr TraceFormat kFormats[] = {
    {"philly", "Microsoft Philly 2017: the CSV extract or cluster_job_log", import_philly},
    {"sacct", "sacct text without its header line, columns given", import_sacct},
    {"swf", "Standard Workload Format 2.2 of the Parallel Workloads Archive", import_swf},
};

}  // namespace

std::span<const TraceFormat> trace_formats() {
  return kFormats;
}

}  // namespace rehearse
