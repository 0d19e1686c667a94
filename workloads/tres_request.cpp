// workloads/tres_request.cpp — reads TRES texts, and guesses the options that they came from.
#include "workloads/tres_request.hpp"

#include <charconv>

#include "sim/config/hostlist.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kPerCpuFlag = 1ULL << 31U;  // Slurm up to 16.05 [MiB]

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// One `key=value`. False: it cannot be read.
bool read_entry(std::string_view key, std::string_view value, TresText& tres) {
  if (key == "mem") {
    tres.memory_mib = parse_memory_mib(value);
    return tres.memory_mib.has_value();
  }
  if (key == "billing" || key == "energy" || key == "vmem" || key == "pages") {
    tres.has_billing = tres.has_billing || key == "billing";
    return true;
  }
  if (key.substr(0, 3) == "fs/" || key.substr(0, 3) == "bb/" || key.substr(0, 3) == "ic/") {
    return true;
  }
  const auto count = parse_count(value);
  if (!count) return false;
  if (key == "cpu") {
    tres.cpus = count;
  } else if (key == "node") {
    tres.nodes = count;
  } else if (key.substr(0, 5) == "gres/" || key.substr(0, 8) == "license/") {
    const bool gres = key.front() == 'g';
    const std::string_view name = key.substr(gres ? 5 : 8);
    const std::size_t colon = gres ? name.find(':') : std::string_view::npos;
    TresGres entry{std::string(name.substr(0, colon)), {}, *count};
    if (colon != std::string_view::npos) entry.type = name.substr(colon + 1);
    (gres ? tres.gres : tres.licenses).push_back(std::move(entry));
  }
  return true;
}

/// Of the entries of one name: the types where they make up the sum, else the sum.
std::vector<TresGres> without_double_count(const TresText& tres, bool& mixed) {
  std::vector<TresGres> out;
  for (const TresGres& entry : tres.gres) {
    if (entry.count == 0) continue;
    std::optional<std::uint64_t> sum;
    std::uint64_t typed = 0;
    for (const TresGres& other : tres.gres) {
      if (other.name != entry.name) continue;
      if (other.type.empty()) sum = other.count;
      if (!other.type.empty()) typed += other.count;
    }
    const bool adds_up = typed > 0 && (!sum || *sum == typed);
    if (entry.type.empty() != adds_up) out.push_back(entry);
    if (typed > 0 && !adds_up) mixed = true;
  }
  return out;
}

void request_gres(const TresText& source, std::uint64_t nodes, NamePool& names, RowRequest& out) {
  bool mixed = false;
  for (const TresGres& entry : without_double_count(source, mixed)) {
    GresRequest gres;
    gres.name = names.intern(entry.name);
    gres.type = entry.type.empty() ? kNoName : names.intern(entry.type);
    if (entry.count % nodes == 0) {
      gres.per_node = entry.count / nodes;
    } else {
      gres.per_job = entry.count;
      out.assumed.push_back(Assumed::GpusByJob);
    }
    out.request.gres.push_back(gres);
  }
  if (mixed) out.assumed.push_back(Assumed::MixedGpuTypes);
}

void request_memory(const SacctRow& row, const TresText& asked, std::uint64_t nodes,
                    RowRequest& out) {
  Request& request = out.request;
  const RequestedMemory memory = parse_requested_memory(row[Column::ReqMem]);
  if (memory.is_unread) out.unread.push_back({Column::ReqMem, std::string(row[Column::ReqMem])});
  std::uint64_t total = asked.memory_mib.value_or(0);
  if (memory.flag_undone) out.assumed.push_back(Assumed::MemoryFlagUndone);
  switch (memory.of) {
    case RequestedMemory::Of::Node:
      request.memory_mode = MemoryMode::PerNode;
      request.memory_mib = memory.mib;
      return;
    case RequestedMemory::Of::Cpu:
      request.memory_mode = MemoryMode::PerCpu;
      request.memory_mib = memory.mib;
      return;
    case RequestedMemory::Of::Job:
      if (total == 0) total = memory.mib;
      break;
    case RequestedMemory::Of::Unknown:
      break;
  }
  if (total == 0) return;  // the site's default rules apply
  request.memory_mode = MemoryMode::PerNode;
  request.memory_mib = (total + nodes - 1) / nodes;
  out.memory_asked_mib = total;
}

std::optional<std::uint64_t> first_count(const SacctRow& row, std::initializer_list<Column> from,
                                         RowRequest& out) {
  for (const Column column : from) {
    const auto count = parse_count(row[column]);
    if (count && *count > 0) return count;
    if (!count && !row[column].empty()) out.unread.push_back({column, std::string(row[column])});
  }
  return std::nullopt;
}

bool holds_whole_nodes(const SacctRow& row, const TresText& held, const CpusOfNode& cpus_of_node) {
  if (!cpus_of_node || !held.cpus || row[Column::NodeList].empty()) return false;
  std::uint64_t all = 0;
  for (const std::string& host : expand_hostlist(row[Column::NodeList]).hosts) {
    const auto cpus = cpus_of_node(host);
    if (!cpus) return false;
    all += *cpus;
  }
  return all > 0 && all == *held.cpus;
}

/// The one type that the text names of its GPUs.
std::string type_of_gpus(const TresText& held) {
  std::string type;
  for (const TresGres& gres : held.gres) {
    if (gres.name != "gpu" || gres.type.empty() || gres.count == 0) continue;
    if (!type.empty()) return {};
    type = gres.type;
  }
  return type;
}

}  // namespace

std::uint64_t TresText::total(std::string_view name) const {
  std::uint64_t typed = 0;
  for (const TresGres& entry : gres) {
    if (entry.name != name) continue;
    if (entry.type.empty()) return entry.count;
    typed += entry.count;
  }
  return typed;
}

