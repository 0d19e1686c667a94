// sim/config/gres_conf.cpp — gres.conf line by line, then what its lines must agree on for each
// node (gres.md §1.3).
#include "sim/config/gres_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "sim/config/conf_record.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kMostDevices = 1024;  // of one name with File on a node

bool is_shared(std::string_view name) {
  return name == "mps" || name == "shard";
}

std::vector<std::string> expand(const FieldReader& in, const ConfPair* pair) {
  if (pair == nullptr) return {};
  HostlistResult list = expand_hostlist(pair->value);
  if (!list.error.empty()) {
    in.error(*pair, fmt::format("{}: {}", shown(pair->value), list.error));
  } else if (list.hosts.empty()) {
    in.error(*pair, "the list is empty");
  }
  return std::move(list.hosts);
}

void read_count(const FieldReader& in, GresConfLine& line) {
  const ConfPair* count = in.record().own("Count");
  if (count == nullptr) return;
  line.count = parse_gres_count(count->value);
  if (!line.count) {
    in.error(*count, fmt::format("{} is not a count", shown(count->value)),
             "a number, with K, M, G, T or P");
  } else if (!line.files.empty() && !is_shared(line.name) && *line.count != line.files.size()) {
    in.error(*count,
             fmt::format("{} does not match the {} files of File=", *line.count, line.files.size()),
             "leave Count out");
  } else if (!line.multiple_files.empty() && *line.count != 1) {
    in.error(*count, "MultipleFiles describes one device", "leave Count out");
  }
}

void read_files(const FieldReader& in, GresConfLine& line) {
  const ConfPair* files = in.record().find("File", "Files");
  const ConfPair* multiple = in.record().own("MultipleFiles");
  line.files = expand(in, files);
  line.multiple_files = expand(in, multiple);
  if (files != nullptr && multiple != nullptr) {
    in.error(*multiple, "File and MultipleFiles exclude each other");
  }
  if (multiple != nullptr && line.multiple_files.size() == 1) {
    in.error(*multiple, "needs at least two files", "write File= for one");
  }
  if (!is_shared(line.name) && line.files.size() > kMostDevices) {
    in.error(*files, fmt::format("{} devices; at most {} are allowed on a node", line.files.size(),
                                 kMostDevices));
  }
}

/// One integer a device; -1 exactly once. A wrong list is dropped, as Slurm does.
void read_links(const FieldReader& in, GresConfLine& line) {
  const ConfPair* pair = in.record().find("Links", "Link");
  if (pair == nullptr) return;
  std::size_t selves = 0;
  bool is_valid = true;
  for (const std::string_view item : split_list(pair->value)) {
    std::string_view digits = item;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const auto number = parse_index_list(digits, 65535);
    is_valid &= number && number->size() == 1 && (!negative || (*number)[0] <= 2);
    if (!is_valid) break;
    const auto value = static_cast<std::int32_t>((*number)[0]);
    line.links.push_back(negative ? -value : value);
    if (item == "-1") ++selves;
  }
  if (is_valid && selves == 1 && line.files.size() <= 1) return;
  in.warning(*pair,
             line.files.size() > 1
                 ? std::string("a line with Links describes one device; Slurm drops the links")
                 : fmt::format("{} is no list of links; Slurm drops it", shown(pair->value)),
             "one number a device of the node, -1 for the device itself");
  line.links.clear();
}

void read_flags(const FieldReader& in, GresConfLine& line) {
  const ConfPair* pair = in.record().own("Flags");
  if (pair == nullptr) return;
  const auto has = [&](std::string_view flag) { return contains_ignoring_case(pair->value, flag); };
  line.count_only = has("CountOnly");
  line.one_sharing = has("one_sharing");
  line.all_sharing = has("all_sharing");
  line.is_explicit = has("explicit");
  if (line.one_sharing && line.all_sharing) {
    in.error(*pair, "one_sharing and all_sharing exclude each other");
  }
  constexpr std::string_view kFlags[] = {"CountOnly",     "one_sharing",    "all_sharing",
                                         "explicit",      "nvidia_gpu_env", "amd_gpu_env",
                                         "intel_gpu_env", "opencl_env",     "no_gpu_env"};
  for (const std::string_view word : split_list(pair->value)) {
    const bool known =
        std::any_of(std::begin(kFlags), std::end(kFlags),
                    [&](std::string_view flag) { return contains_ignoring_case(word, flag); });
    if (!known)
      in.warning(*pair, fmt::format("{} is no flag; Slurm ignores it", shown(word)),
                 did_you_mean(word, kFlags));
  }
}

