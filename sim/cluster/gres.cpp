// sim/cluster/gres.cpp — slurm.conf says how many devices a node has, gres.conf decorates them.
#include "sim/cluster/gres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cluster/gres_shared.hpp"
#include "sim/config/suggest.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {
namespace {

bool is_shared(const std::string& name) {
  return name == "mps" || name == "shard";
}

bool same_type(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

void warn_once(Diagnostics& found, const SourcePosition& where, const std::string& what,
               const std::string& hint) {
  const bool known = std::any_of(found.all().begin(), found.all().end(),
                                 [&](const Diagnostic& told) { return told.what == what; });
  if (!known) found.warning(where, what, hint);
}

/// Merges one GRES name of one node.
class NameMerge {
 public:
  NameMerge(const NodeConf& node, const std::string& name, const GresConf& conf, NamePool& names,
            Diagnostics& found)
      : node_(node), name_(name), conf_(conf), names_(names), found_(found) {
    for (const GresConfLine& line : conf.lines) {
      if (line.name != name) continue;
      const bool applies = line.nodes.empty() || std::find(line.nodes.begin(), line.nodes.end(),
                                                           node.name) != line.nodes.end();
      if (applies) lines_.push_back(&line);
    }
    const auto is_in = [&](const std::vector<std::string>& sorted) {
      return std::binary_search(sorted.begin(), sorted.end(), node.name);
    };
    detects_ = is_in(conf.auto_detect_on) || (conf.auto_detect && !is_in(conf.auto_detect_off));
    check_lines();
  }

  [[nodiscard]] const std::vector<const GresConfLine*>& lines() const { return lines_; }

  /// `specs`: the entries of this name, in the order of slurm.conf; those of a type are one.
  NodeGres merge(const std::vector<const GresSpec*>& specs) {
    NodeGres gres;
    std::vector<GresSpec> by_type;
    for (const GresSpec* spec : specs) {
      gres.no_consume = gres.no_consume || spec->no_consume;
      configured_ += spec->count;
      const auto same = std::find_if(by_type.begin(), by_type.end(),
                                     [&](const GresSpec& of) { return of.type == spec->type; });
      if (same == by_type.end()) {
        by_type.push_back(*spec);
      } else {
        same->count += spec->count;
      }
    }
    std::vector<std::uint64_t> used(lines_.size(), 0);
    for (const GresSpec& spec : by_type) merge_spec(spec, used, gres);
    settle(gres);
    return gres;
  }

  [[nodiscard]] std::uint64_t configured() const { return configured_; }
  /// slurmctld drains a node whose slurmd tells a type in other small letters and capitals.
  [[nodiscard]] const std::string& too_few() const { return too_few_; }
  /// By device; empty where no line has File=.
  [[nodiscard]] std::vector<std::string>& files() { return files_; }

 private:
  static std::uint64_t device_count(const GresConfLine& line) {
    if (!line.multiple_files.empty()) return 1;
    return line.count.value_or(line.files.empty() ? 1 : line.files.size());
  }
  static bool has_file(const GresConfLine& line) {
    return !line.files.empty() || !line.multiple_files.empty();
  }

  void check_lines() {
    std::size_t typed = 0;
    std::size_t filed = 0;
    for (const GresConfLine* line : lines_) {
      if (!line->type.empty()) ++typed;
      if (has_file(*line)) ++filed;
      if (!is_shared(name_) && line->count && !line->files.empty() &&
          *line->count != line->files.size()) {
        found_.error(line->where,
                     fmt::format("Name={}: Count={} but File= names {} devices: slurmd stops",
                                 name_, *line->count, line->files.size()),
                     "leave Count= out");
      }
    }
    if (is_shared(name_)) return;
    if (typed != 0 && typed != lines_.size()) {
      found_.error(lines_.front()->where,
                   fmt::format("node {}: some lines of {} have a type while others do not",
                               node_.name, name_),
                   "give every line of the name a Type= or none");
    }
    if (filed != 0 && filed != lines_.size()) {
      found_.error(lines_.front()->where,
                   fmt::format("node {}: some lines of {} have a File while others do not",
                               node_.name, name_),
                   "give every line of the name a File= or none");
    }
  }

  void merge_spec(const GresSpec& spec, std::vector<std::uint64_t>& used, NodeGres& gres) {
    std::uint64_t left = spec.count;
    std::uint64_t misspelt = 0;  // of a Type= in other letters
    for (std::size_t i = 0; i < lines_.size() && left > 0; ++i) {
      const GresConfLine& line = *lines_[i];
      if (used[i] > 0) continue;  // a record is taken once, cut to its first devices if too large
      if (!spec.type.empty() && !same_type(spec.type, line.type)) continue;
      const std::uint64_t taken = std::min(left, device_count(line));
      if (!has_file(line) && name_ == "gpu" && !detects_) continue;  // deleted by Slurm
      add_record(line, spec, taken, gres);
      used[i] = taken;
      left -= taken;
      if (!spec.type.empty() && spec.type != line.type && has_file(line)) misspelt += taken;
    }
    if (misspelt > 0 && !detects_ && too_few_.empty()) {
      too_few_ = fmt::format("gres/{}:{} count too low ({} < {})", name_, spec.type,
                             spec.count - left - misspelt, spec.count);
    }
    if (left == 0) return;
    const bool assumed = detects_ || conf_.lines.empty();
    if (name_ == "gpu" && !assumed) return;  // fewer than configured: settle() drains the node
    if (name_ == "gpu" && !detects_) {
      warn_once(
          found_, node_.gres_where,
          "there is no gres.conf line: GPUs are taken from slurm.conf alone; a real slurmctld "
          "would drain their nodes",
          "give the site's gres.conf: Cores= and Links= change which GPUs jobs get");
    }
    add_unlisted(spec, left, gres);
  }

  void add_record(const GresConfLine& line, const GresSpec& spec, std::uint64_t taken,
                  NodeGres& gres) {
    if (!spec.type.empty() || !line.cores.empty()) gres.has_topology = true;
    if (!has_file(line)) {
      add_unlisted(spec, taken, gres);
      return;
    }
    GresDevice device;
    device.type = names_.intern(spec.type);  // an untyped entry removes the line's Type
    const std::vector<bool> touched = touched_by(line);
    device.socket = socket_of(touched);
    for (std::uint64_t i = 0; i < taken; ++i) {
      gres.devices.push_back(device);
      files_.push_back(line.files.empty() ? line.multiple_files.front()
                                          : line.files[static_cast<std::size_t>(i)]);
      links_.push_back(&line.links);
      positions_.push_back(&line.where);
      touched_.push_back({device.type, touched});
    }
    gres.total += taken;
  }

  /// Devices (gpu) or a plain count (others) that no File= stands for.
  void add_unlisted(const GresSpec& spec, std::uint64_t taken, NodeGres& gres) {
    gres.total += taken;
    if (!spec.type.empty()) gres.has_topology = true;
    if (name_ == "gpu") {
      GresDevice device;
      device.type = names_.intern(spec.type);
      gres.devices.insert(gres.devices.end(), static_cast<std::size_t>(taken), device);
      return;
    }
    gres.count_only = true;
    if (!spec.type.empty()) gres.devices.push_back({names_.intern(spec.type), std::nullopt, taken});
  }

  /// The sockets of its Cores=; empty: it has none that count.
  std::vector<bool> touched_by(const GresConfLine& line) {
    std::vector<bool> touched(line.cores.empty() ? 0 : node_.sockets, false);
    for (const std::uint32_t core : line.cores) {
      const std::uint32_t socket = core / std::max(node_.cores_per_socket, 1U);
      if (socket >= node_.sockets) {
        found_.warning(
            line.where,
            fmt::format("node {} has no core {}: Slurm ignores Cores= here", node_.name, core),
            "Cores= counts cores by socket, not hardware threads");
        return {};
      }
      touched[socket] = true;
    }
    return touched;
  }

  /// The socket a record is credited to: none if it touches all; the lowest if several.
  static std::optional<std::uint16_t> socket_of(const std::vector<bool>& touched) {
    if (std::find(touched.begin(), touched.end(), false) == touched.end()) return std::nullopt;
    const auto lowest = std::find(touched.begin(), touched.end(), true);
    return static_cast<std::uint16_t>(lowest - touched.begin());
  }

  /// Where some line has Cores=, one without is shown as if it had all.
  void settle_sockets(NodeGres& gres) const {
    const auto has_cores = [](const GresSockets& each) { return !each.touched.empty(); };
    if (std::none_of(touched_.begin(), touched_.end(), has_cores)) return;
    for (const GresSockets& each : touched_) {
      auto own = std::find_if(gres.sockets.begin(), gres.sockets.end(),
                              [&](const GresSockets& of) { return of.type == each.type; });
      if (own == gres.sockets.end()) {
        own = gres.sockets.insert(own, {each.type, std::vector<bool>(node_.sockets, false)});
      }
      for (std::size_t socket = 0; socket < own->touched.size(); ++socket) {
        if (each.touched.empty() || each.touched[socket]) own->touched[socket] = true;
      }
    }
  }

  void settle(NodeGres& gres) {
    settle_sockets(gres);
    const auto given = [](const std::vector<std::int32_t>* links) { return !links->empty(); };
    if (std::none_of(links_.begin(), links_.end(), given)) return;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i]->size() == gres.devices.size()) continue;
      found_.warning(*positions_[i],
                     fmt::format("node {}: Links= has {} numbers for {} devices: Slurm drops it",
                                 node_.name, links_[i]->size(), gres.devices.size()));
      return;
    }
    for (const std::vector<std::int32_t>* links : links_) gres.links.push_back(*links);
  }

  const NodeConf& node_;
  const std::string& name_;
  const GresConf& conf_;
  NamePool& names_;
  Diagnostics& found_;
  bool detects_ = false;  ///< AutoDetect holds for the node: devices are those of slurm.conf
  std::vector<const GresConfLine*> lines_;
  std::uint64_t configured_ = 0;
  std::string too_few_;
  std::vector<std::string> files_;                       // by device
  std::vector<const std::vector<std::int32_t>*> links_;  // by device
  std::vector<const SourcePosition*> positions_;         // by device
  std::vector<GresSockets> touched_;                     // by device
};

