// tests/fuzz/targets/generator.cpp — the file of a generator; what was read is written and read.
#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/generator/generator_conf.hpp"

namespace rehearse::test {

void fuzz_generator(std::string_view text) {
  Diagnostics found;
  const GeneratorConf conf = parse_generator(text, "generator.yaml", found);
  if (found.has_errors()) return;
  const std::string written = generator_text(conf, {});
  Diagnostics again;
  const GeneratorConf read = parse_generator(written, "written.yaml", again);
  REHEARSE_CHECK(!again.has_errors(), "{}\n{}", to_text(again.all().front()), written);
  REHEARSE_CHECK(generator_text(read, {}) == written, "{}", written);
}

}  // namespace rehearse::test
