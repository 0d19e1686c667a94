// tests/fuzz/targets/gpu_catalogue.cpp — models of GPUs of a site's own, and MIG's words.
#include "models/gpu/catalogue_reader.hpp"
#include "models/gpu/gpu_type.hpp"
#include "models/gpu/mig_geometry.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_gpu_catalogue(std::string_view text) {
  (void)parse_mig_name(text);
  Diagnostics found;
  const CatalogueFile file = read_catalogue_file("gpu.yaml", text, found);
  for (const GpuModel& model : file.models) {
    for (const std::string_view wish : {"7*1g.5gb", "3g.20gb:4,1g.5gb", "1g.10gb+me"}) {
      const auto wishes = parse_mig_wish(model, wish);
      if (!wishes.empty()) (void)nearest_legal(model, wishes);
    }
  }
}

}  // namespace rehearse::test