GresConfLine read_line(const FieldReader& in, const SourcePosition& where) {
  GresConfLine line;
  line.where = where;
  line.nodes = expand(in, in.record().own("NodeName"));
  in.read("Name", line.name);
  in.read("Type", line.type);
  if (std::any_of(line.type.begin(), line.type.end(), is_blank)) {
    in.error(*in.record().own("Type"), "a type has no blanks");
  }
  read_files(in, line);
  read_count(in, line);
  if (const ConfPair* cores = in.record().find("Cores", "CPUs")) {
    std::string_view text = cores->value;
    if (text.starts_with('[') && text.ends_with(']')) {  // of old examples: CPUs=[0-3]
      text = text.substr(1, text.size() - 2);
    }
    const auto list = parse_index_list(text, 65535);
    if (!list) {
      in.error(*cores, fmt::format("{} is no list of cores", shown(cores->value)),
               "core indexes and ranges, as 0-15,32-47");
    }
    line.cores = list.value_or(std::vector<std::uint32_t>{});
  }
  read_links(in, line);
  read_flags(in, line);
  return line;
}

class GresReader {
 public:
  GresReader(const ConfText& text, Diagnostics& found) : text_(text), found_(found) {}

  GresConf read() {
    for (const ConfLine& line : text_.lines) read(line);
    settle_auto_detect();
    check_agreement();
    check_missing_files();
    return std::move(out_);
  }

 private:
  void read(const ConfLine& line);
  void auto_detect(const ConfPair& pair, const ConfRecord& record, const FieldReader& in);
  void settle_auto_detect();
  void check_agreement();
  void check_missing_files();
  template <typename Has>
  void check_all_or_none(std::size_t first, Has has, Severity severity, std::string_view what);

  const ConfText& text_;
  Diagnostics& found_;
  GresConf out_;
  std::string global_detect_;
  struct NodeDetect {
    std::string node, value;
    SourcePosition where;
  };
  std::vector<NodeDetect> node_detect_;
  std::vector<std::vector<std::string>> sorted_nodes_;  // of each line
};

void GresReader::read(const ConfLine& line) {
  constexpr std::string_view kKeys[] = {"NodeName",      "Name",  "Type",      "File", "Files",
                                        "MultipleFiles", "Count", "Cores",     "CPUs", "Links",
                                        "Link",          "Flags", "AutoDetect"};
  ConfRecord record;
  for (const ConfPair& pair : line.pairs) {
    const bool known = std::any_of(std::begin(kKeys), std::end(kKeys), [&](std::string_view key) {
      return equals_ignoring_case(key, pair.key);
    });
    if (!known) {
      found_.error(text_.position(pair.key_at),
                   fmt::format("{} is not a key of gres.conf", shown(pair.key)),
                   did_you_mean(pair.key, kKeys));
    } else if (record.own(pair.key) != nullptr) {
      found_.warning(
          text_.position(pair.key_at),
          fmt::format("{} is given more than once on this line; the last wins", pair.key));
    }
    if (known) record.set_own(pair);
  }
  const ConfPair& head = line.pairs.front();
  const SourcePosition where = text_.position(head.key_at);
  const FieldReader in(text_, record, found_);
  const ConfPair* nodes = record.own("NodeName");
  if (nodes != nullptr && nodes != &head) {
    found_.error(text_.position(nodes->key_at), "NodeName must come first on a line of gres.conf");
  }
  const ConfPair* detect = record.own("AutoDetect");
  if (record.own("Name") != nullptr) {
    if (detect != nullptr && nodes != nullptr) auto_detect(*detect, record, in);
    if (detect != nullptr && nodes == nullptr) {
      in.warning(*detect, "ignored on a line with Name= and without NodeName=",
                 "give it a line of its own, or name the nodes");
    }
    out_.lines.push_back(read_line(in, where));
  } else if (detect != nullptr) {
    auto_detect(*detect, record, in);
  } else {
    found_.error(where,
                 "the line has no Name=", "write for example Name=gpu File=/dev/nvidia[0-7]");
  }
}

