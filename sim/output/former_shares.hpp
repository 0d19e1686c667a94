// sim/output/former_shares.hpp — shares of associations that an event changed, as they were before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// In order of time; since the last row of an association its shares are those of AssociationFacts.
struct FormerShareColumns {
  std::vector<std::uint32_t> association;
  std::vector<std::int64_t> end;
  std::vector<std::int64_t> shares;  ///< −1: `parent`
  std::vector<double> shares_norm;
  [[nodiscard]] std::size_t size() const { return association.size(); }
};

/// Calls use(info, vector) for each column of /former_shares. Info: ColumnInfo.
template <typename Info, typename Former, typename Use>
void for_each_former_share_column(Former& f, Use&& use) {
  Info info{"association", "1", "row of /accounts"};
  info.names = "/accounts";
  use(info, f.association);
  info = {"end", "", "priority tick until which it had these shares"};
  info.kind = decltype(info.kind)::Instant;
  use(info, f.end);
  use(Info{"shares", "1", "RawShares; -1: parent"}, f.shares);
  use(Info{"shares_norm", "1", "NormShares"}, f.shares_norm);
}

}  // namespace rehearse
