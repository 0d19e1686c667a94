// sim/config/usage_table.cpp — `sshare -a -l -P`: the fair-share usage that a replay begins with.
#include <fmt/format.h>

#include "sim/config/accounting.hpp"
#include "sim/config/parsable_table.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {

std::vector<UsageRow> parse_usage_table(std::string_view text, const std::string& file,
                                        Diagnostics& found) {
  constexpr std::string_view kCommand = "sshare -a -l -m -P > usage.txt";
  std::vector<UsageRow> rows;
  const auto table = read_parsable_table(text, file, kCommand, found);
  if (!table) return rows;
  const auto account = table->find({"Account"});
  const auto user = table->find({"User"});
  const auto partition = table->find({"Partition"});
  const auto usage = table->find({"RawUsage"});
  for (const auto& [name, column] :
       {std::pair{"Account", account}, std::pair{"User", user}, std::pair{"RawUsage", usage}}) {
    if (!column) {
      found.error({file, table->header_line, 1}, fmt::format("no {} column", name),
                  fmt::format("run: {}", kCommand));
    }
  }
  if (!account || !user || !usage) return rows;
  for (const TableRow& line : table->rows) {
    UsageRow row;
    // Accounts are indented by their depth; -P of some releases keeps the blanks.
    row.account = to_lower(trimmed(line.cells[*account].text));
    row.user = std::string(trimmed(line.cells[*user].text));
    if (partition) row.partition = to_lower(trimmed(line.cells[*partition].text));
    const std::string_view written = trimmed(line.cells[*usage].text);
    const std::optional<double> value = text::parse_real(written);
    if (row.account.empty()) {
      found.error(table->at(line, *account), "the row has no account");
    } else if (!value || *value < 0) {
      found.error(table->at(line, *usage),
                  fmt::format("RawUsage: '{}' is not a number", shortened(written)));
    } else {
      row.raw_usage = *value;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<UsageRow> read_usage(const std::filesystem::path& path, Diagnostics& found) {
  const std::optional<std::string> text = text::read_file(path, found);
  if (!text) return {};
  return parse_usage_table(*text, path.string(), found);
}

}  // namespace rehearse
