// sim/cluster/license_text.cpp — reading --licenses.
#include "sim/cluster/license_text.hpp"

#include <algorithm>
#include <charconv>

namespace rehearse {

LicenseList parse_licenses(std::string_view text, NamePool& names) {
  LicenseList list;
  list.any = text.find('|') != text.npos && text.find_first_of(",;") == text.npos;
  const std::string_view ends = list.any ? "|" : ",;";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(ends), text.size());
    std::string_view entry = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    LicenseRequest license;
    if (const std::size_t colon = entry.find_first_of(":="); colon != std::string_view::npos) {
      const std::string_view digits = entry.substr(colon + 1);
      const auto [stop, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), license.count);
      if (error != std::errc{} || stop != digits.data() + digits.size()) {
        list.wrong = digits;
        continue;
      }
      entry = entry.substr(0, colon);
    }
    if (entry.empty()) continue;
    license.name = names.intern(entry);
    list.licenses.push_back(license);
  }
  list.any = list.any && !list.licenses.empty();
  return list;
}

}  // namespace rehearse
