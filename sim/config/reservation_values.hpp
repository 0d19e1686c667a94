// sim/config/reservation_values.hpp — the values that both texts of a reservation share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/reservation_words.hpp"

namespace rehearse {

/// `MAINT,DAILY,PURGE_COMP=10`: the flags, and the minutes of PURGE_COMP. An unknown word is an
/// error in `found`.
struct FlagWords {
  ReservationFlags flags;
  std::optional<Minutes> purge_after;
};
[[nodiscard]] FlagWords read_flag_words(std::string_view text, const SourcePosition& where,
                                        Diagnostics& found);

/// `a,-b`: names, those with `-` denied. `deny`: all of them are (the sign stands before `=`).
[[nodiscard]] NameListChange read_names(std::string_view text, bool deny,
                                        const SourcePosition& where, Diagnostics& found);

/// `matlab:2,ansys`, with `=` too.
[[nodiscard]] std::vector<ReservationLicense> read_license_words(std::string_view text,
                                                                 const SourcePosition& where,
                                                                 Diagnostics& found);

/// `5`, `2k`, `1,2,1`.
[[nodiscard]] std::vector<std::uint32_t> read_counts(std::string_view text,
                                                     const SourcePosition& where,
                                                     Diagnostics& found);

}  // namespace rehearse
