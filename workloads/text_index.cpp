// workloads/text_index.cpp — open addressing, a power of two of slots, at most two thirds full.
#include "workloads/text_index.hpp"

#include <cstring>

namespace rehearse {
namespace {

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15ULL;
  return state ^ (state >> 32U);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t state = text.size() + 0x243f6a8885a308d3ULL;
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    state = mix(state, word);
    text.remove_prefix(sizeof word);
  }
  std::uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  return mix(state, rest);
}

}  // namespace

TextIndex::TextIndex() : slots_(64) {}

TextIndex::Entry TextIndex::find_or_add(std::string_view text) {
  if ((texts_.size() + 1) * 3 > slots_.size() * 2) grow();
  const std::uint64_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.position == kEmpty) {
      slot = {hash, static_cast<std::uint32_t>(texts_.size())};
      texts_.emplace_back(text);
      return {slot.position, true};
    }
    if (slot.hash == hash && texts_[slot.position] == text) return {slot.position, false};
  }
}

void TextIndex::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.position == kEmpty) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].position != kEmpty) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace rehearse
