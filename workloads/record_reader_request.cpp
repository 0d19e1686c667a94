// workloads/record_reader_request.cpp — names and requests: what many rows share is made once.
#include <fmt/format.h>

#include "sim/config/text.hpp"
#include "workloads/record_reader.hpp"
#include "workloads/request_from_args.hpp"

namespace rehearse {
namespace {

/// `--wrap` makes the script itself, and salloc and srun have none: nothing else was asked.
bool leaves_nothing_to_a_script(std::string_view line, const SbatchArgs& args) {
  if (args.program == "salloc" || args.program == "srun") return true;
  return line.find(" --wrap") != std::string_view::npos;
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

/// `sbatch -n1 : -p gpu --wrap …`: what was asked for component `offset` of a heterogeneous job;
/// empty: the line has no such part. Options of one component are not another's; what all have in
/// common (account, QOS, dependency) the rows tell.
std::string part_of_line(std::string_view line, std::uint32_t offset) {
  constexpr std::string_view kMark = " : ";
  if (line.find(kMark) == std::string_view::npos) return {};  // all of it in a script
  std::uint32_t at = 0;
  for (;;) {
    const std::size_t end = line.find(kMark);
    if (at == offset) {
      const std::string part(line.substr(0, end));
      return offset == 0 ? part : "sbatch " + part;
    }
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end + kMark.size());
    ++at;
  }
}

}  // namespace

NameId RecordReader::name(std::string_view text) {
  if (text.empty()) return kNoName;
  const auto [position, added] = name_texts_.find_or_add(text);
  if (added) name_ids_.push_back(names_.intern(text));
  return name_ids_[position];
}

void RecordReader::read_names(const SacctRow& row, TraceRecord& record) {
  record.name = name(row[Column::JobName]);
  record.user = name(row[Column::User]);
  record.account = name(row[Column::Account]);
  record.partition = name(row[Column::Partition]);
  const std::string_view asked = row[Column::QosRequested];
  record.qos = name(asked.empty() ? row[Column::Qos] : asked);
  record.reservation = name(row[Column::Reservation]);
  record.wckey = name(row[Column::WcKey]);
}

const SubmitLine* RecordReader::submit_line(const SacctRow& row,
                                            std::optional<std::uint32_t> component) {
  const std::string_view whole = row[Column::SubmitLine];
  const std::string part = component ? part_of_line(whole, *component) : std::string();
  const std::string_view text = component ? part : whole;
  if (text.empty()) return nullptr;
  const auto [position, added] = line_texts_.find_or_add(text);
  if (added) {
    SubmitLine& line = lines_.emplace_back();
    Diagnostics of_line;
    const SourcePosition where = found_.at(row.line, column_in(row.text, whole));
    line.args = parse_submit_line(text, where, of_line);
    line.request = rehearse::make_request(line.args, names_, of_line);
    line.readable = !of_line.has_errors();
    line.is_whole = line.readable && leaves_nothing_to_a_script(text, line.args);
    for (const Diagnostic& finding : of_line.all()) {
      const bool placed = finding.where.line != 0;
      found_.warn(row.line, placed ? finding.where.column : where.column,
                  "SubmitLine: " + finding.what, finding.hint);
    }
  }
  const SubmitLine& line = lines_[position];
  if (!line.readable) report_.assume(Assumed::SubmitLineUnread, row.line);
  return line.readable ? &line : nullptr;
}

RecordReader::CachedRequest RecordReader::make_request(const SacctRow& row,
                                                       const SubmitLine* line) {
  RowRequest seen = request_from_row(row, options_.cpus_of_node, names_);
  CachedRequest made;
  made.gpus = seen.gpus;
  made.gpu_type = names_.intern(seen.gpu_type);
  if (!seen.bad_column_text.empty()) {
    found_.warn(
        row.line, column_in(row.text, row[seen.bad_column]),
        fmt::format("{} cannot be read; the rest of the text is", shown(seen.bad_column_text)));
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

void RecordReader::read_request(const SacctRow& row, TraceRecord& record) {
  record.submit_line = submit_line(row, record.het_offset);
  constexpr Column kParts[] = {Column::ReqTres,  Column::AllocTres,  Column::ReqMem,
                               Column::ReqNodes, Column::NNodes,     Column::ReqCpus,
                               Column::NCpus,    Column::Constraints};
  request_key_.clear();
  request_key_.push_back(record.submit_line != nullptr ? 'L' : 'T');
  if (record.submit_line != nullptr) request_key_ += row[Column::SubmitLine];
  if (record.het_offset) request_key_ += fmt::format("+{}", *record.het_offset);
  for (const Column part : kParts) {
    request_key_.push_back('\n');  // no field holds one, but for a joined submit line before them
    request_key_ += row[part];
  }
  if (options_.cpus_of_node) {
    request_key_.push_back('\n');
    request_key_ += row[Column::NodeList];
  }
  const auto [position, added] = request_texts_.find_or_add(request_key_);
  if (added) cached_.push_back(make_request(row, record.submit_line));
  const CachedRequest& cached = cached_[position];
  record.request = cached.id;
  record.gpus = cached.gpus;
  record.gpu_type = cached.gpu_type;
  for (const Assumed assumed : cached.assumed) report_.assume(assumed, row.line);
}

}  // namespace rehearse
