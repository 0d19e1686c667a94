// sim/config/sdiag_table.cpp — finds the means of both loops in the text of `sdiag`.
#include "sim/config/sdiag_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kMain = "Main schedule statistics (microseconds)";
constexpr std::string_view kBackfill = "Backfilling stats";
constexpr std::string_view kHint = "write it with: sdiag > sdiag.txt";

/// One section: its lines `key: number`, until a line without a value.
class Section {
 public:
  Section(std::string_view text, std::string_view title, const std::string& file,
          Diagnostics& found)
      : file_(file), found_(found) {
    std::uint32_t line = 0;
    bool inside = false;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view one = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line;
      if (one.starts_with(title)) {
        inside = true;
        at_ = line;
      } else if (inside && trimmed(one).empty()) {
        break;
      } else if (inside) {
        body_ += std::string(one) + '\n';
      }
    }
    if (at_ == 0) {
      found_.error({file_, 0, 0}, fmt::format("no '{}'", title), std::string(kHint));
    }
  }

  /// None: not there, which is an error unless `may_miss`.
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view key, bool may_miss) const {
    if (at_ == 0) return std::nullopt;
    std::uint32_t line = at_;
    for (const text::Piece& piece : text::split_at(body_, '\n')) {
      ++line;
      const std::string_view one = trimmed(piece.text);
      if (!one.starts_with(key) || one.substr(key.size()).substr(0, 1) != ":") continue;
      const std::string_view value = trimmed(one.substr(key.size() + 1));
      if (const auto number = text::parse_decimal32(value)) return *number;
      found_.error({file_, line, 1}, fmt::format("{}: '{}' is not a number", key, shortened(value)),
                   std::string(kHint));
      return std::nullopt;
    }
    if (!may_miss) {
      found_.error({file_, at_, 1}, fmt::format("no '{}:' below", key), std::string(kHint));
    }
    return std::nullopt;
  }

 private:
  std::string file_;
  Diagnostics& found_;
  std::string body_;
  std::uint32_t at_ = 0;
};

/// A mean cycle over its mean depth; without a depth it is all one.
void divide(const Section& section, std::string_view depth, Duration& whole, Duration& each) {
  const auto cycle = section.number("Mean cycle", false);
  if (!cycle) return;
  const auto many = section.number(depth, true);
  if (many && *many > 0) {
    each = Duration{static_cast<std::int64_t>(*cycle / *many)};
  } else {
    whole = Duration{static_cast<std::int64_t>(*cycle)};
  }
}

}  // namespace

LoopTimes read_sdiag(const std::filesystem::path& path, Diagnostics& found) {
  LoopTimes times;
  const auto text = text::read_file(path, found);
  if (!text) return times;
  const Section main(*text, kMain, path.string(), found);
  divide(main, "Mean depth cycle", times.main_per_pass, times.main_per_record);
  const Section backfill(*text, kBackfill, path.string(), found);
  divide(backfill, "Depth Mean (try depth)", times.backfill_per_cycle, times.backfill_per_try);
  return times;
}

}  // namespace rehearse