void check_specs(const NodeConf& node, const std::vector<GresSpec>& specs,
                 const std::vector<std::string>& gres_types, Diagnostics& found) {
  for (const GresSpec& spec : specs) {
    if (std::find(gres_types.begin(), gres_types.end(), spec.name) == gres_types.end()) {
      const std::vector<std::string_view> names(gres_types.begin(), gres_types.end());
      const std::size_t equals = spec.name.find('=');
      std::string hint = did_you_mean(spec.name.substr(0, equals), names);
      if (equals != std::string::npos) {
        hint = fmt::format("the count stands behind a colon: write {}:{}",
                           spec.name.substr(0, equals), spec.name.substr(equals + 1));
      } else if (hint.empty()) {
        hint = fmt::format("write GresTypes={}{}{} in slurm.conf", fmt::join(gres_types, ","),
                           gres_types.empty() ? "" : ",", spec.name);
      }
      warn_once(
          found, node.gres_where,
          fmt::format("GRES {} is not in GresTypes: Slurm drops it from its nodes", spec.name),
          hint);
    }
    const bool mixed = std::any_of(specs.begin(), specs.end(), [&](const GresSpec& other) {
      return other.name == spec.name && other.type.empty() && !spec.type.empty();
    });
    if (mixed) {
      found.error(node.gres_where,
                  fmt::format("node {}: some entries of {} have a type while others do not",
                              node.name, spec.name),
                  "give every entry of the name a type or none");
      return;
    }
  }
}

