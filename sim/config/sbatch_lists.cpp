// sim/config/sbatch_lists.cpp — GRES, dependency and array arguments: the lists with a grammar.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/config/sbatch_values.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace submit {
namespace {

/// Digits with a suffix of gres.md §1.2: K, KiB: ×1024; KB: ×1000; a plus may stand before them.
std::optional<std::uint64_t> gres_count(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  auto value = text::parse_decimal(text.substr(0, end));
  if (!value) return std::nullopt;
  const std::string suffix = to_lower(text.substr(end));
  if (suffix.empty()) return value;
  constexpr std::string_view kUnits = "kmgtp";
  const std::size_t power = kUnits.find(suffix[0]);
  const std::string_view tail = std::string_view(suffix).substr(1);
  if (power == std::string_view::npos || !(tail.empty() || tail == "b" || tail == "ib")) {
    return std::nullopt;
  }
  const std::uint64_t base = tail == "b" ? 1000 : 1024;
  for (std::size_t i = 0; i <= power; ++i) {
    if (*value > UINT64_MAX / base) return std::nullopt;
    *value *= base;
  }
  return value;
}

void refuse(const OptionUse& use, const text::Piece& piece, std::string_view what,
            Diagnostics& found, const std::string& hint) {
  found.error(text::shifted(use.value_at, piece.offset),
              fmt::format("{}: '{}' is not {}", use.name, shortened(piece.text), what), hint);
}

/// `name[:type][:count],…` (gres.md §2.1). A count of 0 drops the entry; an empty one is refused,
/// and so is `gres/gpu`, but not `gres:gpu`, which is how 22.05 shows the entries of a job.
std::vector<GresSpec> gres_list(const OptionUse& use, Diagnostics& found) {
  std::vector<GresSpec> list;
  constexpr const char* kHint = "write gpu:2 or gpu:a100:2,shard:1";
  for (const text::Piece& piece : text::split_at(use.value.value_or(""), ',')) {
    std::string_view entry = piece.text;
    if (entry == "none" || entry == "NONE") continue;
    if (entry.starts_with("gres:")) entry.remove_prefix(5);
    const std::vector<text::Piece> parts = text::split_at(entry, ':');
    GresSpec spec;
    spec.name = std::string(parts[0].text);
    std::optional<std::uint64_t> count;
    if (parts.size() == 2) {
      count = gres_count(parts[1].text);
      if (!count) spec.type = std::string(parts[1].text);
    } else if (parts.size() == 3) {
      spec.type = std::string(parts[1].text);
      count = gres_count(parts[2].text);
    }
    const bool bare = parts.size() == 1 || (parts.size() == 2 && !spec.type.empty());
    if (spec.name.empty() || parts.size() > 3 || (!bare && !count) ||
        (parts.size() > 1 && parts[1].text.empty()) ||
        entry.find_first_of("=-/ ") < entry.find(':')) {
      refuse(use, piece, "a GRES", found, kHint);
      continue;
    }
    spec.count = count.value_or(1);
    if (spec.count > 0) list.push_back(std::move(spec));
  }
  return list;
}

/// `a100`: one of that type. Not what begins as another option does.
bool is_gpu_type(std::string_view text) {
  constexpr auto is_of_name = [](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '-' || c == '.';
  };
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), is_of_name);
}

/// `[type:]n,…`; a type alone is one of it, and empty entries among others are passed over
/// (gres.md §2.1).
std::vector<GresSpec> gpu_list(const OptionUse& use, Diagnostics& found) {
  std::vector<GresSpec> list;
  const std::string_view text = use.value.value_or("");
  for (const text::Piece& piece : text::split_at(text, ',')) {
    if (piece.text.empty() && text.find_first_not_of(',') != std::string_view::npos) continue;
    const std::size_t colon = piece.text.rfind(':');
    const bool typed = colon != std::string_view::npos;
    const auto count = gres_count(typed ? piece.text.substr(colon + 1) : piece.text);
    if (!count && !typed && is_gpu_type(piece.text)) {
      list.push_back({"gpu", std::string(piece.text), 1, false});
      continue;
    }
    GresSpec spec{"gpu", typed ? std::string(piece.text.substr(0, colon)) : std::string(), 0,
                  false};
    if (!count || (typed && spec.type.empty()) || spec.type.find(':') != std::string::npos) {
      refuse(use, piece, "a GPU count", found, "write 4 or a100:4");
      continue;
    }
    spec.count = *count;
    if (spec.count > 0) list.push_back(std::move(spec));
  }
  return list;
}

/// `123`, `123_4`, `123_*`, each with `+minutes`.
bool is_job_reference(std::string_view text) {
  const std::size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    const auto delay = text::parse_decimal32(text.substr(plus + 1));
    if (!delay || *delay == 0) return false;
    text = text.substr(0, plus);
  }
  const std::size_t underscore = text.find('_');
  if (underscore != std::string_view::npos) {
    const std::string_view task = text.substr(underscore + 1);
    if (task != "*" && !text::parse_decimal32(task)) return false;
    text = text.substr(0, underscore);
  }
  const auto id = text::parse_decimal32(text);
  return id && *id > 0;
}

}  // namespace

