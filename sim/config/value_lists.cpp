// sim/config/value_lists.cpp — lists that several keys share; every misfit is told.
#include "sim/config/value_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

std::optional<std::uint32_t> index_of_text(std::string_view text, std::uint32_t most) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (value > most) return std::nullopt;
  return value;
}

struct Number {
  double value = 0;
  std::string_view suffix;
};

/// Locale-free; the hexadecimal and named forms of strtod are not numbers here.
std::optional<Number> leading_number(std::string_view text) {
  Number number;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (failed != std::errc() || !std::isfinite(number.value)) return std::nullopt;
  number.suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// What `gpu` probably meant.
std::string tres_hint(std::string_view name, const std::vector<std::string>& known) {
  for (const std::string& tres : known) {
    if (tres == "gres/" + std::string(name)) return "write '" + tres + "'";
  }
  if (name == "gpu" || name == "mps" || name == "shard") {
    return fmt::format("write gres/{0}, and name it in AccountingStorageTRES=gres/{0}", name);
  }
  if (name.find('/') != std::string_view::npos) {
    return fmt::format("name it in AccountingStorageTRES={}", shortened(name));
  }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  return did_you_mean(name, candidates);
}

}  // namespace

std::optional<std::vector<std::uint32_t>> parse_index_list(std::string_view text,
                                                           std::uint32_t most) {
  std::vector<std::uint32_t> numbers;
  for (const std::string_view item : split_list(text)) {
    const std::size_t dash = item.find('-');
    const std::optional<std::uint32_t> first = index_of_text(item.substr(0, dash), most);
    const std::optional<std::uint32_t> last =
        dash == std::string_view::npos ? first : index_of_text(item.substr(dash + 1), most);
    if (!first || !last || *last < *first) return std::nullopt;
    if (numbers.size() > std::size_t{most} + 1)
      return std::nullopt;  // the same ones again and again
    for (std::uint32_t i = *first; i <= *last; ++i) numbers.push_back(i);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

std::vector<TresWeight> parse_tres_weights(std::string_view text,
                                           const std::vector<std::string>& known,
                                           const SourcePosition& where, Diagnostics& found) {
  std::vector<TresWeight> weights;
  for (const std::string_view item : split_list(text)) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      found.error(where, fmt::format("{} is not NAME=WEIGHT", shown(item)),
                  "write for example cpu=1.0,mem=0.25G,gres/gpu=2.0");
      continue;
    }
    const std::string name = to_lower(trimmed(item.substr(0, equals)));
    if (item.data() != text.data() && item.data()[-1] == ' ') {
      found.error(where,
                  fmt::format("a blank stands before {}; slurmctld stops at it", shown(item)),
                  "remove it");
      continue;
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      found.error(where, fmt::format("{} is no known TRES", shown(name)), tres_hint(name, known));
      continue;
    }
    const std::string_view number_text = trimmed(item.substr(equals + 1));
    const std::optional<Number> number = leading_number(number_text);
    constexpr std::string_view kUnits = "kmgtp";
    const std::size_t unit = number && !number->suffix.empty()  // what follows it is not read
                                 ? kUnits.find(lower(number->suffix[0]))
                                 : std::string_view::npos;
    if (!number || (!number->suffix.empty() && unit == std::string_view::npos)) {
      found.error(where, fmt::format("{} is not a weight", shown(number_text)),
                  "write a number, with K, M, G, T or P for a weight per that unit");
      continue;
    }
    const bool is_memory = name == "mem" || name.starts_with("bb/");
    const int steps = number->suffix.empty() ? 0 : static_cast<int>(unit) + (is_memory ? -1 : 1);
    if (is_memory && !number->suffix.empty() && unit == 0) {
      found.error(where,
                  fmt::format("{}: {} counts MB, which K is smaller than", shown(item), name),
                  "write the weight per M, G, T or P");
      continue;
    }
    // A weight per G is 1/1024 of it per M; ldexp is exact.
    weights.push_back({name, std::ldexp(number->value, -10 * steps)});
  }
  return weights;
}

}  // namespace rehearse