/// Where GPUs can be shared slurmd takes each file of a MultipleFiles= for a device (gres.md §1.3).
void check_multiple_files(const std::vector<const GresConfLine*>& lines,
                          const std::vector<std::string>& gres_types, Diagnostics& found) {
  const auto shared = std::find_if(gres_types.begin(), gres_types.end(), is_shared);
  const auto line = std::find_if(lines.begin(), lines.end(), [](const GresConfLine* each) {
    return !each->multiple_files.empty();
  });
  if (shared == gres_types.end() || line == lines.end()) return;
  warn_once(found, (*line)->where,
            fmt::format("with {} in GresTypes slurmd 22.05 takes each file of MultipleFiles= for a "
                        "device: some GPUs of such nodes cannot be had there, here all can",
                        *shared),
            fmt::format("leave {} out of GresTypes, if no node needs it", *shared));
}

void note_shortage(const std::string& name, std::uint64_t there, std::uint64_t configured,
                   MergedGres& merged) {
  if (there >= configured || !merged.drain_reason.empty()) return;
  merged.drain_reason = fmt::format("gres/{} count reported lower than configured ({} < {})", name,
                                    there, configured);
}

}  // namespace

MergedGres merge_gres(const NodeConf& node, const std::vector<GresSpec>& specs,
                      const GresConf& gres_conf, const std::vector<std::string>& gres_types,
                      NamePool& names, Diagnostics& found) {
  MergedGres merged;
  check_specs(node, specs, gres_types, found);
  std::vector<std::string> gpu_files;
  std::optional<std::uint16_t> gpu_position;
  std::size_t shared_names = 0;
  for (const std::string& name : gres_types) {
    std::vector<const GresSpec*> own;
    for (const GresSpec& spec : specs) {
      if (spec.name == name && spec.count > 0) own.push_back(&spec);
    }
    if (own.empty()) continue;
    NameMerge merge{node, name, gres_conf, names, found};
    NodeGres gres;
    std::uint64_t configured = 0;
    std::uint64_t there = 0;
    if (is_shared(name)) {
      ++shared_names;
      for (const GresSpec* spec : own) configured += spec->count;
      std::uint64_t lacking = 0;
      const SharingGpus gpus{gpu_position ? &merged.gres[*gpu_position] : nullptr, &gpu_files,
                             gpu_position.value_or(0)};
      gres = distribute_shared(node, name, configured, merge.lines(), gpus, lacking, found);
      there = configured - lacking;
    } else {
      check_multiple_files(merge.lines(), gres_types, found);
      gres = merge.merge(own);
      configured = merge.configured();
      there = gres.total;
    }
    note_shortage(name, there, configured, merged);
    if (merged.drain_reason.empty()) merged.drain_reason = merge.too_few();
    if (gres.total == 0) continue;
    gres.name = names.intern(name);
    if (name == "gpu") {
      gpu_position = static_cast<std::uint16_t>(merged.gres.size());
      gpu_files = std::move(merge.files());
    }
    merged.gres.push_back(std::move(gres));
  }
  if (shared_names > 1) {
    warn_once(found, node.gres_where, "mps and shard on one node: Slurm does not keep them apart",
              "configure one of them a node; Rehearse never lets them meet on a GPU");
  }
  return merged;
}

}  // namespace rehearse
