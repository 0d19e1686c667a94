// sim/app/text_wrap.cpp — words onto lines.
#include "sim/app/text_wrap.hpp"

#include <algorithm>

namespace rehearse {

std::string wrapped(std::string_view text, std::string_view indent) {
  std::string all;
  std::string row;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!row.empty() && row.size() + 1 + word.size() > kLineWidth) {
      all += row + "\n";
      row = indent;
    } else if (begin > 0) {
      row += ' ';
    }
    row += word;
    begin = end + 1;
  }
  return all + row + "\n";
}

}  // namespace rehearse
