// bench/micro/fair_tree_bench.cpp — one ranking of all users by Fair Tree, as after each decay.
//
// Size: users, ten to an account, the accounts below departments of ten. Usage moves before each
// ranking, so that the order of siblings does too.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include "sim/cluster/cluster.hpp"
#include "sim/core/rng.hpp"
#include "sim/sched/priority/fair_tree.hpp"

namespace rehearse::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::int64_t kBelow = 10;  // children of an account

void add(AccountingConf& book, std::string account, std::string parent, std::string user,
         std::uint32_t shares) {
  AssociationConf& row = book.associations.emplace_back();
  row.account = std::move(account);
  row.parent = std::move(parent);
  row.user = std::move(user);
  row.fairshare = shares;
}

/// root, departments, accounts, users.
AccountingConf tree_of(std::int64_t users) {
  AccountingConf book;
  book.cluster = "bench";
  book.qos.emplace_back().name = "normal";
  Rng rng{kSeed, "fair_tree/shares"};
  const auto shares = [&] { return static_cast<std::uint32_t>(rng.between(1, 100)); };
  add(book, "root", "", "", 1);
  for (std::int64_t user = 0; user < users; ++user) {
    const std::int64_t account = user / kBelow, department = account / kBelow;
    const std::string account_name = fmt::format("a{}", account);
    const std::string department_name = fmt::format("d{}", department);
    if (account % kBelow == 0 && user % kBelow == 0) {
      add(book, department_name, "root", "", shares());
    }
    if (user % kBelow == 0) add(book, account_name, department_name, "", shares());
    add(book, account_name, account_name, fmt::format("u{}", user), shares());
  }
  return book;
}

void rank(benchmark::State& state) {
  SiteInputs inputs;
  inputs.slurm_conf.priority.type = PriorityType::Multifactor;
  inputs.slurm_conf.has_accounting = true;
  inputs.accounting = tree_of(state.range(0));
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  Cluster cluster(inputs, names, requests, found);
  auto& associations = cluster.accounts.associations;
  FairTree tree(cluster.accounts);
  Rng rng{kSeed, "fair_tree/usage"};
  const auto use = [&](AssociationId id, long double amount) {
    for (std::optional<AssociationId> at = id; at; at = associations[*at].parent) {
      associations[*at].usage.raw += amount;
    }
  };
  const auto last = static_cast<std::int64_t>(associations.size()) - 1;
  const auto anyone = [&] { return static_cast<AssociationId>(rng.between(1, last)); };
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    use(anyone(), static_cast<long double>(rng.between(1, 1'000'000)));
  }
  for (auto _ : state) {
    use(anyone(), 100'000);
    tree.update();
  }
  benchmark::DoNotOptimize(associations[id_at<AssociationId>(associations.size() - 1)].fair_share);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(rank)->Arg(100)->Arg(1'000)->Arg(10'000);

}  // namespace
}  // namespace rehearse::bench
