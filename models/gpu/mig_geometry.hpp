// models/gpu/mig_geometry.hpp — which MIG instances fit on one GPU together, and where
// (gpu-models.md §2).
//
// An instance takes the memory slices [start, start + memory_slices) of its profile. A set of them
// is legal if and only if every start is in its profile's list, no slice is taken twice, and at
// most one instance bears +me; the compute slices then never run out (§2.3).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/catalogue.hpp"

namespace rehearse {

/// An instance on a GPU: position of its profile in GpuModel::profiles, and its first memory slice.
struct MigInstance {
  std::uint32_t start = 0, profile = 0;
  friend auto operator<=>(const MigInstance&, const MigInstance&) = default;
};

/// The instances of one GPU, by start.
using MigLayout = std::vector<MigInstance>;

/// An instance that is wanted, with its start or wherever it fits.
struct MigWish {
  std::uint32_t profile = 0;
  std::optional<std::uint32_t> start;
};

/// True if `more` can be created while `there` exist.
[[nodiscard]] bool may_join(const GpuModel& model, const MigLayout& there, MigInstance more);

[[nodiscard]] bool is_legal(const GpuModel& model, const MigLayout& layout);

/// Where the driver puts an instance when no start is given: the start that leaves the most
/// (profile, start) pairs creatable, of equals the lowest (§2.4). None: it fits nowhere.
[[nodiscard]] std::optional<std::uint32_t> default_start(const GpuModel& model,
                                                         const MigLayout& there,
                                                         std::uint32_t profile);

/// The wishes created one after the other, those with a start first, as the driver would; none if
/// one of them finds no place so.
[[nodiscard]] std::optional<MigLayout> place_in_order(const GpuModel& model,
                                                      const std::vector<MigWish>& wishes);

/// The same, but larger ones before smaller ones where their order fails, and any places at all
/// where that fails too; none: there are none.
[[nodiscard]] std::optional<MigLayout> place(const GpuModel& model,
                                             const std::vector<MigWish>& wishes);

/// Every placed layout of the given profiles to which no further one of them can be added; in
/// ascending order. Few profiles, please: their number grows quickly.
[[nodiscard]] std::vector<MigLayout> maximal_layouts(const GpuModel& model,
                                                     const std::vector<std::uint32_t>& profiles);

/// The legal layout nearest to what is wanted. The distance of two sets of instances: pair them off
/// as cheaply as can be; a pair costs its difference in compute slices and in memory slices, and 1
/// where only one of them bears +me; one without a partner costs all its slices. Of equals the one
/// with the most compute slices, then that of the lowest profiles. What is legal is its own
/// nearest.
[[nodiscard]] MigLayout nearest_legal(const GpuModel& model, const std::vector<MigWish>& wishes);

/// `3g.20gb:0,2g.10gb:4,1g.5gb:6`; `none` for an empty layout.
[[nodiscard]] std::string to_text(const GpuModel& model, const MigLayout& layout);

/// `3g.20gb` or `3g.20gb:4`, and with a count `7*1g.5gb`; empty: it is neither, or of no profile of
/// the model.
[[nodiscard]] std::vector<MigWish> parse_mig_wish(const GpuModel& model, std::string_view text);

}  // namespace rehearse
