// sim/study/report/words.cpp — no locale: a comma for thousands, a point for decimals.
#include "sim/study/report/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rehearse {

std::string count_words(double value) {
  if (!std::isfinite(value)) return "-";
  const bool is_small = std::abs(value) < 100 && std::abs(value - std::round(value)) > 1e-9;
  if (is_small) return fmt::format("{:.1f}", value);
  const std::string digits = fmt::format("{:.0f}", std::abs(value));
  std::string text = value < 0 && digits != "0" ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string percent_words(double share) {
  if (!std::isfinite(share)) return "-";
  const double percent = share * 100;
  const bool is_small = percent > 0 && percent < 9.95;
  return is_small ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string points_words(double difference) {
  if (!std::isfinite(difference)) return "-";
  const std::string text = fmt::format("{:+.1f} pp", difference * 100);
  return text == "+0.0 pp" || text == "-0.0 pp" ? "0 pp" : text;
}

ReportJson chart_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::round(value * 1e4) / 1e4;
  const bool is_whole = std::abs(rounded) < 1e15 && !(std::floor(rounded) < rounded);
  return is_whole ? ReportJson(static_cast<std::int64_t>(rounded)) : ReportJson(rounded);
}

std::int64_t wall_clock_ms(std::int64_t at, const TimeZone& zone) {
  return (at + zone.offset_at(from_epoch_seconds(at)).count()) * 1000;
}

std::string when_words(std::int64_t at, const TimeZone& zone) {
  std::string text = zone.print(from_epoch_seconds(at)).substr(0, 16);
  text[10] = ' ';
  return text;
}

}  // namespace rehearse
