// workloads/sacct_options.hpp — what a reader of job rows must be told, as the rows do not say it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/controller/job_command.hpp"
#include "sim/core/time.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_table.hpp"
#include "workloads/tres_request.hpp"

namespace rehearse {

struct SacctOptions {
  std::string time_zone = "UTC";  ///< IANA name; of times without a zone (site.yaml)
  bool zone_is_assumed = false;   ///< nobody has told it
  TableForm form;
  std::string cluster;                ///< only its rows; empty: there must be one cluster only
  std::optional<SlurmTime> from, to;  ///< jobs submitted in [from, to)
  std::vector<RuntimeRow> runtimes;   ///< runtimes.csv
  /// Jobs (arrays) that commands act on, ascending: what they do is not a begin time.
  std::vector<JobId> acted_on;
  /// Commands say who was cancelled, and when: what has no row waits until one names it.
  bool cancels_are_told = false;
  /// Reservations that the site makes: a job of one is eligible from its begin on, without a begin
  /// time of its own.
  std::set<std::string, std::less<>> reservations;
  /// What commands gave jobs later, in order: a column that shows it does not tell the submission.
  std::vector<UpdatedWord> updated;
  /// Users whose --priority counts, beside root; by --uid it is root's.
  std::set<std::string, std::less<>> operators;
  CpusOfNode cpus_of_node;  ///< empty: node sizes are not known
  UnusableRows unusable_rows = UnusableRows::AreErrors;
};

}  // namespace rehearse
