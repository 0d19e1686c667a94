// tests/fuzz/targets/reservations.cpp — reservations.txt.
#include "sim/config/reservation_words.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_reservations(std::string_view text) {
  Diagnostics found;
  (void)parse_reservations(text, "reservations.txt", TimeZone::utc(), found);
  const SlurmTime now = from_epoch_seconds(1'800'000'000);
  (void)read_reservation_command(text, {"events.csv", 2, 1}, now, TimeZone::utc(), found);
}

}  // namespace rehearse::test
