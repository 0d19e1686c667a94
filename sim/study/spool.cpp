// sim/study/spool.cpp — chunks out, lines in; files appear whole or grow by whole lines.
#include "sim/study/spool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/config/text_scan.hpp"
#include "sim/core/error.hpp"
#include "sim/output/output_error.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string bytes_of(const fs::path& path, std::size_t from = 0) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Under a temporary name, flushed, then renamed.
void write_whole(const fs::path& path, const std::string& text) {
  fs::path temporary = path;
  temporary += ".part";
  const int out = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) throw OutputError(temporary, std::strerror(errno));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::write(out, text.data() + done, text.size() - done);
    if (got < 0 && errno != EINTR) break;
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  const bool flushed = done == text.size() && ::fsync(out) == 0;
  const int error = errno;
  ::close(out);
  if (!flushed) throw OutputError(temporary, std::strerror(error));
  fs::rename(temporary, path);
}

fs::path chunk_file(const fs::path& folder, const SpoolTask& task) {
  return folder / fmt::format("chunk-{}-{}.json", task.submission, task.task);
}

std::string results_prefix(const SpoolTask& task) {
  return fmt::format("results-{}-{}-", task.submission, task.task);
}

/// Names in order: what is merged does not depend on a folder's own order.
std::vector<std::string> results_files(const fs::path& folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".jsonl")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The outcomes of the whole lines of `text`. Returns how many bytes those lines have.
std::size_t take_lines(const std::string& text, std::vector<PointOutcome>& outcomes) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return begin;
    if (auto outcome = outcome_of_line(text.substr(begin, end - begin))) {
      outcomes.push_back(*std::move(outcome));
    }
    begin = end + 1;
  }
}

std::uint64_t from_hex(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

double from_text(const std::string& text) {
  const auto value = text::parse_real(text);
  if (value) return *value;
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string to_line(const PointOutcome& outcome) {
  Json kpis = Json::array();
  for (const auto& [name, value] : outcome.kpis) {
    kpis.push_back({name, std::isnan(value) ? std::string("nan") : fmt::format("{}", value)});
  }
  const Json json{{"point", outcome.point},
                  {"status", to_text(outcome.status)},
                  {"error", outcome.error},
                  {"schedule", fmt::format("{:016x}", outcome.schedule_fingerprint)},
                  {"events", fmt::format("{:016x}", outcome.event_fingerprint)},
                  {"file", outcome.file},
                  {"kpis", std::move(kpis)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<PointOutcome> outcome_of_line(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    PointOutcome outcome;
    outcome.point = json.at("point").get<std::uint32_t>();
    outcome.status = json.at("status").get<std::string>() == to_text(PointStatus::Complete)
                         ? PointStatus::Complete
                         : PointStatus::Failed;
    outcome.error = json.at("error").get<std::string>();
    outcome.schedule_fingerprint = from_hex(json.at("schedule").get<std::string>());
    outcome.event_fingerprint = from_hex(json.at("events").get<std::string>());
    outcome.file = json.at("file").get<std::string>();
    for (const Json& kpi : json.at("kpis")) {
      outcome.kpis.emplace_back(kpi.at(0).get<std::string>(),
                                from_text(kpi.at(1).get<std::string>()));
    }
    return outcome;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void Spool::make() const {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw OutputError(folder_, failed.message());
}

void Spool::remove() const {
  std::error_code ignored;  // what stays is told by its presence, and harmless
  fs::remove_all(folder_, ignored);
}

void Spool::write_chunk(const SpoolTask& task, const SpoolChunk& chunk) const {
  Json points = Json::array();
  for (const StudyPoint& each : chunk.points) {
    points.push_back({{"number", each.number},
                      {"design", each.design},
                      {"replication", each.replication},
                      {"seed", each.seed},
                      {"values", each.values}});
  }
  const Json json{{"study", chunk.study}, {"points", std::move(points)}};
  write_whole(chunk_file(folder_, task), json.dump() + "\n");
}

SpoolChunk Spool::read_chunk(const SpoolTask& task) const {
  const fs::path file = chunk_file(folder_, task);
  try {
    const Json json = Json::parse(bytes_of(file));
    SpoolChunk chunk;
    chunk.study = json.at("study").get<std::string>();
    for (const Json& each : json.at("points")) {
      StudyPoint point;
      point.number = each.at("number").get<std::uint32_t>();
      point.design = each.at("design").get<std::uint32_t>();
      point.replication = each.at("replication").get<std::uint32_t>();
      point.seed = each.at("seed").get<std::uint64_t>();
      point.values = each.at("values").get<std::vector<std::string>>();
      chunk.points.push_back(std::move(point));
    }
    return chunk;
  } catch (const nlohmann::json::exception& error) {
    throw InputError({file.string(), 0, 0}, "is no list of points",
                     "rehearse sweep STUDY.yaml --slurm writes it");
  }
}

std::vector<PointOutcome> Spool::results_of(const SpoolTask& task) const {
  std::vector<PointOutcome> outcomes;
  for (const std::string& name : results_files(folder_, results_prefix(task))) {
    (void)take_lines(bytes_of(folder_ / name), outcomes);
  }
  return outcomes;
}

std::vector<PointOutcome> Spool::take_new() {
  std::vector<PointOutcome> outcomes;
  for (const std::string& name : results_files(folder_, "results-")) {
    std::size_t& read = read_[name];
    read += take_lines(bytes_of(folder_ / name, read), outcomes);
  }
  return outcomes;
}

void Spool::write_submission(const Submission& submission) const {
  const Json json{{"number", submission.number}, {"job", submission.job}};
  write_whole(folder_ / "submission.json", json.dump() + "\n");
}

std::optional<Spool::Submission> Spool::read_submission() const {
  const Json json = Json::parse(bytes_of(folder_ / "submission.json"), nullptr, false);
  if (!json.is_object() || !json.contains("number") || !json.contains("job")) return std::nullopt;
  return Submission{json["number"].get<std::uint64_t>(), json["job"].get<std::string>()};
}

SpoolWriter::SpoolWriter(const Spool& spool, SpoolTask task) {
  // A life is a file: where it is there already (a worker that was run by hand), the next is taken.
  for (;; ++task.life) {
    file_ = spool.folder() / fmt::format("{}{}.jsonl", results_prefix(task), task.life);
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST) throw OutputError(file_, std::strerror(errno));
  }
}

SpoolWriter::~SpoolWriter() {
  ::close(descriptor_);
}

void SpoolWriter::write(const PointOutcome& outcome) {
  const std::string line = to_line(outcome);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t got = ::write(descriptor_, line.data() + done, line.size() - done);
    if (got < 0 && errno != EINTR) throw OutputError(file_, std::strerror(errno));
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  if (::fsync(descriptor_) != 0) throw OutputError(file_, std::strerror(errno));
}

}  // namespace rehearse