void GresReader::auto_detect(const ConfPair& pair, const ConfRecord& record,
                             const FieldReader& in) {
  const std::string value = to_lower(pair.value);
  constexpr std::string_view kValues[] = {"nvml", "rsmi", "oneapi", "off", "nrt", "nvidia"};
  if (std::find(std::begin(kValues), std::end(kValues), value) == std::end(kValues)) {
    in.error(pair, fmt::format("{} is no way to detect devices", shown(pair.value)),
             "nvml, rsmi, oneapi or off; nrt from 23.11, nvidia from 24.11");
    return;
  }
  const ConfPair* nodes = record.own("NodeName");
  if (nodes == nullptr) {
    if (!global_detect_.empty() && global_detect_ != value) {
      in.error(pair, fmt::format("{} contradicts {} above", value, global_detect_));
    }
    global_detect_ = value;
    out_.auto_detect = value != "off";
    return;
  }
  for (std::string& node : expand(in, nodes))
    node_detect_.push_back({std::move(node), value, in.at(pair)});
}

/// One way of detection a node; two are fatal. What is left is sorted by node.
void GresReader::settle_auto_detect() {
  std::stable_sort(node_detect_.begin(), node_detect_.end(),
                   [](const NodeDetect& a, const NodeDetect& b) { return a.node < b.node; });
  for (std::size_t i = 0; i < node_detect_.size(); ++i) {
    const NodeDetect& now = node_detect_[i];
    if (i > 0 && node_detect_[i - 1].node == now.node) {
      const std::string& before = node_detect_[i - 1].value;
      if (before == now.value) continue;
      found_.error(now.where, fmt::format("AutoDetect: {} contradicts {} above for {}", now.value,
                                          before, shown(now.node)));
      return;
    }
    (now.value == "off" ? out_.auto_detect_off : out_.auto_detect_on).push_back(now.node);
  }
}

/// The node lists are sorted copies.
bool share_a_node(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() || b.empty()) return true;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

/// Lines of one name that a node reads must all have something or all lack it.
template <typename Has>
void GresReader::check_all_or_none(std::size_t first, Has has, Severity severity,
                                   std::string_view what) {
  const GresConfLine& a = out_.lines[first];
  for (std::size_t i = first + 1; i < out_.lines.size(); ++i) {
    const GresConfLine& b = out_.lines[i];
    if (a.name != b.name || has(a) == has(b) ||
        !share_a_node(sorted_nodes_[first], sorted_nodes_[i]))
      continue;
    const std::string text =
        fmt::format("some lines of {} have {}, others do not", shown(a.name), what);
    const std::string hint = fmt::format("line {} differs", a.where.line);
    severity == Severity::Error ? found_.error(b.where, text, hint)
                                : found_.warning(b.where, text, hint);
    return;
  }
}

void GresReader::check_agreement() {
  for (const GresConfLine& line : out_.lines) {
    sorted_nodes_.push_back(line.nodes);
    std::sort(sorted_nodes_.back().begin(), sorted_nodes_.back().end());
  }
  for (std::size_t i = 0; i < out_.lines.size(); ++i) {
    check_all_or_none(
        i, [](const GresConfLine& l) { return !l.type.empty(); }, Severity::Error, "Type");
    check_all_or_none(
        i, [](const GresConfLine& l) { return !l.files.empty() || !l.multiple_files.empty(); },
        Severity::Error, "File");
    check_all_or_none(
        i, [](const GresConfLine& l) { return !l.cores.empty(); }, Severity::Warning,
        "Cores (Slurm takes all cores for those)");
  }
}

void GresReader::check_missing_files() {
  if (out_.auto_detect || !out_.auto_detect_on.empty()) return;
  for (const GresConfLine& line : out_.lines) {
    if (line.name != "gpu" || line.count_only || !line.files.empty() ||
        !line.multiple_files.empty()) {
      continue;
    }
    found_.warning(line.where, "gpu without File: slurmd drops the line and the node is drained",
                   "add File=/dev/nvidia[0-7], or AutoDetect=nvml");
  }
}

}  // namespace

GresConf parse_gres_conf(std::string_view text, const std::string& name,
                         const std::filesystem::path& directory, Diagnostics& found) {
  ConfText lexed = lex_conf(text, name, directory, found);
  GresConf conf = GresReader(lexed, found).read();
  conf.sources = std::move(lexed.sources);
  return conf;
}

GresConf read_gres_conf(const std::filesystem::path& path, Diagnostics& found) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return {};
  std::string text;
  if (!read_text_file(path, text)) {
    found.error({path.string(), 0, 0}, "cannot read the file");
    return {};
  }
  return parse_gres_conf(text, path.string(), path.parent_path(), found);
}

}  // namespace rehearse
