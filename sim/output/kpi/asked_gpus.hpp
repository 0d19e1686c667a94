// sim/output/kpi/asked_gpus.hpp — how many GPUs the job of a row asks for, shared ones too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

class AskedGpus {
 public:
  explicit AskedGpus(const Result& result);

  /// GPUs of one task, in thousandths: whole ones, or what its shards or its MPS are of a GPU, by
  /// the mean over the nodes that have such.
  [[nodiscard]] std::uint32_t milli(std::size_t row) const;
  /// `shard` or `mps`, which the job asks for instead of GPUs; empty: neither.
  [[nodiscard]] std::string_view shares(std::size_t row) const;

 private:
  struct Shared {
    std::string_view kind;
    std::uint32_t milli = 0;
  };
  [[nodiscard]] const Shared& shared(std::size_t row) const {
    return by_tres_[result_.runs.requested_tres[row]];
  }

  const Result& result_;
  std::vector<Shared> by_tres_;  ///< by code of names.tres_set
};

/// GPUs that the run has a part of, of the request if it never started: a third of one is one.
[[nodiscard]] std::uint64_t gpu_count(const Result& result, std::size_t row);

/// Amount of `gres/KIND` in `cpu=4,gres/shard=2`, of all types together if it is told so.
[[nodiscard]] std::uint64_t asked_units(std::string_view tres, std::string_view kind);

/// Units of `kind` in the Gres= of a node: 8 of `gpu:a100:2,shard:8(S:0)`; 0: it has none.
[[nodiscard]] std::uint64_t units_of(std::string_view gres, std::string_view kind);

}  // namespace rehearse
