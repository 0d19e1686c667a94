// workloads/text_window.hpp — the part of a text that is being read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "workloads/input.hpp"

namespace rehearse {

/// A text of which the part at hand is in memory: what was read goes, what comes is read in pieces.
/// A reader that needs more than there is slides on; the window grows until that is enough.
class TextWindow {
 public:
  static constexpr std::size_t kLeast = std::size_t{1} << 18U;

  /// Empty until it slides for the first time. `least`: to be in memory, where there is so much
  /// [bytes].
  explicit TextWindow(InputStream stream, std::size_t least = kLeast);
  /// All of `text`, which must outlive the window.
  explicit TextWindow(std::string_view text) : whole_(text) {}

  /// Valid until the window slides.
  [[nodiscard]] std::string_view text() const { return stream_ ? std::string_view(held_) : whole_; }
  /// Lets go what lies before `position` of text(), and reads on until there is as much as asked
  /// for, and twice what was left. False: the text had no more. Throws InputError, as read_on()
  /// does.
  bool slide(std::size_t position);

 private:
  std::optional<InputStream> stream_;
  std::size_t least_ = 0;
  std::string held_;
  std::string_view whole_;
};

}  // namespace rehearse
