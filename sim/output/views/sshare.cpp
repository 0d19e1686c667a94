// sim/output/views/sshare.cpp — shares and usage at the last kept priority tick (outputs.md §4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/output/priority_parts.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

/// The rows of the association tree: users first, then accounts, each by name.
class Tree {
 public:
  explicit Tree(const std::vector<AssociationFacts>& all) : all_(all), children_(all.size()) {
    for (std::uint32_t row = 0; row < all.size(); ++row) {
      if (all[row].parent != kNoRow) children_[all[row].parent].push_back(row);
    }
    for (auto& rows : children_) {
      std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        const bool a_is_account = all[a].user.empty();
        const bool b_is_account = all[b].user.empty();
        if (a_is_account != b_is_account) return b_is_account;
        return a_is_account ? all[a].account < all[b].account : all[a].user < all[b].user;
      });
    }
  }

  /// Calls use(row, depth) from the root down.
  template <typename Use>
  void walk(Use&& use) const {
    for (std::uint32_t row = 0; row < all_.size(); ++row) {
      if (all_[row].parent == kNoRow) walk(row, 0, use);
    }
  }

 private:
  template <typename Use>
  void walk(std::uint32_t row, std::size_t depth, Use& use) const {
    use(row, depth);
    for (const std::uint32_t child : children_[row]) walk(child, depth + 1, use);
  }
  const std::vector<AssociationFacts>& all_;
  std::vector<std::vector<std::uint32_t>> children_;
};

/// Raw and normed shares of each association at an instant.
std::vector<std::pair<std::int64_t, double>> shares_at(const Result& result, std::int64_t at) {
  std::vector<std::pair<std::int64_t, double>> shares;
  for (const AssociationFacts& each : result.cluster.associations) {
    shares.emplace_back(each.shares, each.shares_norm);
  }
  const FormerShareColumns& former = result.former_shares;
  for (std::size_t i = former.size(); i-- > 0 && former.end[i] > at;) {
    shares[former.association[i]] = {former.shares[i], former.shares_norm[i]};
  }
  return shares;
}

}  // namespace

std::string share_number(double value, std::size_t width) {
  if (std::isinf(value)) return "inf";
  std::string text = fmt::format("{:.6f}", value);
  if (text.size() > width) text = fmt::format("{:.{}e}", value, width > 7 ? width - 7 : 0);
  return text;
}

View sshare_view(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  const FairShareColumns& kept = result.fair_share;
  const auto& all = result.cluster.associations;
  std::vector<std::uint32_t> sample(all.size(), kNoRow);
  std::int64_t sampled = kNoTime;
  for (std::size_t i = 0; i < kept.size() && kept.time[i] <= at; ++i) {
    sample[kept.association[i]] = static_cast<std::uint32_t>(i);
    sampled = kept.time[i];
  }
  const auto all_shares = shares_at(result, at);
  ViewTable table;
  table.columns = {
      {"Account", 20, true}, {"User", 10}, {"RawShares", 10}, {"NormShares", 11}, {"RawUsage", 11}};
  const bool long_form = options.long_form;
  const auto number = [&](double value, std::size_t width) {
    return share_number(value, options.parsable ? std::string::npos : width);
  };
  const bool fair_tree = settings_at(result, at).fair_tree;
  if (long_form) table.columns.push_back({"NormUsage", 11});
  table.columns.push_back({"EffectvUsage", 13});
  table.columns.push_back({"FairShare", 10});
  if (long_form) {
    if (fair_tree) table.columns.push_back({"LevelFS", 10});
    table.columns.push_back({"GrpTRESMins", 30});
    table.columns.push_back({"TRESRunMins", 30});
  }
  Tree(all).walk([&](std::uint32_t row, std::size_t depth) {
    const AssociationFacts& each = all[row];
    const bool is_root = each.parent == kNoRow;
    const bool is_user = !each.user.empty();
    const std::uint32_t i = sample[row];
    const auto value = [&](const std::vector<double>& column) {
      return i == kNoRow ? 0.0 : column[i];
    };
    const auto [raw, normed] = all_shares[row];
    const std::string shares = is_root ? "" : raw < 0 ? "parent" : fmt::format("{}", raw);
    std::vector<std::string> fields{std::string(depth, ' ') + each.account, each.user, shares,
                                    number(normed, 11),
                                    fmt::format("{:.0f}", std::floor(value(kept.raw_usage)))};
    if (long_form) fields.push_back(is_root ? "" : number(value(kept.usage_norm), 11));
    fields.push_back(number(is_root ? 1 : value(kept.usage_effective), 13));
    fields.push_back(is_user || !fair_tree ? number(value(kept.fair_share), 10) : "");
    if (long_form) {
      if (fair_tree) {
        fields.push_back(is_root || raw < 0 ? "" : number(value(kept.level_fs), 10));
      }
      fields.insert(fields.end(), {"", ""});
    }
    table.rows.push_back(std::move(fields));
  });
  View view = table.view(&ViewTable::as_sacct, options);
  if (sampled == kNoTime) {
    view.note = "no fair-share was kept before this instant: usage is shown as 0";
  } else if (sampled != at) {
    view.note =
        "as of the last kept priority tick, " + zone_of(result).print(from_epoch_seconds(sampled));
  }
  if (long_form) view.note += view.note.empty() ? "" : "; GrpTRESMins and TRESRunMins are not kept";
  return view;
}

}  // namespace rehearse
