// workloads/record_reader_request.cpp — names and requests: what many rows share is made once.
#include <fmt/format.h>

#include "sim/config/text.hpp"
#include "workloads/het_line.hpp"
#include "workloads/record_reader.hpp"
#include "workloads/request_from_args.hpp"

namespace rehearse {
namespace {

/// `--wrap` makes the script itself, and salloc and srun have none: nothing else was asked.
bool leaves_nothing_to_a_script(std::string_view line, const SbatchArgs& args) {
  if (args.program == "salloc" || args.program == "srun") return true;
  return line.find(" --wrap") != std::string_view::npos;
}

/// `… --wrap sleep 60; exit 0`: such a program waits for the clock and computes nothing.
bool wraps_a_sleep(std::string_view submit_line) {
  constexpr std::string_view wrap = "--wrap", sleep = "sleep ", digits = "0123456789";
  const std::size_t at = submit_line.find(wrap);
  if (at == std::string_view::npos) return false;
  std::string_view script = submit_line.substr(at + wrap.size());
  script.remove_prefix(std::min(script.find_first_not_of(" =\"'"), script.size()));
  if (!script.starts_with(sleep)) return false;
  script.remove_prefix(sleep.size());
  script.remove_prefix(std::min(script.find_first_not_of(digits), script.size()));
  script.remove_prefix(std::min(script.find_first_not_of(" ;"), script.size()));
  return script.empty() || script.starts_with("exit ") || script.front() == '"' ||
         script.front() == '\'';
}

bool says_size(const SbatchArgs& args) {
  return args.nodes || args.ntasks || args.cpus_per_task || args.ntasks_per_node ||
         args.ntasks_per_socket || args.ntasks_per_core || args.ntasks_per_gpu ||
         args.cpus_per_gpu || args.min_cpus_per_node || !args.nodelist.empty();
}

/// Fills what the submit line leaves open from the row; true if anything was.
bool fill_from_row(const SbatchArgs& args, const RowRequest& row, Request& request) {
  const Request before = request;
  const Request& seen = row.request;
  if (!says_size(args)) {
    request.min_nodes = seen.min_nodes;
    request.max_nodes = seen.max_nodes;
    request.min_cpus = seen.min_cpus;
  } else {
    if (!args.nodes && args.nodelist.empty() && seen.min_nodes > request.min_nodes) {
      request.min_nodes = seen.min_nodes;
      request.max_nodes = seen.max_nodes;
    }
    // Which option raised the CPUs is not told; the total is.
    if (row.cpus_asked > request.min_cpus) request.min_cpus = seen.min_cpus;
  }
  if (request.gres.empty()) request.gres = seen.gres;
  if (request.memory_mode == MemoryMode::None) {
    request.memory_mode = seen.memory_mode;
    request.memory_mib = seen.memory_mib;
  }
  if (request.features == kNoName) request.features = seen.features;
  if (request.licenses.empty()) {
    request.licenses = seen.licenses;
    request.any_license = seen.any_license;
  }
  if (request.exclusive == ExclusiveRequest::None) request.exclusive = seen.exclusive;
  return request != before;
}

}  // namespace

NameId RecordReader::name(const SacctRow& row, Column column) {
  const std::string_view text = row[column];
  if (text.empty()) return kNoName;
  LastName& last = last_names_[static_cast<std::size_t>(column)];
  if (last.text != text) {
    const auto [position, added] = name_texts_.find_or_add(text);
    if (added) name_ids_.push_back(names_.intern(text));
    last = {name_texts_.text(position), name_ids_[position]};
  }
  return last.id;
}

void RecordReader::read_names(const SacctRow& row, TraceRecord& record) {
  record.name = name(row, Column::JobName);
  record.user = name(row, Column::User);
  record.account = name(row, Column::Account);
  record.partition = name(row, Column::Partition);
  const bool asked = !row[Column::QosRequested].empty();
  record.qos = name(row, asked ? Column::QosRequested : Column::Qos);
  record.reservation = name(row, Column::Reservation);
  record.wckey = name(row, Column::WcKey);
}

/// The position in lines_ of a line, or of a component's part of one, that stands there.
std::uint32_t RecordReader::submit_line_position(std::string_view text,
                                                 std::optional<std::uint32_t> het_offset,
                                                 LinePlace place) {
  const std::string part = het_offset ? fmt::format("{}\n{}", text, *het_offset) : std::string();
  const auto [position, added] = line_texts_.find_or_add(het_offset ? part : text);
  if (!added) return position;
  SubmitLine& line = lines_.emplace_back();
  Diagnostics of_line;
  const SourcePosition where = found_.at(place.row, place.column);
  auto args = het_offset ? component_args(text, *het_offset, where, of_line)
                         : std::optional(parse_submit_line(text, where, of_line));
  line.is_told = args.has_value();
  line.sleeps = wraps_a_sleep(text);
  if (!args) return position;
  line.args = std::move(*args);
  line.request = rehearse::make_request(line.args, names_, of_line);
  line.readable = !of_line.has_errors();
  line.is_whole = line.readable && leaves_nothing_to_a_script(text, line.args);
  for (const Diagnostic& finding : of_line.all()) {
    const bool placed = finding.where.line != 0;
    found_.warn(place.row, placed ? finding.where.column : where.column,
                "SubmitLine: " + finding.what, finding.hint);
  }
  return position;
}

void RecordReader::read_submit_line(const SacctRow& row, TraceRecord& record) {
  if (row[Column::SubmitLine].empty()) return;
  const std::string_view text = row[Column::SubmitLine];
  const std::uint32_t position =
      submit_line_position(text, record.het_offset, {row.line, column_in(row.text, text)});
  const SubmitLine& line = lines_[position];
  record.sleeps = line.sleeps;
  if (!line.is_told) return;
  if (!line.readable) report_.assume(Assumed::SubmitLineUnread, row.line);
  if (!line.readable) return;
  record.submit_line = &line;
  record.submit_line_position = position;
}

RecordReader::CachedRequest RecordReader::make_request(const SacctRow& row,
                                                       const SubmitLine* line) {
  RowRequest seen = request_from_row(row, options_.cpus_of_node, names_);
  CachedRequest made;
  // More CPUs than asked for: whether they are all of its nodes depends on which those are.
  made.by_nodes = options_.cpus_of_node && !row[Column::NodeList].empty() &&
                  parse_tres_text(row[Column::AllocTres]).cpus.value_or(0) > seen.request.min_cpus;
  made.gpus = seen.gpus;
  made.gpu_type = names_.intern(seen.gpu_type);
  for (const UnreadText& each : seen.unread) {
    found_.warn(row.line, column_in(row.text, row[each.column]),
                fmt::format("{} cannot be read; the rest of the request is", shown(each.text)),
                "rows that say the same are counted under 'assumed'");
  }
  if (line == nullptr) {
    made.id = requests_.intern(seen.request);
    made.assumed = std::move(seen.assumed);
    made.assumed.push_back(Assumed::RequestFromTres);
    return made;
  }
  Request request = line->request;
  if (!line->is_whole && fill_from_row(line->args, seen, request)) {
    made.assumed = std::move(seen.assumed);
    made.assumed.push_back(Assumed::ScriptOptions);
  }
  made.id = requests_.intern(request);
  return made;
}

/// What the row asked for, as far as its columns decide: made once for all rows that say the same.
const RecordReader::CachedRequest& RecordReader::request_of(const SacctRow& row,
                                                            const TraceRecord& record) {
  constexpr Column kParts[] = {Column::ReqTres,  Column::AllocTres,  Column::ReqMem,
                               Column::ReqNodes, Column::NNodes,     Column::ReqCpus,
                               Column::NCpus,    Column::Constraints};
  request_key_.clear();
  if (record.submit_line != nullptr) request_key_ += fmt::format("{}", record.submit_line_position);
  for (const Column part : kParts) {
    request_key_.push_back('\n');  // no field holds one
    request_key_ += row[part];
  }
  const auto [position, added] = request_texts_.find_or_add(request_key_);
  if (!added && !cached_[position].by_nodes) return cached_[position];
  if (added) {
    cached_.push_back(make_request(row, record.submit_line));
    if (!cached_[position].by_nodes) return cached_[position];
  }
  request_key_.push_back('\n');
  request_key_ += row[Column::NodeList];
  const auto [of_nodes, is_new] = request_texts_.find_or_add(request_key_);
  if (is_new) {
    cached_.push_back(added ? cached_[position] : make_request(row, record.submit_line));
  }
  return cached_[of_nodes];
}

void RecordReader::read_request(const SacctRow& row, TraceRecord& record) {
  const CachedRequest& cached = request_of(row, record);
  record.request = cached.id;
  record.gpus = cached.gpus;
  record.gpu_type = cached.gpu_type;
  for (const Assumed assumed : cached.assumed) report_.assume(assumed, row.line);
}

}  // namespace rehearse
