// sim/output/text_page.hpp — a page of plain text as it grows, line by line.
#pragma once

#include <string>
#include <utility>

namespace rehearse {

class TextPage {
 public:
  /// `colours`: titles are bold.
  explicit TextPage(bool colours) : colours_(colours) {}

  /// Adds a line, without the blanks at its end.
  void line(const std::string& text) {
    std::size_t length = text.size();
    while (length > 0 && text[length - 1] == ' ') --length;
    text_ += text.substr(0, length) + "\n";
  }
  /// Adds an empty line and a title.
  void title(const std::string& text) {
    line("");
    line(colours_ ? "\x1b[1m" + text + "\x1b[0m" : text);
  }
  /// Adds text that is lines already.
  void add(const std::string& lines) { text_ += lines; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  bool colours_;
  std::string text_;
};

}  // namespace rehearse
