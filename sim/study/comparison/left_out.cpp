// sim/study/comparison/left_out.cpp — jobs not done on one side, counted and weighed.
#include "sim/study/comparison/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace rehearse {
namespace {

/// Of one account.
struct Part {
  std::uint64_t gpu_milli_s = 0;
  std::size_t jobs = 0;
  friend auto operator<=>(const Part&, const Part&) = default;
};

/// `1.1 %`; of what is there and rounds to nothing `under 0.1 %`.
std::string share_text(double share) {
  return share > 0 && share < 0.001 ? "under 0.1 %" : fmt::format("{:.1f} %", share * 100);
}

}  // namespace

LeftOut left_out_by(PairSide side, const JobPairs& pairs, const Result& result) {
  const std::set<std::uint32_t> refused(result.rejections.job_id.begin(),
                                        result.rejections.job_id.end());
  LeftOut found;
  Part all;
  Part lost;
  std::map<NameId, Part> accounts;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const JobPair& pair = pairs.at(i);
    const JobOutcome& own = side == PairSide::A ? pair.a : pair.b;
    const JobOutcome& other = side == PairSide::A ? pair.b : pair.a;
    if (!other.has_started()) continue;
    ++all.jobs;
    all.gpu_milli_s += other.gpu_milli_s;
    if (own.has_started() && !(own.is_killed && !other.is_killed)) continue;
    const bool is_refused = !own.has_started() && refused.contains(other.key.id);
    if (!is_refused && i >= pairs.pairs.size()) continue;  // it was not given that job
    ++(is_refused ? found.refused : own.has_started() ? found.killed : found.never_started);
    lost.gpu_milli_s += other.gpu_milli_s;
    Part& part = accounts[pair.of(PairScope::Account)];
    ++part.jobs;
    part.gpu_milli_s += other.gpu_milli_s;
  }
  if (found.jobs() == 0) return found;
  found.job_share = static_cast<double>(found.jobs()) / static_cast<double>(all.jobs);
  if (all.gpu_milli_s > 0) {
    found.gpu_hour_share =
        static_cast<double>(lost.gpu_milli_s) / static_cast<double>(all.gpu_milli_s);
  }
  const auto most = std::max_element(accounts.begin(), accounts.end(),
                                     [](auto& x, auto& y) { return x.second < y.second; });
  found.account = pairs.names.text(most->first);
  found.account_jobs = most->second.jobs;
  return found;
}

std::string left_out_words(PairSide side, const LeftOut& left_out) {
  std::vector<std::string_view> verbs;
  if (left_out.refused > 0) verbs.emplace_back("refuses");
  if (left_out.never_started > 0) verbs.emplace_back("never starts");
  if (left_out.killed > 0) verbs.emplace_back("kills for good");
  std::string what;
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    what += i == 0 ? "" : i + 1 == verbs.size() ? " or " : ", ";
    what += verbs[i];
  }
  std::string text =
      fmt::format("{} {} {} job{} that {} runs ({} of its jobs", side == PairSide::A ? "A" : "B",
                  what, left_out.jobs(), left_out.jobs() == 1 ? "" : "s",
                  side == PairSide::A ? "B" : "A", share_text(left_out.job_share));
  if (left_out.gpu_hour_share) {
    text += fmt::format(", {} of its GPU-hours", share_text(*left_out.gpu_hour_share));
  }
  return text + ")";
}

}  // namespace rehearse
