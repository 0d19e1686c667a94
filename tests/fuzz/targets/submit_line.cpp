// tests/fuzz/targets/submit_line.cpp — options of sbatch, and the request that they make.
#include "sim/cluster/license_text.hpp"
#include "sim/controller/dependencies.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/request_from_args.hpp"

namespace rehearse::test {

void fuzz_submit_line(std::string_view text) {
  Diagnostics found;
  const SbatchArgs args = parse_submit_line(text, {"sacct.txt", 1, 1}, found);
  NamePool names;
  (void)make_request(args, names, found);
  (void)parse_array_indexes(args.array.empty() ? text : args.array);
  (void)parse_dependencies(args.dependency.empty() ? text : args.dependency);
  (void)parse_licenses(args.licenses.empty() ? text : args.licenses, names);
}

}  // namespace rehearse::test
