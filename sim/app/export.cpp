// sim/app/export.cpp — `rehearse export`: a result in the forms that other tools read.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/app/verb.hpp"
#include "sim/config/suggest.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/result_file.hpp"
#include "sim/output/text_file.hpp"

namespace rehearse {
namespace {

class Export final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "export"; }
  [[nodiscard]] std::string_view summary() const override {
    return "write a result in the form of another tool: sacct, csv, perfetto, openmetrics, batsim, "
           "swf";
  }

  void describe(CLI::App& command) override {
    std::string formats = "\nFormats:\n";
    for (const ExportFormat& format : export_formats()) {
      formats += fmt::format("  {:<12} {}\n", format.name, format.what);
    }
    command.footer(formats);
    command.add_option("OUT", file_, "a result file")->required();
    command.add_option("-f,--format", format_, "the form, one of those below")
        ->type_name("FORMAT")
        ->required();
    command
        .add_option("-o,--output", output_,
                    "write it here; .gz, .xz and .zst are compressed; default: - (stdout)")
        ->type_name("FILE");
    command.add_flag("-n,--noheader", options_.no_header, "sacct, csv: no line of column names");
    command.add_flag("--utc", options_.utc, "sacct, csv: times in UTC; default: the site's zone");
    command
        .add_option("--step", options_.step_s,
                    "openmetrics: seconds between samples; default: 240, below Prometheus' "
                    "look-back of 5 min")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 86400));
    command.add_flag("--devices", options_.devices, "openmetrics: a series for each GPU as well");
    command
        .add_option("--series", series_,
                    "openmetrics: of what there are series: cluster, partition, account, user, "
                    "node, gpu, with commas; default: all but gpu")
        ->type_name("KINDS")
        ->delimiter(',');
  }

  [[nodiscard]] Files files() const override { return {{output_}, {file_}}; }

  Exit run() override {
    const ExportFormat* const format = find_export_format(format_);
    if (format == nullptr) {
      std::vector<std::string_view> names;
      for (const ExportFormat& each : export_formats()) names.push_back(each.name);
      const std::string meant = did_you_mean(format_, names);
      return usage_error(
          name(), fmt::format("there is no format '{}'", format_),
          meant.empty() ? fmt::format("the formats are {}", fmt::join(names, ", ")) : meant);
    }
    if (const std::string unknown = choose_series(); !unknown.empty()) {
      return usage_error(name(), fmt::format("--series: '{}' is no kind of series", unknown),
                         "cluster, partition, account, user, node or gpu");
    }
    const ResultFile file = read_result(file_);
    if (!file.result.complete)
      fmt::print(stderr, "note: the run was interrupted: this is a part of it\n");
    TextFile out(output_);
    std::uint64_t bytes = 0;
    format->write(file.result, options_, [&](std::string_view text) {
      bytes += text.size();
      out.write(text);
    });
    out.commit();
    if (format_ == "openmetrics" && bytes > kLargeText) tell_size(file.result, bytes);
    return Exit::Ok;
  }

 private:
  static constexpr std::uint64_t kLargeText = 100'000'000;

  /// Empty, or a word that is no kind.
  std::string choose_series() {
    if (series_.empty()) return "";
    ExportOptions& o = options_;
    o.partitions = o.accounts = o.users = o.nodes = false;
    for (const std::string& kind : series_) {
      if (kind == "partition")
        o.partitions = true;
      else if (kind == "account")
        o.accounts = true;
      else if (kind == "user")
        o.users = true;
      else if (kind == "node")
        o.nodes = true;
      else if (kind == "gpu")
        o.devices = true;
      else if (kind != "cluster")
        return kind;
    }
    return "";
  }

  void tell_size(const Result& result, std::uint64_t bytes) const {
    fmt::print(stderr,
               "note: {:.0f} MB of text, {} samples a series. Less: --step 3600, --series "
               "cluster,partition,account, -o FILE.gz\n",
               static_cast<double>(bytes) / 1e6, (result.end - result.begin) / options_.step_s + 1);
  }

  std::string file_, format_, output_ = "-";
  std::vector<std::string> series_;
  ExportOptions options_;
};

}  // namespace

std::unique_ptr<Verb> make_export() {
  return std::make_unique<Export>();
}

}  // namespace rehearse
