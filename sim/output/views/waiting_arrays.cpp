// sim/output/views/waiting_arrays.cpp — indexes of the rows that wait, as ranges.
#include "sim/output/views/waiting_arrays.hpp"

#include <set>

#include "sim/config/sbatch_args.hpp"
#include "sim/output/array_indexes.hpp"

namespace rehearse {

bool WaitingArrays::add(std::size_t row) {
  const RunColumns& r = result_.runs;
  auto [found, is_new] = arrays_.try_emplace(r.array_job[row]);
  Waiting& waiting = found->second;
  const std::string& text = text_of(result_.names.text, r.array_text[row]);
  if (const auto percent = text.find('%'); percent != std::string::npos) {
    waiting.throttle = text.substr(percent);
  }
  if (r.array_task[row] >= 0) {
    waiting.tasks.push_back(static_cast<std::uint32_t>(r.array_task[row]));
  } else if (const auto rest = parse_array_indexes(text)) {
    waiting.tasks.insert(waiting.tasks.end(), rest->indexes.begin(), rest->indexes.end());
  }
  return is_new;
}

void WaitingArrays::join(std::size_t row) {
  Waiting& waiting = arrays_.at(result_.runs.array_job[row]);
  waiting.tasks.push_back(static_cast<std::uint32_t>(result_.runs.array_task[row]));
  waiting.throttle.clear();
}

std::string WaitingArrays::tasks(std::uint32_t job, Throttle throttle) const {
  constexpr std::size_t kMost = 64;
  const Waiting& waiting = arrays_.at(job);
  std::string text =
      array_indexes_text(std::set<std::uint32_t>(waiting.tasks.begin(), waiting.tasks.end()));
  if (text.size() >= kMost) text = text.substr(0, kMost - 4) + "...";
  return throttle == Throttle::Told ? text + waiting.throttle : text;
}

}  // namespace rehearse
