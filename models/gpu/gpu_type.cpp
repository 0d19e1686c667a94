// models/gpu/gpu_type.cpp — the Type of a GPU as sites and AutoDetect write it, taken apart.
#include "models/gpu/gpu_type.hpp"

#include <algorithm>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

/// Takes digits and `unit` off the front; none: they do not stand there.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view unit) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = text::parse_decimal(text.substr(0, digits));
  if (!number || !text.substr(digits).starts_with(unit)) return std::nullopt;
  text.remove_prefix(digits + unit.size());
  return number;
}

bool separates(char c) {
  return c == '_' || c == '-' || c == '.';
}

}  // namespace

std::optional<MigTypeText> parse_mig_name(std::string_view text) {
  std::string_view rest = text;
  if (std::string_view ahead = rest; take_number(ahead, "c.")) rest = ahead;
  const auto compute = take_number(rest, "g.");
  if (!compute || *compute == 0 || *compute > 64) return std::nullopt;
  const auto gib = take_number(rest, "gb");
  if (!gib || *gib == 0 || *gib > 100000) return std::nullopt;
  MigTypeText mig{static_cast<std::uint32_t>(*compute), *gib, false};
  if (rest.starts_with("+")) {
    mig.media = rest.starts_with("+me");
    const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || c == '+' || c == '.'; };
    if (!std::all_of(rest.begin(), rest.end(), is_word)) return std::nullopt;
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  return mig;
}

GpuTypeText split_gpu_type(std::string_view type) {
  GpuTypeText parts;
  std::string text(type);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  std::size_t end = text.size();
  for (std::size_t at = 0; at < text.size() && !parts.mig; ++at) {
    if (at > 0 && !separates(text[at - 1])) continue;
    parts.mig = parse_mig_name(std::string_view(text).substr(at));
    if (parts.mig) end = at > 0 ? at - 1 : 0;
  }
  parts.base = text.substr(0, end);
  std::replace(parts.base.begin(), parts.base.end(), '-', '_');
  constexpr std::string_view kMaker = "nvidia_";
  if (parts.base.starts_with(kMaker)) parts.base.erase(0, kMaker.size());
  return parts;
}

}  // namespace rehearse
