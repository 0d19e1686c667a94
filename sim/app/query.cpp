// sim/app/query.cpp — `rehearse query`: what a study's registry knows.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/app/registry_table.hpp"
#include "sim/app/verb.hpp"

namespace rehearse {
namespace {

class Query final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "query"; }
  [[nodiscard]] std::string_view summary() const override {
    return "ask a study's registry which points are best, or anything in SQL";
  }

  void describe(CLI::App& command) override {
    command.add_option("REGISTRY", registry_, "what sweep has written (SQLite)")->required();
    auto* const sql =
        command
            .add_option("--sql", sql_,
                        "a SELECT; the view results has a row a point, with a column for each "
                        "parameter and objective; tables: points, parameters, kpis, study, inputs")
            ->type_name("SELECT");
    auto* const best = command
                           .add_option("--best", best_,
                                       "the designs with the best mean of this figure; default: "
                                       "the first objective")
                           ->type_name("KPI");
    sql->excludes(best);
    auto* const most = command.add_flag("--most", most_, "the more of it the better");
    auto* const least = command.add_flag("--least", least_, "the less of it the better");
    most->excludes(least);
    command.add_option("--top", top_, "so many of the best; default 10")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command.add_flag("--json", json_, "print the rows as JSON (one versioned schema)");
    format_.describe(command);
  }

  Exit run() override {
    RegistryReader reader(registry_);
    if (!sql_.empty()) {
      print(reader.select(sql_));
      return Exit::Ok;
    }
    const PointCounts counts = reader.counts();
    fmt::print(stderr, "{} points: {} complete, {} failed, {} waiting\n", counts.all(),
               counts.complete, counts.failed, counts.waiting);
    std::optional<bool> more;
    if (most_ || least_) more = most_;
    const RegistryTable best = reader.best(best_.empty() ? reader.objective() : best_, more, top_);
    print(best);
    explain_best(best);
    return Exit::Ok;
  }

 private:
  void print(const RegistryTable& table) const {
    fmt::print("{}", json_ ? table_json(table) + "\n" : table_text(table, format_));
  }

  std::string registry_, sql_, best_;
  std::uint64_t top_ = 10;
  bool most_ = false, least_ = false, json_ = false;
  TableOptions format_;
};

}  // namespace

std::unique_ptr<Verb> make_query() {
  return std::make_unique<Query>();
}

}  // namespace rehearse
