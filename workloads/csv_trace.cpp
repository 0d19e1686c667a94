// workloads/csv_trace.cpp — splits at commas, finds columns by the header.
#include "workloads/csv_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr double kMost = 4294967296.0;

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (const text::Piece& piece : text::split_at(line, ',')) fields.push_back(trimmed(piece.text));
  return fields;
}

}  // namespace

CsvTrace::CsvTrace(std::string_view text, std::span<const TraceColumn> columns,
                   ImportReport& report, RowFindings& found, CsvHeader expected)
    : text_(text), report_(report), found_(found) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  const std::size_t end = std::min(text_.find('\n'), text_.size());
  const std::vector<std::string_view> header = split(trimmed(text_.substr(0, end)));
  if (expected == CsvHeader::MayBeAbsent && (header.empty() || header[0] != columns[0].name)) {
    for (std::size_t i = 0; i < columns.size(); ++i) place_.push_back(i);
    width_ = columns.size();
    return;
  }
  text_.remove_prefix(std::min(end + 1, text_.size()));
  line_ = 1;
  width_ = header.size();
  std::string missing;
  for (const TraceColumn& column : columns) {
    const auto at = std::find(header.begin(), header.end(), column.name);
    place_.push_back(at == header.end() ? kNone : static_cast<std::size_t>(at - header.begin()));
    if (at == header.end() && column.is_required) missing += fmt::format(" {}", column.name);
  }
  if (missing.empty()) return;
  found_.fail(1, 1, fmt::format("the header lacks{}", missing), "the first line names the columns");
  text_ = {};
}

bool CsvTrace::next() {
  while (!text_.empty()) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    row_text_ = trimmed(text_.substr(0, end));
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++line_;
    if (row_text_.empty()) continue;
    ++rows_;
    ++report_.rows_read;
    fields_ = split(row_text_);
    if (fields_.size() == width_) return true;
    found_.unusable(line_, 1, fmt::format("has {} fields, not {}", fields_.size(), width_));
    report_.explain(Explained::Unusable, line_);
  }
  return false;
}

std::string_view CsvTrace::operator[](std::size_t i) const {
  return place_[i] == kNone ? std::string_view{} : fields_[place_[i]];
}

bool CsvTrace::refuse(std::size_t i, std::string_view what) {
  const std::string_view field = (*this)[i];
  found_.unusable(line_, column_in(row_text_, field),
                  fmt::format("'{}' {}", shortened(field), what));
  report_.explain(Explained::Unusable, line_);
  return false;
}

std::optional<double> CsvTrace::number(std::size_t i, std::string_view what) {
  const auto value = text::parse_real((*this)[i]);
  if (value && *value >= 0 && *value <= kMost) return *value;
  refuse(i, fmt::format("is not {}", what));
  return std::nullopt;
}

std::optional<std::uint64_t> CsvTrace::whole(std::size_t i, std::string_view what) {
  const auto value = text::parse_real((*this)[i]);
  const bool is_whole = value && *value >= 0 && *value <= kMost && !(std::floor(*value) < *value);
  if (is_whole) return static_cast<std::uint64_t>(*value);
  refuse(i, fmt::format("is not {}", what));
  return std::nullopt;
}

bool CsvTrace::time(std::size_t i, LocalClock& clock, std::optional<SlurmTime>& at) {
  at.reset();
  const ParsedTime parsed = parse_sacct_time((*this)[i], clock);
  if (parsed.word == TimeWord::Told) at = parsed.utc.time;
  if (parsed.word == TimeWord::Told || parsed.word == TimeWord::None) return true;
  return refuse(i, "is not a time");
}

}  // namespace rehearse
