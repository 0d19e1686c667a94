// sim/app/site_options.hpp — the options by which a verb is told of a site and of changes to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/load_site.hpp"

namespace CLI {
class App;
}

namespace rehearse {

/// What KEY=VALUE of --set may be, for the end of a verb's help.
[[nodiscard]] std::string_view help_on_changes();

struct SiteOptions {
  std::string site;
  std::vector<std::string> set;
  std::string jobs, from, to, start_from;
  std::int64_t seed = -1;  ///< -1: the site's
  bool resample_users = false;
  double growth = 1;

  /// Declares SITE, --set, --jobs, --from and --to; --seed where the verb runs, and --start-from
  /// where it may do so from the middle.
  void describe(CLI::App& command);
  void describe_seed(CLI::App& command);
  void describe_start(CLI::App& command);
  /// --resample-users and --growth, where other jobs than the recorded ones make sense.
  void describe_users(CLI::App& command);
  /// What of these must stand on a command line that makes the same jobs; begins with a blank.
  [[nodiscard]] std::string users_text() const;
  [[nodiscard]] LoadOptions load_options() const;
};

}  // namespace rehearse
