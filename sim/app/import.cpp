// sim/app/import.cpp — `rehearse import`: other people's traces as a site's sacct text.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/app/findings.hpp"
#include "sim/app/verb.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/output/output_error.hpp"
#include "sim/output/output_place.hpp"
#include "sim/output/text_file.hpp"
#include "workloads/import.hpp"

namespace rehearse {
namespace {

std::string format_list() {
  std::string text = "\nFormats:\n";
  for (const TraceFormat& format : trace_formats())
    text += fmt::format("  {:<12} {}\n", format.name, format.what);
  return text;
}

/// `2=4/16`: jobs of queue 2 have 4 GPUs for each 16 processors.
void add_rate(const std::string& text, std::map<std::uint32_t, GpuRate>& rates) {
  std::uint32_t number = 0;
  GpuRate rate;
  const char* const end = text.data() + text.size();
  auto at = std::from_chars(text.data(), end, number);
  bool good = at.ec == std::errc{} && at.ptr != end && *at.ptr == '=';
  if (good) at = std::from_chars(at.ptr + 1, end, rate.gpus);
  good = good && at.ec == std::errc{} && at.ptr != end && *at.ptr == '/';
  if (good) at = std::from_chars(at.ptr + 1, end, rate.processors);
  if (!good || at.ec != std::errc{} || at.ptr != end || rate.processors == 0) {
    throw CLI::ValidationError(fmt::format("'{}' is not NUMBER=GPUS/PROCESSORS, as 2=4/16", text));
  }
  rates[number] = rate;
}

class Import final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "import"; }
  [[nodiscard]] std::string_view summary() const override {
    return "turn a trace of another form into a site's sacct text";
  }

  void describe(CLI::App& command) override {
    command.footer(format_list());
    command.add_option("FORMAT", format_, "the form, one of those below")->required();
    command.add_option("FILE", files_, "the trace; - is stdin; .gz .xz .zst .bz2 by content")
        ->required();
    command.add_option("-o,--output", site_, "the site folder to write into")
        ->type_name("SITE")
        ->required();
    command.add_flag("--force", force_, "write over files that are there");
    command
        .add_option("--processors-per-node", options_.processors_per_node,
                    "SWF: where its header does not tell")
        ->type_name("N");
    command.add_option("--queue-gpus", queue_gpus_, "SWF: GPUs by queue: NUMBER=GPUS/PROCESSORS")
        ->type_name("RATE")
        ->allow_extra_args(false);
    command
        .add_option("--partition-gpus", partition_gpus_,
                    "SWF: GPUs by partition: NUMBER=GPUS/PROCESSORS")
        ->type_name("RATE")
        ->allow_extra_args(false);
    command.add_flag("--invent-limits", options_.invent_limits,
                     "SWF: a time limit from the run time where none was asked for");
    command
        .add_option("--columns", columns_,
                    "sacct: the columns of a text without header, as its --format named them")
        ->type_name("NAMES");
    command
        .add_option("--delimiter", options_.form.delimiter,
                    "sacct: what stands between the columns of a text without header")
        ->type_name("TEXT")
        ->default_str("|");
    command.final_callback([this] {
      for (const std::string_view name : split_list(columns_)) {
        options_.form.columns.emplace_back(name);
      }
      for (const auto& rate : queue_gpus_) add_rate(rate, options_.queue_gpus);
      for (const auto& rate : partition_gpus_) add_rate(rate, options_.partition_gpus);
    });
  }

  [[nodiscard]] Files files() const override {
    return {{site_ + "/sacct.txt.xz", site_ + "/import.txt"}, files_};
  }

  Exit run() override {
    Diagnostics found;
    const std::vector<std::filesystem::path> paths(files_.begin(), files_.end());
    const ImportedSite imported = import_trace(format_, paths, options_, found);
    found.throw_if_errors();
    print_findings(found.all());
    write(imported);
    fmt::print("{}", to_text(imported.report, TimeZone::utc()));
    for (const SiteFile& file : imported.files) fmt::print("wrote {}/{}\n", site_, file.name);
    return Exit::Ok;
  }

 private:
  void write(const ImportedSite& imported) const {
    const std::filesystem::path site(site_);
    for (const SiteFile& file : imported.files) {
      if (!force_) require_absent(site / file.name);
    }
    std::error_code failure;
    std::filesystem::create_directories(site, failure);
    if (failure) throw OutputError(site_, failure.message());
    for (const SiteFile& file : imported.files) {
      write_text_file(site / file.name, file.bytes, TextFile::Packing::AsItIs);
    }
  }

  std::string format_, site_, columns_;
  std::vector<std::string> files_, queue_gpus_, partition_gpus_;
  ImportOptions options_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_import() {
  return std::make_unique<Import>();
}

}  // namespace rehearse
