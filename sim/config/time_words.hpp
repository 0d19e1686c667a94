// sim/config/time_words.hpp — moments as Slurm's commands take them: now+2hours, tomorrow, 16:30.
#pragma once

#include <optional>
#include <string_view>

#include "sim/config/time_zone.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// What `text` means when it is typed at `now` in `zone`: `now[+|-N[seconds|minutes|hours|days|
/// weeks]]`, `today`, `tomorrow`, `midnight`, `noon`, `elevenses`, `fika`, `teatime`,
/// `HH:MM[:SS][AM|PM]` (where past: the next day), a date `MMDD[YY]`, `MM/DD[/[20]YY]`,
/// `MM.DD[.[20]YY]`, `YYYY-MM-DD[THH:MM[:SS]]`, `utsSECONDS`. A date and a time may stand together
/// (`today 16:00`, `2027-01-15T16:00`). None: not a moment.
[[nodiscard]] std::optional<SlurmTime> read_time_words(std::string_view text, SlurmTime now,
                                                       const TimeZone& zone);

}  // namespace rehearse
