// sim/app/site_options.cpp — the options by which a verb is told of a site and of changes to it.
#include "sim/app/site_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace rehearse {

std::string_view help_on_changes() {
  return "\nKEY=VALUE of a change is\n"
         "  PriorityWeightAge=1000                a key of slurm.conf, with its whole value\n"
         "  SchedulerParameters+=bf_window=1440   one word of a list; -= takes a word away\n"
         "  PartitionName=gpu:MaxTime=2-0         a key of a partition; NodeName=n[1-4]:Weight=5\n"
         "  Nodes=n[01-30]:Count=50               so many of these nodes, in their partitions\n"
         "  QOS=high:Priority=100                 of a QOS; Account=ml,User=ann:MaxJobs=4\n"
         "  site.yaml:feedback.mode=think_time    a key of site.yaml";
}

void SiteOptions::describe(CLI::App& command) {
  const std::string own = command.get_footer();
  command.footer(std::string(help_on_changes()) + (own.empty() ? "" : "\n") + own);
  command.add_option("SITE", site, "a site folder, or a scenario .yaml")->required();
  command
      .add_option(
          "--set", set,
          "change slurm.conf, QOS, accounts, nodes, site.yaml: forms below (may be repeated)")
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
