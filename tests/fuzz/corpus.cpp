// tests/fuzz/corpus.cpp — reads what tests/fuzz/corpus.py writes.
#include "tests/fuzz/corpus.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>

#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

std::string unescaped(std::string_view line) {
  std::string bytes;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      bytes += line[i];
      continue;
    }
    const char kind = ++i < line.size() ? line[i] : '\0';
    const std::string_view digits = line.substr(i + 1, 2);
    unsigned value = 0;
    switch (kind) {
      case 'n':
        bytes += '\n';
        break;
      case 't':
        bytes += '\t';
        break;
      case 'r':
        bytes += '\r';
        break;
      case '\\':
        bytes += '\\';
        break;
      default:
        if (kind != 'x' || digits.size() != 2 ||
            std::from_chars(digits.data(), digits.data() + 2, value, 16).ptr != digits.data() + 2) {
          throw std::runtime_error("not an escape: " + std::string(line.substr(i - 1, 4)));
        }
        bytes += static_cast<char>(value);
        i += 2;
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::string> read_corpus(std::string_view target) {
  const auto path = source_folder() / "tests/fuzz/corpus" / (std::string(target) + ".txt");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no corpus " + path.string());
  std::vector<std::string> inputs;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("# ")) inputs.push_back(unescaped(line));
  }
  return inputs;
}

}  // namespace rehearse::test
