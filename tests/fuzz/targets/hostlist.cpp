// tests/fuzz/targets/hostlist.cpp — host lists; what is compressed expands to the same hosts.
#include "sim/config/hostlist.hpp"

#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_hostlist(std::string_view text) {
  const HostlistResult read = expand_hostlist(text);
  if (!read.error.empty() || read.hosts.size() > 10000) return;
  const std::string compressed = compress_hostlist(read.hosts);
  const HostlistResult again = expand_hostlist(compressed);
  REHEARSE_CHECK(again.error.empty(), "{}: {}", compressed, again.error);
  REHEARSE_CHECK(again.hosts == read.hosts, "{}", compressed);
  for (std::size_t i = 1; i < read.hosts.size(); ++i) {
    const bool less = natural_less(read.hosts[i - 1], read.hosts[i]);
    REHEARSE_CHECK(!less || !natural_less(read.hosts[i], read.hosts[i - 1]), "{}", compressed);
  }
}

}  // namespace rehearse::test
