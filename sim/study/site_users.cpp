// sim/study/site_users.cpp — draws a site's users: associations first, jobs when they are read.
#include "sim/study/site_users.hpp"

#include <fmt/format.h>

#include <string>

#include "workloads/input.hpp"

namespace rehearse {

void draw_site_users(LoadedSite& loaded, Diagnostics& found) {
  if (loaded.user_change.is_neutral() || !loaded.has_jobs) return;
  if (*loaded.jobs_path == "-") {
    found.error({"-", 0, 0}, "jobs from standard input cannot have their users drawn",
                "name a file: --jobs FILE");
    return;
  }
  if (loaded.jobs_of == nullptr) {
    NamePool names;
    RequestTable requests;
    Diagnostics ignored;
    const Trace trace =
        read_sacct(InputStream(*loaded.jobs_path), loaded.sacct, names, requests, ignored);
    loaded.users = draw_users(trace.jobs, names, loaded.user_change);
  }
  add_copies(loaded.users, loaded.inputs.accounting);
}

void take_drawn_users(LoadedSite& loaded, Diagnostics& found) {
  if (loaded.users.empty() || loaded.jobs_of != nullptr) return;
  DrawnDemand demand;
  loaded.trace.jobs =
      jobs_of_users(loaded.trace.jobs, loaded.users, loaded.names, loaded.requests, demand);
  std::string text = fmt::format(
      "users are drawn (seed {}): {} instead of {}, {} submissions "
      "instead of {}",
      loaded.user_change.seed, demand.users_after, demand.users_before, demand.jobs_after,
      demand.jobs_before);
  if (demand.work_before > 0) {
    text += fmt::format(", {:.2f} times the {}-hours", demand.work_after / demand.work_before,
                        demand.of_gpus ? "GPU" : "CPU");
  }
  if (demand.dependencies_dropped > 0) {
    text += fmt::format("; {} jobs lose a dependency on a job that now comes later",
                        demand.dependencies_dropped);
  }
  found.note({loaded.jobs_path->string(), 0, 0}, text,
             "how much they ask for depends on who is drawn: try several seeds");
}

}  // namespace rehearse
