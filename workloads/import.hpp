// workloads/import.hpp — other people's traces as a site's own sacct text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "workloads/import_report.hpp"
#include "workloads/input.hpp"
#include "workloads/sacct_table.hpp"

namespace rehearse {

/// GPUs a processor: `4/16` gives a job of 8 processors 2 GPUs; rounded up to whole devices.
struct GpuRate {
  std::uint32_t gpus = 1, processors = 1;
};

/// What a foreign format does not say.
struct ImportOptions {
  std::uint32_t processors_per_node = 0;  ///< SWF; 0: MaxProcs / MaxNodes of its header
  std::map<std::uint32_t, GpuRate> queue_gpus, partition_gpus;  ///< SWF: by number
  bool invent_limits = false;   ///< SWF: a limit from the run time where none was requested
  std::vector<InputText> more;  ///< the files after the first
  TableForm form;               ///< sacct: the columns of a text without header
};

struct SiteFile {
  std::string name;  ///< inside the site folder
  std::string bytes;
};

/// What `import` writes. The same inputs give the same bytes.
struct ImportedSite {
  std::vector<SiteFile> files;  ///< sacct.txt.xz, import.txt
  ImportReport report;
};

/// Reads `files` (any compression; `-` is standard input) as `format`, a name of the registry.
/// Throws InputError for an unknown format or an unreadable file; findings about rows go to
/// `found`, and the result is to be used only if it has no errors.
[[nodiscard]] ImportedSite import_trace(std::string_view format,
                                        const std::vector<std::filesystem::path>& files,
                                        const ImportOptions& options, Diagnostics& found);

/// One way to read a trace: text in, text of sacct out.
using TraceImporter = std::string (*)(const InputText& input, const ImportOptions& options,
                                      ImportReport& report, Diagnostics& found);

struct TraceFormat {
  std::string_view name, what;
  TraceImporter read;
  std::size_t most_files = 1;
};

/// All formats, in the order in which help shows them.
[[nodiscard]] std::span<const TraceFormat> trace_formats();

}  // namespace rehearse
