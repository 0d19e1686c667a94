// sim/study/report/html.cpp — five characters, one in JSON, and base64.
#include "sim/study/report/html.hpp"

#include <charconv>
#include <cstdint>

#include "sim/output/sha256.hpp"

namespace rehearse {
namespace {

/// `text` as valid UTF-8: what JSON's writer makes of it.
std::string valid_utf8(std::string_view text) {
  const nlohmann::json json = std::string(text);
  const std::string dumped = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(dumped).get<std::string>();
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = i + k;
      group = (group << 8U) | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_padding = i + k > bytes.size();
      text += is_padding ? '=' : kLetters[(group >> (18U - 6U * k)) & 63U];
    }
  }
  return text;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_for_script(const ReportJson& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, ReportJson::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string csp_hash(std::string_view script) {
  const std::string hex = sha256(script);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    std::uint8_t byte = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return "sha256-" + base64(bytes);
}

}  // namespace rehearse
