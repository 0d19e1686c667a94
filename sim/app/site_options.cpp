// sim/app/site_options.cpp — the options by which a verb is told of a site and of changes to it.
#include "sim/app/site_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace rehearse {

void SiteOptions::describe(CLI::App& command) {
  command.add_option("SITE", site, "a site folder, or a scenario .yaml")->required();
  command
      .add_option("--set", set,
                  "change slurm.conf: KEY=VALUE, PartitionName=x:Key=Value (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--jobs", jobs, "read the jobs from here instead of the site; - is stdin")
      ->type_name("FILE");
  command
      .add_option("--from", from,
                  "only jobs submitted at this time or later; the cluster is empty then, but for "
                  "--start-from")
      ->type_name("TIME");
  command.add_option("--to", to, "only jobs submitted before this time")->type_name("TIME");
}

void SiteOptions::describe_seed(CLI::App& command) {
  command.add_option("--seed", seed, "the seed of all chance, instead of site.yaml's")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
}

void SiteOptions::describe_start(CLI::App& command) {
  command
      .add_option("--start-from", start_from,
                  "begin with what ran and pended then: snapshot (of collect), or a time of the "
                  "recorded past")
      ->type_name("TIME");
}

void SiteOptions::describe_users(CLI::App& command) {
  command.add_flag("--resample-users", resample_users,
                   "draw as many users anew as there are, each with all his jobs (by the seed)");
  command
      .add_option("--growth", growth,
                  "so many times the users: more are drawn, with their jobs some weeks later")
      ->type_name("X")
      ->check(CLI::Range(0.01, 100.0));
}

std::string SiteOptions::users_text() const {
  std::string text = resample_users ? " --resample-users" : "";
  if (growth < 1 || growth > 1) text += fmt::format(" --growth {}", growth);
  return text;
}

LoadOptions SiteOptions::load_options() const {
  LoadOptions options;
  options.set = set;
  if (!jobs.empty()) options.jobs = jobs;
  options.from = from;
  options.to = to;
  options.start_from = start_from;
  options.resample_users = resample_users;
  options.growth = growth;
  if (seed >= 0) options.seed = static_cast<std::uint64_t>(seed);
  return options;
}

}  // namespace rehearse
