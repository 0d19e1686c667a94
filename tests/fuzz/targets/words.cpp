// tests/fuzz/targets/words.cpp — single values: times, sizes, TRES, spans; what prints reads back.
#include "sim/config/accounting.hpp"
#include "sim/config/config_node.hpp"
#include "sim/config/time_words.hpp"
#include "sim/config/units.hpp"
#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/record_reader.hpp"
#include "workloads/tres_request.hpp"

namespace rehearse::test {

void fuzz_words(std::string_view text) {
  const SlurmTime now = from_epoch_seconds(1'800'000'000);
  (void)read_time_words(text, now, TimeZone::utc());
  (void)parse_time_minutes(text);
  if (const auto span = parse_time_string(text)) (void)format_elapsed(*span);
  if (const auto span = parse_elapsed(text)) {
    REHEARSE_CHECK(parse_elapsed(format_elapsed(*span)) == span, "{}", text);
  }
  (void)parse_conf_uint(text, UINT64_MAX);
  if (const auto mib = parse_memory_mib(text)) {
    REHEARSE_CHECK(parse_memory_mib(format_memory_mib(*mib)) == mib || *mib >= 1ULL << 40U, "{}",
                   text);
  }
  if (const auto span = parse_duration(text)) {
    REHEARSE_CHECK(parse_duration(format_duration(*span)) == span, "{}", text);
  }
  Diagnostics found;
  (void)parse_tres_amounts(text, {"assoc.dump", 1, 1}, found);
  const TresText tres = parse_tres_text(text);
  (void)tres.total("gpu");
  (void)parse_requested_memory(text);
  (void)parse_count(text);
  (void)parse_row_state(text);
  TraceRecord record;
  (void)parse_job_id(text, record);
}

}  // namespace rehearse::test
