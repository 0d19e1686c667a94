// workloads/generator/distribution_text.cpp — a small recursive reader, and its writer.
#include "workloads/generator/distribution_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/config/config_node.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr double kMicroseconds = 1e6;

class SpreadReader {
 public:
  SpreadReader(std::string_view text, AmountUnit unit) : text_(text), unit_(unit) {}

  std::optional<Distribution> read() {
    auto spread = sum();
    skip();
    if (spread && at_ < text_.size()) return fail(at_, "something follows the distribution");
    return spread;
  }

  std::size_t error_at = 0;
  std::string error, hint;

 private:
  std::nullopt_t fail(std::size_t at, std::string what, std::string help = {}) {
    if (error.empty()) {
      error_at = at;
      error = std::move(what);
      hint = std::move(help);
    }
    return std::nullopt;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// Up to the next mark of the grammar; `1e-3` keeps its sign.
  std::string_view word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool in_exponent = (c == '+' || c == '-') && at_ > begin && text_[at_ - 1] == 'e' &&
                               at_ > begin + 1 && is_digit(text_[at_ - 2]);
      if (!in_exponent && std::string_view("(),=:*+ ").find(c) != std::string_view::npos) break;
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  std::optional<double> plain(std::string_view word, std::size_t at) {
    const auto number = text::parse_real(word);
    if (!number) return fail(at, fmt::format("'{}' is not a number", shortened(word)));
    return *number;
  }
  std::optional<double> amount(std::string_view word, std::size_t at) {
    if (unit_ == AmountUnit::Plain) return plain(word, at);
    const auto span = parse_duration(word);
    if (!span) {
      return fail(at, fmt::format("'{}' is not a duration", shortened(word)),
                  "write the unit: 30s, 5min, 36h, 2d");
    }
    return static_cast<double>(span->count()) / kMicroseconds;
  }

  std::optional<Distribution> sum() {
    Distribution mixture;
    mixture.form = DistributionForm::Mixture;
    bool has_weight = false;
    do {
      double weight = 1;
      auto part = one(weight, has_weight);
      if (!part) return std::nullopt;
      mixture.parts.push_back(std::move(*part));
      mixture.weights.push_back(weight);
    } while (take('+'));
    if (mixture.parts.size() == 1) return mixture.parts.front();
    if (!has_weight) return fail(0, "the parts of a sum have no weights", "0.3*… + 0.7*…");
    double whole = 0;
    for (const double weight : mixture.weights) whole += weight;
    if (whole <= 0) return fail(0, "the weights of the parts are all 0");
    return mixture;
  }

  std::optional<Distribution> one(double& weight, bool& has_weight) {
    skip();
    std::size_t begin = at_;
    std::string_view name = word();
    if (take('*')) {
      const auto number = plain(name, begin);
      if (!number) return std::nullopt;
      if (*number < 0) return fail(begin, "a weight is not below 0");
      weight = *number;
      has_weight = true;
      skip();
      begin = at_;
      name = word();
    }
    if (name.empty()) return fail(begin, "a distribution is wanted", known());
    if (!take('(')) {
      const auto value = amount(name, begin);
      if (!value) return std::nullopt;
      if (*value < 0) return fail(begin, "an amount is not below 0");
      return constant_of(*value);
    }
    return arguments(name, begin);
  }

  static std::string known() {
    std::string list = "one of";
    for (std::size_t i = 0; i < static_cast<std::size_t>(DistributionForm::Mixture); ++i) {
      list += fmt::format("{} {}", i == 0 ? "" : ",", to_text(static_cast<DistributionForm>(i)));
    }
    return list;
  }

  std::optional<Distribution> arguments(std::string_view name, std::size_t begin) {
    std::vector<std::string_view> names;
    Distribution spread;
    bool is_form = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(DistributionForm::Mixture); ++i) {
      names.push_back(to_text(static_cast<DistributionForm>(i)));
      if (names.back() != name) continue;
      spread.form = static_cast<DistributionForm>(i);
      is_form = true;
    }
    if (!is_form) {
      const std::string near = did_you_mean(std::string(name), names);
      return fail(begin, fmt::format("'{}' is no distribution", shortened(name)),
                  near.empty() ? known() : near);
    }
    if (spread.form == DistributionForm::Quantiles) return quantiles(std::move(spread), begin);
    if (spread.form == DistributionForm::Values) return weighted(std::move(spread), begin);
    return named(std::move(spread), name, begin);
  }

  std::optional<Distribution> quantiles(Distribution spread, std::size_t begin) {
    do {
      skip();
      const std::size_t at = at_;
      const auto value = amount(word(), at);
      if (!value) return std::nullopt;
      if (*value < 0 || (!spread.values.empty() && *value < spread.values.back())) {
        return fail(at, "quantiles ascend, from 0 on");
      }
      spread.values.push_back(*value);
    } while (take(','));
    if (!take(')')) return fail(at_, "a ')' or ',' is wanted");
    if (spread.values.size() < 2) {
      return fail(begin, "quantiles are two or more", "the least, any between, the largest");
    }
    return spread;
  }

