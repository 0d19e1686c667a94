// workloads/recorded_tables.cpp — tables as the commands print them, split at their columns.
#include "workloads/recorded_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/config/text.hpp"
#include "workloads/input.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kAt = "# at ";

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Fields between `|`; empty ones count.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

/// Of a line `# at EPOCH_SECONDS`.
std::optional<SlurmTime> instant_of(std::string_view line) {
  if (!line.starts_with(kAt)) return std::nullopt;
  const auto at = number<std::int64_t>(trimmed(line.substr(kAt.size())));
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  if (!at || *at < 0 || *at >= kYear10000) return std::nullopt;
  return from_epoch_seconds(*at);
}

/// Files whose names hold one of the words, by name.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder,
                                            std::initializer_list<std::string_view> words) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_table = std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return name.find(word) != std::string::npos;
    });
    if (is_table && entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

using TablesByInstant = std::map<SlurmTime, RecordedTables>;

class TableReader {
 public:
  TableReader(std::string file, TablesByInstant& tables, Diagnostics& found)
      : file_(std::move(file)), tables_(tables), found_(found) {}

  void read(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      read_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

 private:
  void read_line(std::string_view line) {
    if (line.starts_with(kAt)) {
      const auto at = instant_of(line);
      if (!at) return wrong("no instant", "write `# at` and the seconds since 1970");
      tables_[*at].at = *at;
      present_ = &tables_[*at];
      headers_.clear();
      return;
    }
    if (trimmed(line).empty()) return;
    if (present_ == nullptr) {
      return wrong("a table without an instant", "begin it with `# at EPOCH_SECONDS`");
    }
    if (headers_.empty()) is_sshare_ = line.find('|') != std::string_view::npos;
    const auto fields = is_sshare_ ? fields_of(line) : split_list(line, ' ');
    if (headers_.empty()) {
      headers_.assign(fields.begin(), fields.end());
      return;
    }
    if (is_sshare_) {
      read_shares(fields);
    } else {
      read_points(fields);
    }
  }

  void read_shares(const std::vector<std::string_view>& fields) {
    if (fields.size() != headers_.size()) return wrong("another number of fields", "");
    SshareRow row;
    for (std::size_t i = 0; i < fields.size(); ++i) row.fields.emplace(headers_[i], fields[i]);
    row.account = trimmed(row.fields["Account"]);
    row.user = row.fields["User"];
    row.where = {file_, line_, 1};
    present_->sshare.push_back(std::move(row));
  }

  void read_points(const std::vector<std::string_view>& fields) {
    SprioRow row;
    row.where = {file_, line_, 1};
    for (std::size_t i = 0; i < std::min(fields.size(), headers_.size()); ++i) {
      const std::string& header = headers_[i];
      if (header == "JOBID") {
        const auto id = number<std::uint32_t>(fields[i].substr(0, fields[i].find('_')));
        if (!id) return wrong(fmt::format("{} is not a job id", shown(fields[i])), "");
        row.job = JobId{*id};
      } else if (header == "PARTITION" && row.partition.empty()) {
        row.partition = fields[i];
      } else if (header == "TRES") {
        read_tres(fields[i], row);
      } else if (const auto points = number<std::int64_t>(fields[i])) {
        row.points.insert_or_assign(header, *points);
      }
    }
    present_->sprio.push_back(std::move(row));
  }

  /// `cpu=167,mem=167,gres`: the column is cut, so the last entry is not to be trusted.
  static void read_tres(std::string_view text, SprioRow& row) {
    const auto entries = split_list(text);
    for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
      const std::size_t equals = entries[i].find('=');
      if (equals == std::string_view::npos) continue;
      const auto points = number<std::int64_t>(entries[i].substr(equals + 1));
      if (points) row.tres_points.emplace(entries[i].substr(0, equals), *points);
    }
  }

  void wrong(std::string what, std::string hint) {
    found_.error({file_, line_, 1}, std::move(what), std::move(hint));
  }

  std::string file_;
  TablesByInstant& tables_;
  Diagnostics& found_;
  std::uint32_t line_ = 0;
  RecordedTables* present_ = nullptr;
  std::vector<std::string> headers_;
  bool is_sshare_ = false;
};

}  // namespace

std::vector<RecordedTables> read_recorded_tables(const std::filesystem::path& folder,
                                                 Diagnostics& found) {
  TablesByInstant tables;
  for (const std::filesystem::path& file : files_of(folder, {"sprio", "sshare"})) {
    const InputText input = read_input(file);
    TableReader(input.name, tables, found).read(input.text);
  }
  std::vector<RecordedTables> list;
  for (auto& [at, each] : tables) list.push_back(std::move(each));
  return list;
}

std::vector<SlurmTime> read_share_questions(const std::filesystem::path& folder) {
  std::vector<SlurmTime> asked;
  for (const std::filesystem::path& file : files_of(folder, {"sshare"})) {
    const InputText input = read_input(file);
    const std::string_view text = input.text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (const auto at = instant_of(text.substr(begin, end - begin))) asked.push_back(*at);
      begin = end + 1;
    }
  }
  std::sort(asked.begin(), asked.end());
  return asked;
}

}  // namespace rehearse
