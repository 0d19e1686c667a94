// workloads/het_line.cpp — what one component of a heterogeneous job's submit line asks for.
//
// Slurm: sbatch reads the whole line first, and then each part on top of what the last one left; it
// forgets in between what is a component's own (sizes, partition, licences, GRES …), and keeps the
// rest. So of what is kept a component has its own word, else that of the nearest part before it
// that has one, else the last word of the line; --hint goes to later parts alone (lifecycle.md
// §10.2).
#include "workloads/het_line.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace rehearse {
namespace {

/// `sbatch -n1 `, `sbatch -p gpu …`. One: the line is not of several components.
std::vector<std::string> parts_of(std::string_view line) {
  constexpr std::string_view kMark = " : ";
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = line.find(kMark);
    const std::string part(line.substr(0, end));
    parts.push_back(parts.empty() ? part : "sbatch " + part);
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + kMark.size());
  }
}

template <typename T>
bool is_given(const std::optional<T>& value) {
  return value.has_value();
}
bool is_given(const std::string& value) {
  return !value.empty();
}
bool is_given(bool value) {
  return value;
}

/// What `other` says and nothing nearer to the component did.
void keep(const SbatchArgs& other, SbatchArgs& args) {
  const auto word = [&](auto member) {
    if (!is_given(args.*member) && is_given(other.*member)) args.*member = other.*member;
  };
  for (const auto text :
       {&SbatchArgs::account, &SbatchArgs::qos, &SbatchArgs::job_name, &SbatchArgs::reservation,
        &SbatchArgs::user, &SbatchArgs::prefer, &SbatchArgs::exclude, &SbatchArgs::dependency,
        &SbatchArgs::begin, &SbatchArgs::deadline, &SbatchArgs::comment}) {
    word(text);
  }
  for (const auto minutes : {&SbatchArgs::time_limit, &SbatchArgs::time_min}) word(minutes);
  for (const auto flag : {&SbatchArgs::hold, &SbatchArgs::reboot}) word(flag);
  for (const auto choice : {&SbatchArgs::kill_on_invalid_dep, &SbatchArgs::requeue}) word(choice);
  word(&SbatchArgs::nice);
  word(&SbatchArgs::priority);
  // sbatch refuses a part of another unit of memory after one with --mem.
  if (!args.mem_per_cpu_mib && !args.mem_per_gpu_mib) word(&SbatchArgs::mem_per_node_mib);
}

}  // namespace

std::uint32_t component_count(std::string_view line) {
  return static_cast<std::uint32_t>(parts_of(line).size());
}

std::optional<SbatchArgs> component_args(std::string_view line, std::uint32_t offset,
                                         const SourcePosition& where, Diagnostics& found) {
  const std::vector<std::string> parts = parts_of(line);
  if (parts.size() < 2 || offset >= parts.size()) return std::nullopt;
  std::vector<SbatchArgs> all;
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    Diagnostics of_others;
    all.push_back(parse_submit_line(parts[i], where, i == offset ? found : of_others));
  }
  SbatchArgs args = all[offset];
  for (std::uint32_t i = offset; i-- > 0;) {
    keep(all[i], args);
    if (!args.hint_nomultithread) args.hint_nomultithread = all[i].hint_nomultithread;
  }
  for (std::size_t i = parts.size(); --i > offset;) keep(all[i], args);
  // Slurm: nodes that one component asks for by name are kept from the others.
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    if (i == offset || all[i].nodelist.empty()) continue;
    args.exclude += (args.exclude.empty() ? "" : ",") + all[i].nodelist;
  }
  return args;
}

}  // namespace rehearse