  std::optional<Distribution> weighted(Distribution spread, std::size_t begin) {
    double whole = 0;
    do {
      skip();
      const std::size_t at = at_;
      const auto value = amount(word(), at);
      if (!value) return std::nullopt;
      double weight = 1;
      if (take(':')) {
        skip();
        const std::size_t there = at_;
        const auto number = plain(word(), there);
        if (!number) return std::nullopt;
        if (*number < 0) return fail(there, "a weight is not below 0");
        weight = *number;
      }
      if (*value < 0 || (!spread.values.empty() && *value <= spread.values.back())) {
        return fail(at, "values ascend, from 0 on");
      }
      spread.values.push_back(*value);
      spread.weights.push_back(weight);
      whole += weight;
    } while (take(','));
    if (!take(')')) return fail(at_, "a ')' or ',' is wanted");
    if (whole <= 0) return fail(begin, "the weights of the values are all 0");
    return spread;
  }

  std::optional<Distribution> named(Distribution spread, std::string_view form, std::size_t begin) {
    const auto& wanted = numbers_of(spread.form);
    std::vector<std::string_view> names;
    for (const DistributionNumber& one : wanted) names.push_back(one.name);
    spread.numbers.assign(wanted.size(), 0);
    std::vector<bool> given(wanted.size());
    do {
      skip();
      const std::size_t at = at_;
      const std::string_view name = word();
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end() || !take('=')) {
        std::string list;
        for (const std::string_view each : names) list += fmt::format(" {}=", each);
        return fail(at, fmt::format("'{}' is no number of {}", shortened(name), form),
                    "it has" + list);
      }
      const auto i = static_cast<std::size_t>(found - names.begin());
      skip();
      const std::size_t there = at_;
      const std::string_view text = word();
      const auto value = wanted[i].is_amount ? amount(text, there) : plain(text, there);
      if (!value) return std::nullopt;
      if (*value < wanted[i].least || *value > wanted[i].most) {
        return fail(there, fmt::format("{}={} is out of range", name, shortened(text)),
                    fmt::format("{} .. {}", wanted[i].least, wanted[i].most));
      }
      if (given[i]) return fail(at, fmt::format("{} is given twice", name));
      given[i] = true;
      spread.numbers[i] = *value;
    } while (take(','));
    if (!take(')')) return fail(at_, "a ')' or ',' is wanted");
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (!given[i] && !wanted[i].may_be_left_out) {
        return fail(begin, fmt::format("{}(…) lacks {}=", form, names[i]));
      }
    }
    return ordered(std::move(spread), begin);
  }

  std::optional<Distribution> ordered(Distribution spread, std::size_t begin) {
    const std::vector<double>& n = spread.numbers;
    const bool is_range =
        spread.form == DistributionForm::Uniform || spread.form == DistributionForm::LogUniform;
    if (is_range && n[0] > n[1]) return fail(begin, "least is more than most");
    if (spread.form == DistributionForm::TwoStage && !(n[2] <= n[3] && n[3] <= n[4])) {
      return fail(begin, "low, middle and high ascend");
    }
    return spread;
  }

  std::string_view text_;
  AmountUnit unit_;
  std::size_t at_ = 0;
};

std::string amount_text(double value, AmountUnit unit) {
  if (unit == AmountUnit::Plain) return fmt::format("{:.6g}", value);
  // Whole seconds where there are many, milliseconds below a minute.
  const double step = value >= 60 ? kMicroseconds : 1000;
  return format_duration(
      Duration{static_cast<std::int64_t>(std::round(value * kMicroseconds / step) * step)});
}

}  // namespace

std::optional<Distribution> parse_distribution(std::string_view text, AmountUnit unit,
                                               const SourcePosition& where, std::string_view what,
                                               Diagnostics& found) {
  SpreadReader reader(text, unit);
  auto spread = reader.read();
  if (!spread) {
    found.error(text::shifted(where, reader.error_at), fmt::format("{}: {}", what, reader.error),
                reader.hint);
  }
  return spread;
}

std::string to_text(const Distribution& spread, AmountUnit unit) {
  if (spread.form == DistributionForm::Constant) return amount_text(spread.numbers[0], unit);
  std::string text;
  if (spread.form == DistributionForm::Mixture) {
    for (std::size_t i = 0; i < spread.parts.size(); ++i) {
      text += fmt::format("{}{:.6g}*{}", i == 0 ? "" : " + ", spread.weights[i],
                          to_text(spread.parts[i], unit));
    }
    return text;
  }
  const auto next = [&] { return text.empty() ? "" : ", "; };
  for (std::size_t i = 0; i < spread.values.size(); ++i) {
    text += next() + amount_text(spread.values[i], unit);
    if (!spread.weights.empty()) text += fmt::format(": {:.6g}", spread.weights[i]);
  }
  const auto& names = numbers_of(spread.form);
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{}={}", next(), names[i].name,
                        names[i].is_amount ? amount_text(spread.numbers[i], unit)
                                           : fmt::format("{:.6g}", spread.numbers[i]));
  }
  return fmt::format("{}({})", to_text(spread.form), text);
}

}  // namespace rehearse
