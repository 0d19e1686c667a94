// sim/config/time_words.hpp — moments as Slurm's commands take them: now+2hours, tomorrow, 16:30.
#pragma once

#include <optional>
#include <string_view>

#include "sim/config/time_zone.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// What `text` means when it is typed at `now` in `zone`: `now[+|-N[second[s]|minute[s]|hour[s]|
/// day[s]|week[s]]]`, `today`, `tomorrow`, `midnight`, `noon`, `fika`, `teatime`,
/// `H[H]:MM[:SS][AM|PM]` (where past: the next day), a date `MMDD[YY]`, `M/D[/YY]`, `M.D[.YY]`
/// (that moment past, and no year: the next year's), `YYYY-MM-DD[THH:MM[:SS]]`, `utsSECONDS`. A
/// date and a time may stand in any order, parted by blanks, `-` or `T` (`today 16:00`,
/// `01/15/27-10:27`); the 31st of June is the first of July (formats.md §17, item 4b). None: not a
/// moment.
[[nodiscard]] std::optional<SlurmTime> read_time_words(std::string_view text, SlurmTime now,
                                                       const TimeZone& zone);

}  // namespace rehearse
