// sim/config/hostlist.cpp — host lists are measured first and expanded second, so that
// `n[0-999999999999]` costs a message and no memory.
#include "sim/config/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kMostPerRange = 65536;
constexpr std::uint64_t kMostHosts = 4194304;
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;  // of all names together
constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kMostDigits = 18;  // of one number: fits 64 bits

struct Range {
  std::uint64_t first = 0, last = 0;
  std::size_t width = 1;
};

/// Literal text, then a bracket group (or none at the end of an item).
struct Part {
  std::string_view literal;
  std::vector<Range> ranges;
};

std::optional<std::uint64_t> number_of(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::string parse_range(std::string_view text, Range& range) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const std::optional<std::uint64_t> first = number_of(text.substr(0, dash));
  const std::optional<std::uint64_t> last =
      dash < text.size() ? number_of(text.substr(dash + 1)) : first;
  if (!first || !last) return fmt::format("{} is not a number or a range of numbers", shown(text));
  if (*last < *first) return fmt::format("the range {} runs backwards", shown(text));
  if (*last - *first >= kMostPerRange) {
    return fmt::format("the range {} has {} hosts; at most {} are allowed in one range",
                       shown(text), *last - *first + 1, kMostPerRange);
  }
  range = {*first, *last, dash};
  return {};
}

std::string parse_group(std::string_view text, std::vector<Range>& ranges) {
  if (text.empty()) return "the brackets are empty";
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    Range range;
    if (std::string error = parse_range(text.substr(0, comma), range); !error.empty()) return error;
    ranges.push_back(range);
    if (comma == text.size()) return {};
    text.remove_prefix(comma + 1);
  }
}

/// Splits one item into literals and groups.
std::string parse_item(std::string_view item, std::vector<Part>& parts) {
  while (!item.empty()) {
    const std::size_t open = std::min(item.find('['), item.size());
    Part part{item.substr(0, open), {}};
    if (part.literal.find(']') != std::string_view::npos) return "']' without '['";
    if (part.literal.size() > kLongestName) {
      return fmt::format("a name of more than {} characters", kLongestName);
    }
    for (const char c : part.literal) {
      if (is_blank(c)) return "blanks are not allowed inside a host list";
      if (static_cast<unsigned char>(c) < 0x20) return "control characters in a host list";
    }
    if (open == item.size()) {
      if (!parts.empty()) {
        return fmt::format("nothing may follow the last ']', but {} does", shown(part.literal));
      }
      parts.push_back(std::move(part));
      return {};
    }
    const std::size_t close = item.find(']', open);
    if (close == std::string_view::npos) return "'[' without ']'";
    if (std::string error = parse_group(item.substr(open + 1, close - open - 1), part.ranges);
        !error.empty()) {
      return error;
    }
    parts.push_back(std::move(part));
    item.remove_prefix(close + 1);
  }
  return {};
}

std::uint64_t count_of(const std::vector<Range>& ranges) {
  std::uint64_t count = 0;  // below 2^64: fewer ranges than bytes, 2^16 hosts each
  for (const Range& range : ranges) count += range.last - range.first + 1;
  return count;
}

/// Hosts that an item stands for; more than kMostHosts where it is too many.
std::uint64_t measure(const std::vector<Part>& parts, std::string& error) {
  std::uint64_t prefixes = 1, count = 1;
  for (const Part& part : parts) {
    if (part.ranges.empty()) continue;
    prefixes = count;
    if (prefixes > kMostPerRange) {
      error =
          fmt::format("the leading bracket groups stand for more than {} prefixes", kMostPerRange);
      return 0;
    }
    count = std::min(count_of(part.ranges), kMostHosts + 1) * prefixes;
  }
  return count;
}

void expand_parts(const std::vector<Part>& parts, std::size_t at, const std::string& prefix,
                  std::vector<std::string>& hosts) {
  if (at == parts.size()) {
    hosts.push_back(prefix);
    return;
  }
  const std::string start = prefix + std::string(parts[at].literal);
  if (parts[at].ranges.empty()) return expand_parts(parts, at + 1, start, hosts);
  for (const Range& range : parts[at].ranges) {
    for (std::uint64_t number = range.first; number <= range.last; ++number) {
      expand_parts(parts, at + 1, fmt::format("{}{:0{}}", start, number, range.width), hosts);
    }
  }
}

/// The end of the item at the front: the first comma outside brackets.
std::size_t item_end(std::string_view text) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') inside = true;
    if (text[i] == ']') inside = false;
    if (text[i] == ',' && !inside) return i;
  }
  return text.size();
}

