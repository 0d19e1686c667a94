// sim/study/load_site.hpp — a site folder as inputs, jobs, admin commands and a built cluster.
//
// The one place where a site is put together: every verb and study sees the same findings in the
// same order. Configuration first; jobs are read only where the configuration stands.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/catalogue.hpp"
#include "models/gpu/inventory.hpp"
#include "models/gpu/layouts.hpp"
#include "models/gpu/mig_plan.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/config/site_changes.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/controller/admin_command.hpp"
#include "sim/controller/recorded_clock.hpp"
#include "sim/core/error.hpp"
#include "sim/output/provenance.hpp"
#include "sim/study/start_state.hpp"
#include "workloads/controller_log.hpp"
#include "workloads/sacct_options.hpp"
#include "workloads/sacct_text.hpp"
#include "workloads/user_draws.hpp"

namespace rehearse {

/// What the command line changes about a site.
struct LoadOptions {
  std::vector<std::string> set;  ///< KEY=VALUE, after those of a scenario (site_changes.hpp)
  std::optional<std::filesystem::path> jobs;  ///< instead of the site's; `-` is standard input
  bool reads_jobs = true;                     ///< false: what the site is, without them
  std::string from, to;                       ///< jobs submitted in [from, to), local to the site
  std::optional<std::uint64_t> seed;
  std::string
      start_from;  ///< `snapshot` or a time: what stands then is there; empty: an empty cluster
  bool resample_users = false;  ///< draw users anew, with all their jobs (user_draws.hpp)
  double growth = 1;            ///< times the users, by drawing more of them
};

/// A site ready to run once. Its cluster refers to the other members: it stays where it is made.
struct LoadedSite {
  LoadedSite() = default;
  LoadedSite(const LoadedSite&) = delete;
  LoadedSite& operator=(const LoadedSite&) = delete;
  LoadedSite(LoadedSite&&) = delete;
  LoadedSite& operator=(LoadedSite&&) = delete;
  ~LoadedSite() = default;

  SiteFolder folder;
  SiteInputs inputs;
  std::vector<SiteChange> changes;  ///< beyond slurm.conf, in the order in which they are made
  SacctOptions sacct;               ///< how its job rows are read
  TimeZone zone = TimeZone::utc();
  NamePool names;
  RequestTable requests;
  bool has_jobs = false;
  std::optional<std::filesystem::path> jobs_path;
  Trace trace;                       ///< empty without jobs, and where they are another site's
  UserChange user_change;            ///< of the jobs after they are read
  std::vector<DrawnUserCopy> users;  ///< who was drawn; empty: all, once
  /// Whose jobs these are; none: its own. It must outlive this one.
  const LoadedSite* jobs_of = nullptr;
  /// What the rows of its own jobs asked of slurm.conf: CPUs of a node, none for an unknown one.
  std::map<std::string, std::optional<std::uint32_t>, std::less<>> cpus_asked;
  std::vector<AdminCommandAt> commands;
  std::vector<Time> backfill_began;           ///< of a recording's meta.json: when its cycles began
  std::optional<ControllerLog> log;           ///< the site's slurmctld.log, where there is one
  std::optional<GpuCatalogue> gpu_catalogue;  ///< the bundled models and the site's own
  std::unique_ptr<Cluster> cluster;
  GpuInventory gpus;                  ///< what each GPU of the cluster is
  GpuLayouts mig;                     ///< which MIG instances share a GPU
  MigPlan mig_plan;                   ///< which GPUs change while the cluster runs
  std::unique_ptr<StartState> start;  ///< null: it begins with nothing

  /// With --start-from, of those that come after it: jobs submitted at this time or later.
  std::optional<SlurmTime> arrivals_from;

  [[nodiscard]] const TraceJobs& jobs() const {
    return jobs_of != nullptr ? jobs_of->trace.jobs : trace.jobs;
  }
  /// What became of the rows of its jobs.
  [[nodiscard]] const ImportReport& report() const {
    return jobs_of != nullptr ? jobs_of->trace.report : trace.report;
  }
};

/// What its recording tells of when the loops ran; empty for a site that is none. Reads its samples
/// where the classic formula goes by them; throws InputError for a file that cannot be read.
[[nodiscard]] RecordedClock recorded_clock(const LoadedSite& site);

/// Words of SchedulerParameters that say when loops run, where the recording says so instead.
[[nodiscard]] std::vector<std::string> replayed_words(const LoadedSite& site);

/// What holds for a run of the site beside its files.
[[nodiscard]] RunContext context_of(const LoadedSite& site);

/// Reads everything. Errors of the configuration are thrown together, as are those of the jobs;
/// warnings and notes are left in `found`. Throws InputError; the answer is complete.
/// The jobs are not read, but are those of the first of `readers` that read the very same, where
/// there is one: many runs of one trace keep it in memory once.
[[nodiscard]] std::unique_ptr<LoadedSite> load_site(
    const std::filesystem::path& site, const LoadOptions& options, Diagnostics& found,
    const std::vector<const LoadedSite*>& readers = {});

}  // namespace rehearse
