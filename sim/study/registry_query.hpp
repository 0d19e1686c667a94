// sim/study/registry_query.hpp — tables out of a registry, which is only read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/registry.hpp"

namespace rehearse {

/// What a SELECT gives. NULL is an empty text.
struct RegistryTable {
  struct Cell {
    std::string text;
    bool is_number = false, is_null = false;
  };
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;
};

/// The remark of RegistryReader::best.
inline constexpr std::string_view kLeavesOut = "leaves jobs out";

class RegistryReader {
 public:
  /// Throws InputError: there is no such file, or it is no registry.
  explicit RegistryReader(const std::filesystem::path& file);

  /// Any statement that changes nothing. Throws InputError with SQLite's words.
  [[nodiscard]] RegistryTable select(const std::string& sql);
  /// The designs with the best mean of a figure over their complete replications, best first; the
  /// its standard deviation over them, where there are two; the objectives' means beside it, then
  /// `not_run`, the share of jobs that were refused or never started, and `remark`: kLeavesOut
  /// where that is kLeftOutShare more than of another design, as figures of waits are then of the
  /// rest. `most`: the more the better; none: as the objective says, else the less. Throws
  /// InputError: no point has such a figure.
  [[nodiscard]] RegistryTable best(const std::string& kpi, std::optional<bool> most,
                                   std::uint64_t rows);
  [[nodiscard]] PointCounts counts();
  /// The first objective's name.
  [[nodiscard]] std::string objective() const { return objectives_.front().name; }

 private:
  struct Objective {
    std::string name;
    bool most = false;
  };
  [[nodiscard]] std::string entry(const std::string& key);
  void add_spread(RegistryTable& table, const std::string& kpi, std::size_t at);

  SqlDatabase database_;
  std::vector<std::string> parameters_;
  std::vector<Objective> objectives_;
};

}  // namespace rehearse