std::size_t longest_name(const std::vector<Part>& parts) {
  std::size_t length = 0;
  for (const Part& part : parts) {
    length += part.literal.size();
    std::size_t digits = 0;
    for (const Range& range : part.ranges) digits = std::max({digits, range.width, kMostDigits});
    length += digits;
  }
  return length;
}

}  // namespace

HostlistResult expand_hostlist(std::string_view text) {
  HostlistResult result;
  std::vector<std::vector<Part>> items;
  std::uint64_t hosts = 0, bytes = 0;
  while (!text.empty()) {
    const std::size_t end = item_end(text);
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;  // a stray comma stands for nothing, as in Slurm
    std::vector<Part> parts;
    std::string error = parse_item(item, parts);
    const std::uint64_t count = error.empty() ? measure(parts, error) : 0;
    if (!error.empty()) {
      result.error = std::move(error);
      return result;
    }
    hosts += count;
    bytes += count * longest_name(parts);
    if (hosts > kMostHosts || bytes > kMostBytes) {
      result.error = fmt::format("the list stands for more than {} hosts", kMostHosts);
      return result;
    }
    items.push_back(std::move(parts));
  }
  result.hosts.reserve(hosts);
  for (const std::vector<Part>& parts : items) expand_parts(parts, 0, {}, result.hosts);
  return result;
}

namespace {

/// A name as prefix and trailing number; width 0 where it has none.
struct Split {
  std::string_view prefix, digits;
  std::uint64_t number = 0;
};

Split split_name(std::string_view name) {
  std::size_t start = name.size();
  while (start > 0 && name.size() - start < kMostDigits && is_digit(name[start - 1])) --start;
  const std::string_view digits = name.substr(start);
  return {name.substr(0, start), digits, number_of(digits).value_or(0)};
}

bool is_padded_to(std::string_view digits, std::size_t width) {
  return digits.size() == width || (digits.size() > width && digits.front() != '0');
}

/// Widths agree where one's digits read the same when written with the other's width.
bool same_group(const Split& a, const Split& b) {
  if (a.digits.empty() || b.digits.empty() || a.prefix != b.prefix) return false;
  return is_padded_to(b.digits, a.digits.size()) || is_padded_to(a.digits, b.digits.size());
}

}  // namespace

std::string compress_hostlist(const std::vector<std::string>& hosts) {
  std::string text;
  std::size_t i = 0;
  while (i < hosts.size()) {
    const Split head = split_name(hosts[i]);
    std::string group;
    std::size_t ranges = 0, next = i;
    while (next < hosts.size() &&
           (next == i || same_group(split_name(hosts[next - 1]), split_name(hosts[next])))) {
      const Split first = split_name(hosts[next]);
      Split last = first;
      for (++next; next < hosts.size(); ++next) {
        const Split more = split_name(hosts[next]);
        const bool extends = same_group(last, more) && more.number == last.number + 1 &&
                             is_padded_to(more.digits, first.digits.size()) &&
                             more.number - first.number < kMostPerRange;
        if (!extends) break;
        last = more;
      }
      if (!group.empty()) group += ',';
      group += first.digits;
      if (last.number != first.number) group.append("-").append(last.digits);
      ++ranges;
    }
    if (!text.empty()) text += ',';
    text += head.prefix;
    const bool single = ranges == 1 && next == i + 1;
    text += single || head.digits.empty() ? group : "[" + group + "]";
    i = next;
  }
  return text;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    const std::size_t zeros_a = a.find_first_not_of('0', i), zeros_b = b.find_first_not_of('0', j);
    const std::size_t from_a = std::min(zeros_a, a.size()), from_b = std::min(zeros_b, b.size());
    std::size_t to_a = from_a, to_b = from_b;
    while (to_a < a.size() && is_digit(a[to_a])) ++to_a;
    while (to_b < b.size() && is_digit(b[to_b])) ++to_b;
    if (to_a - from_a != to_b - from_b) return to_a - from_a < to_b - from_b;
    const int order = a.substr(from_a, to_a - from_a).compare(b.substr(from_b, to_b - from_b));
    if (order != 0) return order < 0;
    if (from_a - i != from_b - j) return from_a - i < from_b - j;  // fewer leading zeros first
    i = to_a, j = to_b;
  }
  return a.size() - i < b.size() - j;
}

}  // namespace rehearse
