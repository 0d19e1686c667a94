// sim/config/reservation_words.hpp — a reservation as text: `scontrol create|update|delete
// reservation …`, and what `scontrol show reservation` prints (formats.md §13).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

enum class ReservationFlag : std::uint8_t {
  Maint,
  Overlap,
  IgnoreJobs,
  Hourly,
  Daily,
  Weekly,
  Weekday,
  Weekend,
  Flex,
  Magnetic,
  StaticAlloc,
  PartNodes,
  AllNodes,
  AnyNodes,
  FirstCores,
  TimeFloat,
  Replace,
  ReplaceDown,
  PurgeComp,
  NoHoldJobsAfter,
  SpecNodes,
};

/// Flags= as a set.
class ReservationFlags {
 public:
  [[nodiscard]] bool has(ReservationFlag flag) const { return (bits_ & bit(flag)) != 0; }
  void set(ReservationFlag flag) { bits_ |= bit(flag); }
  void clear(ReservationFlag flag) { bits_ &= ~bit(flag); }
  void add(ReservationFlags other) { bits_ |= other.bits_; }
  void remove(ReservationFlags other) { bits_ &= ~other.bits_; }
  [[nodiscard]] bool none() const { return bits_ == 0; }
  /// Comes again: HOURLY, DAILY, WEEKLY, WEEKDAY or WEEKEND.
  [[nodiscard]] bool recurs() const;
  friend bool operator==(ReservationFlags, ReservationFlags) = default;

 private:
  static constexpr std::uint32_t bit(ReservationFlag flag) {
    return std::uint32_t{1} << static_cast<unsigned>(flag);
  }
  std::uint32_t bits_ = 0;
};

/// `MAINT,DAILY`, in Slurm's order.
[[nodiscard]] std::string to_text(ReservationFlags flags);

/// A list of names that is set (`=`), added to (`+=`) or taken from (`-=`).
struct NameListChange {
  enum class How : std::uint8_t { Set, Add, Remove };
  How how = How::Set;
  std::vector<std::string> allowed, denied;  ///< denied: written with a leading `-`
  SourcePosition where;
};

struct ReservationLicense {
  std::string name;
  std::uint32_t count = 1;
};

/// What was written; what was not is empty or none. Times are resolved.
struct ReservationWords {
  SourcePosition where;
  std::string name;  ///< empty: Slurm makes one up
  std::optional<SlurmTime> start, end;
  std::optional<Minutes> duration;         ///< kUnlimited: a year
  std::optional<Minutes> duration_change;  ///< `Duration+=`, `Duration-=`
  std::optional<NameListChange> users, accounts, nodes;
  bool all_nodes = false;  ///< Nodes=ALL
  std::vector<std::uint32_t> node_counts, core_counts;
  std::optional<std::string> features, partition;
  ReservationFlags set, removed;
  bool replaces_flags = false;  ///< `Flags=` of an update: these only
  std::optional<std::vector<ReservationLicense>> licenses;
  std::optional<Minutes> max_start_delay;
  Minutes purge_after{5};  ///< PURGE_COMP[=t]
  bool skip = false;
  /// Lines `NodeName=… CoreIDs=…` of what show prints: a reservation of some cores.
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> core_ids;
};

enum class ReservationVerb : std::uint8_t { Create, Update, Delete };

struct ReservationCommand {
  ReservationVerb verb = ReservationVerb::Create;
  ReservationWords words;
};

/// Understands `scontrol create|update|delete [reservation] …` as typed at `now`. What scontrol
/// itself refuses, and unknown words, are errors in `found`, with their column; then none.
[[nodiscard]] std::optional<ReservationCommand> read_reservation_command(
    std::string_view command, const SourcePosition& where, SlurmTime now, const TimeZone& zone,
    Diagnostics& found);

/// True if the words after `scontrol VERB` are those of a reservation.
[[nodiscard]] bool names_a_reservation(std::string_view word);

/// reservations.txt: the output of `scontrol show reservation`, with -o or without.
[[nodiscard]] std::vector<ReservationWords> read_reservations(const std::filesystem::path& path,
                                                              const TimeZone& zone,
                                                              Diagnostics& found);
[[nodiscard]] std::vector<ReservationWords> parse_reservations(std::string_view text,
                                                               const std::string& file,
                                                               const TimeZone& zone,
                                                               Diagnostics& found);

}  // namespace rehearse
