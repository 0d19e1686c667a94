// workloads/text_window.cpp — the rest moves to the front, pieces are appended.
#include "workloads/text_window.hpp"

#include <algorithm>
#include <utility>

namespace rehearse {

TextWindow::TextWindow(InputStream stream, std::size_t least)
    : stream_(std::move(stream)), least_(least) {}

bool TextWindow::slide(std::size_t position) {
  if (!stream_) {
    whole_.remove_prefix(position);
    return false;
  }
  held_.erase(0, position);
  const std::size_t had = held_.size();
  const std::size_t wanted = std::max(least_, 2 * had);
  while (held_.size() < wanted && stream_->read_on(held_)) {
  }
  return held_.size() > had;
}

}  // namespace rehearse
