// workloads/row_findings.cpp — counts beyond what a person would read.
#include "workloads/row_findings.hpp"

#include <fmt/format.h>

#include <functional>

namespace rehearse {

void RowFindings::fail(std::uint64_t line, std::uint32_t column, std::string what,
                       std::string hint) {
  found_.error(at(line, column), std::move(what), std::move(hint));
}

void RowFindings::unusable(std::uint64_t line, std::uint32_t column, std::string what,
                           std::string hint) {
  if (++unusable_count_ > kShown) return;
  if (unusable_ == UnusableRows::AreErrors) {
    found_.error(at(line, column), std::move(what), std::move(hint));
  } else {
    found_.warning(at(line, column), std::move(what), std::move(hint));
  }
}

void RowFindings::warn(std::uint64_t line, std::uint32_t column, std::string what,
                       std::string hint) {
  if (++warning_count_ > kShown) return;
  found_.warning(at(line, column), std::move(what), std::move(hint));
}

void RowFindings::close() {
  if (unusable_count_ > kShown) {
    const std::string what = fmt::format("{} more rows cannot be used", unusable_count_ - kShown);
    if (unusable_ == UnusableRows::AreErrors) {
      found_.error({file_, 0, 0}, what);
    } else {
      found_.warning({file_, 0, 0}, what);
    }
  }
  if (warning_count_ > kShown) {
    found_.warning({file_, 0, 0}, fmt::format("{} more warnings", warning_count_ - kShown));
  }
}

std::uint32_t column_in(std::string_view line, std::string_view field) {
  const std::less_equal<const char*> not_after;
  const bool inside = field.data() != nullptr && not_after(line.data(), field.data()) &&
                      not_after(field.data(), line.data() + line.size());
  return inside ? static_cast<std::uint32_t>(field.data() - line.data()) + 1 : 1;
}

}  // namespace rehearse
