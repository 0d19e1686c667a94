// sim/config/policy_keys.cpp — the keys of the section `policy`, and what they make of slurm.conf.
#include "sim/config/policy_words.hpp"
#include "sim/config/word_choice.hpp"

namespace rehearse {
namespace {

constexpr std::array<WordChoice<PolicyBackfill>, 4> kBackfills{
    {{kSlurmsOwn, PolicyBackfill::Slurm},
     {"none", PolicyBackfill::None},
     {"easy", PolicyBackfill::Easy},
     {"conservative", PolicyBackfill::Conservative}}};
constexpr std::array<WordChoice<Reclaim>, 3> kReclaims{
    {{"off", Reclaim::Off}, {"quota", Reclaim::Quota}, {"fair_share", Reclaim::FairShare}}};

}  // namespace

std::string_view to_text(PolicyBackfill backfill) {
  return kBackfills[static_cast<std::size_t>(backfill)].word;
}

std::string_view to_text(Reclaim reclaim) {
  return kReclaims[static_cast<std::size_t>(reclaim)].word;
}

void read_policy_keys(ConfigNode& parent, PolicyConf& conf) {
  ConfigNode policy = parent.child("policy");
  policy.read("order", conf.order);
  if (policy.has("order")) conf.order_where = policy.where("order");
  read_word(policy, "backfill", conf.backfill, kBackfills);
  read_word(policy, "reclaim", conf.reclaim, kReclaims);
  if (policy.has("reclaim")) conf.reclaim_where = policy.where("reclaim");
  if (policy.has("quotas")) conf.quotas.clear();  // a scenario's list replaces the site's
  for (ConfigNode& each : policy.children("quotas")) {
    QuotaLine& line = conf.quotas.emplace_back();
    line.where = each.where("account");
    each.read("account", line.account);
    each.read("tres", line.tres);
    each.read("over_quota_weight", line.over_quota_weight, {1, 1000});
    if (!each.has("account")) each.fail("account", "is not given", "an account of assoc.dump");
    if (!each.has("tres")) each.fail("tres", "is not given", "such as gres/gpu=64");
    each.finish();
  }
  policy.read("non_preemptible", conf.non_preemptible);
  if (policy.has("non_preemptible")) {
    conf.non_preemptible_where = policy.where("non_preemptible");
  }
  policy.finish();
}

std::vector<std::string> slurm_conf_of(const PolicyConf& conf) {
  std::vector<std::string> changes;
  if (conf.order != kSlurmsOwn) changes.emplace_back("PriorityType=priority/basic");
  if (conf.backfill == PolicyBackfill::None) {
    changes.emplace_back("SchedulerType=sched/builtin");
  } else if (conf.backfill != PolicyBackfill::Slurm) {
    const bool easy = conf.backfill == PolicyBackfill::Easy;
    changes.emplace_back("SchedulerType=sched/backfill");
    // Jobs of a partition that are planned: the first that waits, or all.
    changes.emplace_back(easy ? "SchedulerParameters+=bf_job_part_count_reserve=1"
                              : "SchedulerParameters+=bf_job_part_count_reserve=0");
  }
  if (conf.has_quotas()) {
    changes.emplace_back("PreemptType=preempt/qos");
    changes.emplace_back("PreemptMode=REQUEUE");
  }
  return changes;
}

}  // namespace rehearse