void gres(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  args.gres.resize(args.gpus_per_node);
  for (GresSpec& spec : gres_list(use, found)) args.gres.push_back(std::move(spec));
}
/// Of one kind the last entry counts, and --gres stands behind --gpus-per-node (gres.md §2.1).
void gpus_per_node(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  const auto begin = args.gres.begin();
  args.gres.erase(begin, begin + static_cast<std::ptrdiff_t>(args.gpus_per_node));
  std::vector<GresSpec> list = gpu_list(use, found);
  args.gpus_per_node = list.size();
  args.gres.insert(args.gres.begin(), list.begin(), list.end());
}
void gpus(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  args.gpus = gpu_list(use, found);
}
void gpus_per_task(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  args.gpus_per_task = gpu_list(use, found);
}
/// `cpu=8,gres/gpu:a100=1` of 24.05, `cpu:8,gres:gpu:a100:1` of 23.11.
void tres_per_task(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  for (const text::Piece& piece : text::split_at(use.value.value_or(""), ',')) {
    std::string entry(piece.text);
    std::replace(entry.begin(), entry.end(), '=', ':');
    std::replace(entry.begin(), entry.end(), '/', ':');
    const std::size_t last = entry.rfind(':');
    const std::string name = entry.substr(0, last);
    const auto count = last == std::string::npos
                           ? std::nullopt
                           : gres_count(std::string_view(entry).substr(last + 1));
    if (!count || *count > UINT32_MAX) {
      refuse(use, piece, "a TRES", found, "write cpu=8,gres/gpu:a100=1");
    } else if (name == "cpu") {
      args.cpus_per_task = static_cast<std::uint32_t>(*count);
    } else if (name == "gres:gpu" || name.starts_with("gres:gpu:")) {
      const std::string type = name.size() > 9 ? name.substr(9) : std::string();
      args.gpus_per_task.push_back({"gpu", type, *count, false});
    } else {
      found.warning(
          text::shifted(use.value_at, piece.offset),
          fmt::format("{}: '{}' is known but not simulated", use.name, shortened(piece.text)));
    }
  }
}
void gpus_per_socket(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  args.gpus_per_socket = gpu_list(use, found);
}

void dependency(SbatchArgs& args, const OptionUse& use, Diagnostics& found) {
  constexpr std::array<std::string_view, 8> kTypes = {"after",      "afterany",  "afterok",
                                                      "afternotok", "aftercorr", "afterburstbuffer",
                                                      "expand",     "singleton"};
  std::string text(use.value.value_or(""));
  std::replace(text.begin(), text.end(), '?', ',');  // one of them, not all: same items
  for (const text::Piece& item : text::split_at(text, ',')) {
    const std::vector<text::Piece> parts = text::split_at(item.text, ':');
    const std::string type = to_lower(parts[0].text);
    if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
      refuse(use, item, "a dependency", found, did_you_mean(type, kTypes));
      return;
    }
    const bool alone = type == "singleton";
    bool fine = alone ? parts.size() == 1 : parts.size() > 1;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      fine = fine && is_job_reference(parts[i].text);
    }
    if (!fine) {
      refuse(use, item, "a dependency", found,
             alone ? "singleton stands alone" : "write afterok:123:124_5, or after:123+10");
      return;
    }
  }
  args.dependency = std::string(use.value.value_or(""));
}

}  // namespace submit

namespace {

// More than the largest MaxArraySize (4,000,001) cannot be submitted.
constexpr std::uint32_t kMostIndexes = 4000001;

bool add_indexes(std::string_view item, std::vector<bool>& members) {
  std::uint32_t step = 1;
  const std::size_t colon = item.find(':');
  if (colon != std::string_view::npos) {
    const auto value = text::parse_decimal32(item.substr(colon + 1));
    if (!value || *value == 0) return false;
    step = *value;
    item = item.substr(0, colon);
  }
  const std::size_t dash = item.find('-');
  if (dash == std::string_view::npos && colon != std::string_view::npos) return false;
  const auto first = text::parse_decimal32(item.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : text::parse_decimal32(item.substr(dash + 1));
  if (!first || !last || *last < *first || *last >= kMostIndexes) return false;
  if (members.size() <= *last) members.resize(std::size_t{*last} + 1);
  for (std::uint64_t i = *first; i <= *last; i += step) members[i] = true;
  return true;
}

}  // namespace

std::optional<ArrayIndexes> parse_array_indexes(std::string_view text) {
  ArrayIndexes result;
  const std::size_t percent = text.find('%');
  if (percent != std::string_view::npos) {
    const auto most = text::parse_decimal32(text.substr(percent + 1));
    if (!most) return std::nullopt;
    result.max_running = *most;
    text = text.substr(0, percent);
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<bool> members;
  for (const text::Piece& piece : text::split_at(text, ',')) {
    if (!add_indexes(piece.text, members)) return std::nullopt;
  }
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (members[i]) result.indexes.push_back(i);
  }
  return result;
}

}  // namespace rehearse
