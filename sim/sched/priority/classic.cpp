// sim/sched/priority/classic.cpp — the classic fair share, plain and depth-oblivious.
#include "sim/sched/priority/classic.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse {

double classic_factor(long double usage_effective, double shares_norm, std::uint16_t damping) {
  if (shares_norm <= 0) return 0;
  const double ratio = static_cast<double>(usage_effective / shares_norm);
  return std::pow(2.0, -(ratio / damping));
}

ClassicShares::ClassicShares(AccountBook& book, Options options)
    : book_(book), tree_(book), options_(options), stale_(book.associations.size(), 1) {
  for (const AssociationId id : tree_.top_down()) {
    Association& association = book_.associations[id];
    if (id == AssociationId{0}) {
      association.shares_norm = 1;
      continue;
    }
    const double above = book_.associations[tree_.share_parent(id)].shares_norm;
    association.shares_norm = association.shares ? tree_.level_share(book_, id) * above : above;
  }
}

long double ClassicShares::norm(AssociationId id) const {
  return usage_ratio(book_.associations[id].usage.raw,
                     book_.associations[AssociationId{0}].usage.raw);
}

void ClassicShares::update_accounts() {
  for (const AssociationId id : tree_.top_down()) {
    if (book_.associations[id].user != kNoName) {
      stale_[index_of(id)] = 1;
    } else {
      compute(id);
    }
  }
}

void ClassicShares::settle(AssociationId user) {
  if (stale_[index_of(user)] != 0) compute(user);
}

void ClassicShares::settle_all() {
  for (const AssociationId id : tree_.top_down()) settle(id);
}

double ClassicShares::job_factor(AssociationId user) const {
  const Association& own = book_.associations[user];
  const Association& counted = own.shares ? own : book_.associations[tree_.share_parent(user)];
  return classic_factor(counted.usage_effective, counted.shares_norm, options_.damping);
}

std::vector<ShareFactors> ClassicShares::shown() const {
  std::vector<ShareFactors> factors = kept_shares(book_);
  for (const AssociationId id : tree_.top_down()) {
    if (stale_[index_of(id)] == 0) continue;
    factors[index_of(id)].usage_norm = norm(id);
    factors[index_of(id)] =
        factors_of(id, [&](AssociationId other) { return factors[index_of(other)].usage_norm; });
  }
  return factors;
}

void ClassicShares::compute(AssociationId id) {
  Association& association = book_.associations[id];
  stale_[index_of(id)] = 0;
  association.usage_norm = norm(id);
  const ShareFactors factors =
      factors_of(id, [&](AssociationId other) { return book_.associations[other].usage_norm; });
  association.usage_effective = factors.usage_effective;
  association.fair_share = factors.fair_share;
}

ShareFactors ClassicShares::factors_of(AssociationId id, const Norms& norms) const {
  const Association& association = book_.associations[id];
  ShareFactors factors;
  factors.usage_norm = norms(id);
  factors.usage_effective = id == AssociationId{0} ? 1 : effective(association, norms);
  factors.level_fs = association.level_fs;
  factors.fair_share =
      classic_factor(factors.usage_effective, association.shares_norm, options_.damping);
  return factors;
}

long double ClassicShares::effective(const Association& association, const Norms& norms) const {
  const long double own = norms(association.id);
  const AssociationId above = tree_.share_parent(association.id);
  if (above == AssociationId{0}) return own;
  const Association& parent = book_.associations[above];
  if (!association.shares) return parent.usage_effective;
  if (options_.depth_oblivious) return depth_oblivious(association, norms);
  const std::uint64_t level = tree_.level_shares(above);
  if (level == 0) return parent.usage_effective;
  return own +
         (parent.usage_effective - own) * *association.shares / static_cast<long double>(level);
}

long double ClassicShares::depth_oblivious(const Association& association,
                                           const Norms& norms) const {
  const AssociationId above = tree_.share_parent(association.id);
  const Association& parent = book_.associations[above];
  const long double own = norms(association.id);
  if (association.shares_norm <= 0 || parent.shares_norm <= 0 || parent.usage_effective <= 0 ||
      own <= 0) {
    return own;
  }
  long double siblings = 0;  // of the others as they were last asked for
  for (const AssociationId id : tree_.children(above)) {
    if (book_.associations[id].shares) siblings += norms(id);
  }
  const double parent_ratio =
      static_cast<double>(parent.usage_effective / static_cast<long double>(parent.shares_norm));
  const double level_ratio =
      static_cast<double>(siblings / static_cast<long double>(parent.shares_norm));
  const double own_ratio =
      static_cast<double>(own / static_cast<long double>(association.shares_norm)) / level_ratio;
  double weight = 1;
  if (parent_ratio > 0 && own_ratio > 0 && std::log(parent_ratio) * std::log(own_ratio) < 0) {
    const double bend = 5 * std::log(parent_ratio);
    weight = 1 / (1 + bend * bend);
  }
  return parent_ratio * std::pow(own_ratio, weight) * association.shares_norm;
}

}  // namespace rehearse