TresText parse_tres_text(std::string_view text) {
  TresText tres;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = entry.find('=');
    const bool fine = equals != std::string_view::npos &&
                      read_entry(entry.substr(0, equals), entry.substr(equals + 1), tres);
    if (!fine && tres.bad.empty()) tres.bad = entry.empty() ? "," : std::string(entry);
  }
  return tres;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (const auto whole = whole_number(text)) return whole;
  if (text.size() < 2) return std::nullopt;
  constexpr std::string_view kSuffixes = "KMGT";
  const std::size_t power = kSuffixes.find(text.back());
  if (power == std::string_view::npos) return std::nullopt;
  text.remove_suffix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = whole_number(text.substr(0, point));
  if (!whole) return std::nullopt;
  const std::uint64_t unit = 1ULL << (10 * (power + 1));
  if (*whole > (~0ULL >> 1U) / unit) return std::nullopt;
  std::uint64_t value = *whole * unit;
  if (point < text.size()) {
    const std::string_view decimals = text.substr(point + 1, 3);
    const auto fraction = whole_number(decimals);
    if (!fraction) return std::nullopt;
    std::uint64_t scale = 1;
    for (std::size_t i = 0; i < decimals.size(); ++i) scale *= 10;
    value += (*fraction * unit + scale / 2) / scale;
  }
  return value;
}

RequestedMemory parse_requested_memory(std::string_view text) {
  using Of = RequestedMemory::Of;
  RequestedMemory memory;
  // `?` is what sacct of 22.05 prints where it does not know (`16?`).
  if (text.empty() || text.back() == '?') return memory;
  memory.is_unread = text.front() < '0' || text.front() > '9';
  if (memory.is_unread) return memory;
  const char last = text.back();
  Of of = Of::Job;
  if (last == 'n' || last == 'c') {
    of = last == 'n' ? Of::Node : Of::Cpu;
    text.remove_suffix(1);
  }
  const auto mib = parse_memory_mib(text);
  memory.is_unread = !mib;
  if (!mib || (of == Of::Job && *mib == 0)) return memory;
  memory = {of, *mib, false, false};
  if (of == Of::Node && *mib >= kPerCpuFlag) memory = {Of::Cpu, *mib - kPerCpuFlag, true, false};
  return memory;
}

RowRequest request_from_row(const SacctRow& row, const CpusOfNode& cpus_of_node, NamePool& names) {
  RowRequest out;
  const TresText asked = parse_tres_text(row[Column::ReqTres]);
  const TresText held = parse_tres_text(row[Column::AllocTres]);
  if (!asked.bad.empty()) out.unread.push_back({Column::ReqTres, asked.bad});
  if (!held.bad.empty()) out.unread.push_back({Column::AllocTres, held.bad});
  // What was asked for is told nowhere else (formats.md §17 rule 6).
  bool from_allocation = false;
  const auto or_held = [&](std::optional<std::uint64_t> told,
                           const std::optional<std::uint64_t>& there) {
    if (told || !row[Column::ReqTres].empty() || there.value_or(0) == 0) return told;
    from_allocation = true;
    return there;
  };
  const auto nodes_told =
      asked.nodes.value_or(0) > 0
          ? asked.nodes
          : or_held(first_count(row, {Column::ReqNodes, Column::NNodes}, out), held.nodes);
  const std::uint64_t nodes = std::max<std::uint64_t>(nodes_told.value_or(1), 1);
  const auto cpus_told =
      asked.cpus.value_or(0) > 0
          ? asked.cpus
          : or_held(first_count(row, {Column::ReqCpus, Column::NCpus}, out), held.cpus);
  const std::uint64_t cpus = std::max(cpus_told.value_or(nodes), nodes);
  constexpr std::uint64_t kMost = 0xfffffff0ULL;
  Request& request = out.request;
  request.min_nodes = static_cast<std::uint32_t>(std::min(nodes, kMost));
  request.min_cpus = static_cast<std::uint32_t>(std::min(cpus, kMost));
  if (held.nodes.value_or(0) <= nodes) {
    request.max_nodes = request.min_nodes;
  } else {
    out.assumed.push_back(Assumed::MayUseMoreNodes);
  }
  out.cpus_asked = cpus_told.value_or(0);
  TresText memory = asked;
  if (row[Column::ReqMem].empty()) {
    memory.memory_mib = or_held(memory.memory_mib, held.memory_mib);
  }
  request_memory(row, memory, nodes, out);
  if (from_allocation) out.assumed.push_back(Assumed::RequestFromAllocation);
  // Before 17.11 ReqTRES had no GRES; with billing in it, GPUs only in AllocTRES came with
  // --exclusive.
  const bool from_held = asked.gres.empty() && !asked.has_billing && !held.gres.empty();
  if (from_held) out.assumed.push_back(Assumed::GpusFromAllocation);
  request_gres(from_held ? held : asked, nodes, names, out);
  for (const TresGres& license : asked.licenses) {
    request.licenses.push_back(
        {names.intern(license.name), static_cast<std::uint32_t>(license.count)});
  }
  if (!row[Column::Constraints].empty()) request.features = names.intern(row[Column::Constraints]);
  if (held.cpus.value_or(0) > cpus && holds_whole_nodes(row, held, cpus_of_node)) {
    request.exclusive = ExclusiveRequest::Exclusive;
    out.assumed.push_back(Assumed::ExclusiveFromAllocation);
  }
  out.gpu_type = type_of_gpus(held);
  out.gpus = held.gres.empty() ? asked.total("gpu") : held.total("gpu");
  if (!out.unread.empty()) out.assumed.push_back(Assumed::RequestPartUnread);
  return out;
}

}  // namespace rehearse
