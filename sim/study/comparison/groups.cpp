// sim/study/comparison/groups.cpp — waits by account, partition, QOS, size or user, the most hurt
// first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/output/kpi/kpi.hpp"
#include "sim/study/comparison/figures.hpp"

namespace rehearse {
namespace {

/// What one user adds to a group.
struct UserPart {
  double wait_a = 0, wait_b = 0, jobs = 0;
};

struct Gathered {
  std::size_t jobs = 0, started = 0;
  std::uint64_t gpu_milli_s = 0;
  std::vector<double> waits_a, waits_b;
  std::map<std::uint32_t, UserPart> users;
};

void add(Gathered& group, const JobPair& pair) {
  ++group.jobs;
  group.gpu_milli_s += pair.a.gpu_milli_s;
  if (!pair.both_started()) return;
  ++group.started;
  const auto wait_a = static_cast<double>(pair.a.wait());
  const auto wait_b = static_cast<double>(pair.b.wait());
  group.waits_a.push_back(wait_a);
  group.waits_b.push_back(wait_b);
  UserPart& part = group.users[pair.user];
  part.wait_a += wait_a;
  part.wait_b += wait_b;
  part.jobs += 1;
}

/// The mean waits where user u counts weight(u) times.
template <typename Weight>
std::pair<double, double> mean_waits(const Gathered& group, const Weight& weight) {
  double a = 0;
  double b = 0;
  double jobs = 0;
  for (const auto& [user, part] : group.users) {
    const double w = weight(user);
    a += w * part.wait_a;
    b += w * part.wait_b;
    jobs += w * part.jobs;
  }
  if (jobs <= 0) {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    return {kNothing, kNothing};
  }
  return {a / jobs, b / jobs};
}

DrawnFigure draw(const Gathered& group, const MeasureContext& context) {
  DrawnFigure figure;
  figure.users = group.users.size();
  std::tie(figure.a, figure.b) = mean_waits(group, [](std::uint32_t) { return 1.0; });
  if (figure.users < context.options->users_min) return figure;
  for (std::size_t n = 0; n < context.draws->size(); ++n) {
    const auto weights = context.draws->weights(n);
    const auto [a, b] =
        mean_waits(group, [&](std::uint32_t user) { return static_cast<double>(weights[user]); });
    figure.drawn_a.push_back(a);
    figure.drawn_b.push_back(b);
  }
  return figure;
}

double p95(std::vector<double>& waits) {
  std::sort(waits.begin(), waits.end());
  return quantile(waits, 0.95);
}

/// NaN is the least harm.
bool is_hurt_more(const GroupRow& a, const GroupRow& b) {
  const auto harm = [](const GroupRow& row) {
    return std::isnan(row.wait.difference()) ? -std::numeric_limits<double>::infinity()
                                             : row.wait.difference();
  };
  if (harm(a) > harm(b)) return true;
  if (harm(a) < harm(b)) return false;
  return a.name < b.name;
}

/// Sets the shares and GroupRow::is_small.
void weigh(std::vector<GroupRow>& rows) {
  double jobs = 0;
  double hours = 0;
  for (const GroupRow& row : rows) {
    jobs += static_cast<double>(row.jobs);
    hours += row.gpu_hours;
  }
  std::vector<GroupRow*> order;
  for (GroupRow& row : rows) {
    row.job_share = static_cast<double>(row.jobs) / jobs;
    if (hours > 0) row.gpu_hour_share = row.gpu_hours / hours;
    order.push_back(&row);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const GroupRow* a, const GroupRow* b) { return a->weight() < b->weight(); });
  double small_jobs = 0;
  double small_hours = 0;
  for (GroupRow* const row : order) {
    small_jobs += static_cast<double>(row->jobs);
    small_hours += row->gpu_hours;
    if (small_jobs >= kSmallShare * jobs || (hours > 0 && small_hours >= kSmallShare * hours))
      break;
    row->is_small = true;
  }
}

}  // namespace

std::vector<GroupRow> measure_groups(const MeasureContext& context, PairScope scope) {
  std::map<NameId, Gathered> groups;
  for (const JobPair& pair : context.pairs->pairs) add(groups[pair.of(scope)], pair);
  std::vector<GroupRow> rows;
  std::vector<DrawnFigure> table;
  for (auto& [name, group] : groups) {
    GroupRow row;
    row.name = context.pairs->names.text(name);
    if (row.name.empty()) row.name = "(none)";
    row.jobs = group.jobs;
    row.started = group.started;
    row.gpu_hours = static_cast<double>(group.gpu_milli_s) / 1000 / 3600;
    row.p95_a = p95(group.waits_a);
    row.p95_b = p95(group.waits_b);
    rows.push_back(std::move(row));
    table.push_back(draw(group, context));
  }
  const std::vector<Sureness> sure = judge(table, *context.options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].wait = {&pair_figures().front(), table[i].a, table[i].b, table[i].users, sure[i]};
  }
  weigh(rows);
  std::sort(rows.begin(), rows.end(), is_hurt_more);
  return rows;
}

}  // namespace rehearse
