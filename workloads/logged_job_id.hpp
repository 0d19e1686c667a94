// workloads/logged_job_id.hpp — how a slurmctld.log names a job.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/cluster/ids.hpp"

namespace rehearse {

/// `JobId=7 …`, `JobId=5_2(7) …` or `JobId=6+1(7) …` after the `=`: 7.
[[nodiscard]] inline std::optional<JobId> logged_job_id(std::string_view text) {
  std::uint32_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (rest.starts_with('_') || rest.starts_with('+')) {
    const std::size_t open = rest.find('(');
    if (open == std::string_view::npos) return std::nullopt;
    const std::string_view raw = rest.substr(open + 1);
    if (std::from_chars(raw.data(), raw.data() + raw.size(), id).ec != std::errc{}) {
      return std::nullopt;
    }
  }
  return JobId{id};
}

}  // namespace rehearse
