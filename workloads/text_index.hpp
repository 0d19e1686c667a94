// workloads/text_index.hpp — each distinct text of a column once: position by text, found by
// hashing.
//
// A look-up table only: positions are in the order of first use, and nothing ever walks the slots,
// so the hash steers speed and never an answer.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

class TextIndex {
 public:
  struct Entry {
    std::uint32_t position = 0;
    bool added = false;  ///< it was not there before
  };

  TextIndex();

  /// The position of `text`, added at the end where it is new.
  Entry find_or_add(std::string_view text);
  [[nodiscard]] const std::string& text(std::uint32_t position) const { return texts_[position]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t position = kEmpty;
  };
  static constexpr std::uint32_t kEmpty = 0xffffffffU;

  void grow();

  std::vector<Slot> slots_;
  std::deque<std::string> texts_;
};

}  // namespace rehearse
