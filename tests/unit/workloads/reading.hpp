// tests/unit/workloads/reading.hpp — a trace from a text in the test, with all that it needs.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/source_folder.hpp"
#include "workloads/sacct_text.hpp"

namespace rehearse::test {

/// One reading: keeps names, requests and findings beside the trace.
struct Reading {
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  Trace trace;

  explicit Reading(std::string text, const SacctOptions& options = {}) {
    trace =
        read_sacct(InputStream({"sacct.txt", std::move(text)}), options, names, requests, found);
  }
  [[nodiscard]] const JobSpec& job(std::size_t i) const { return trace.jobs.specs().at(i); }
  [[nodiscard]] std::string name(NameId id) const { return names.text(id); }
  [[nodiscard]] const Request& request(std::size_t i) const { return requests[job(i).request]; }
  [[nodiscard]] std::uint64_t count(Explained what) const { return trace.report[what].count; }
  [[nodiscard]] std::uint64_t count(Assumed what) const { return trace.report[what].count; }
};

inline std::filesystem::path sample(const std::string& name) {
  return source_folder() / "workloads" / "samples" / name;
}

inline SlurmTime utc(std::int64_t seconds) {
  return from_epoch_seconds(seconds);
}

}  // namespace rehearse::test
