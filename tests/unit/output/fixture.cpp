// tests/unit/output/fixture.cpp — the story of small_result, second by second.
#include "tests/unit/output/fixture.hpp"

#include <algorithm>

namespace rehearse::test {
namespace {

NodeConf node_conf(const std::string& name, std::uint32_t cpus, std::uint64_t memory_mib) {
  NodeConf node;
  node.name = name;
  node.sockets = 2;
  node.cores_per_socket = cpus / 2;
  node.cpus = cpus;
  node.real_memory_mib = memory_mib;
  return node;
}

SiteInputs make_inputs() {
  SiteInputs inputs;
  SlurmConf& conf = inputs.slurm_conf;
  conf.cluster_name = "small";
  conf.nodes = {node_conf("c01", 32, 128'000), node_conf("g01", 64, 512'000),
                node_conf("g02", 64, 512'000)};
  conf.accounting_storage_tres = {"gres/gpu"};
  conf.gres_types = {"gpu"};
  conf.has_accounting = true;
  conf.priority.type = PriorityType::Multifactor;
  conf.priority.weight_age = 1000;
  conf.priority.weight_fairshare = 10000;
  PartitionConf gpu;
  gpu.name = "gpu";
  gpu.nodes = {"g01", "g02"};
  gpu.is_default = true;
  gpu.max_time = Minutes{2880};
  PartitionConf cpu;
  cpu.name = "cpu";
  cpu.nodes = {"c01"};
  conf.partitions = {gpu, cpu};
  const auto association = [](const char* account, const char* user, const char* parent,
                              std::uint32_t shares) {
    AssociationConf one;
    one.account = account;
    one.user = user;
    one.parent = parent;
    one.fairshare = shares;
    return one;
  };
  inputs.accounting.associations = {
      association("root", "", "", 1), association("ml", "", "root", 3),
      association("ml", "ann", "ml", 1), association("ds", "", "root", 1),
      association("ds", "bob", "ds", 1)};
  QosConf normal;
  normal.name = "normal";
  inputs.accounting.qos = {normal};
  return inputs;
}

void add_gpus(Node& node, NamePool& names, std::size_t count) {
  NodeGres gres;
  gres.name = names.intern("gpu");
  gres.devices.resize(count);
  gres.total = count;
  node.gres = {gres};
}

}  // namespace

SmallCluster::SmallCluster() : inputs(make_inputs()) {
  cluster = std::make_unique<Cluster>(inputs, names, requests, found);
  add_gpus(cluster->nodes[NodeId{1}], names, 8);
  add_gpus(cluster->nodes[NodeId{2}], names, 8);
  recorder.run_started(*cluster, at(0));
}

Job& SmallCluster::add_job(std::uint32_t id, const std::string& user, std::int64_t submit,
                           std::uint32_t cpus, std::uint32_t gpus, std::uint64_t memory_mib,
                           std::uint32_t limit_min) {
  Request request;
  request.min_cpus = cpus;
  if (gpus > 0) {
    GresRequest gres;
    gres.name = names.intern("gpu");
    gres.per_node = gpus;
    request.gres = {gres};
  }
  auto spec = std::make_unique<JobSpec>();
  spec->id = JobId{id};
  spec->name = names.intern("train");
  spec->user = names.intern(user);
  spec->account = names.intern(user == "ann" ? "ml" : "ds");
  spec->request = requests.intern(request);
  spec->submit = Time{at(submit)};
  Job& job = cluster->jobs.add();
  job.id = spec->id;
  job.spec = spec.get();
  job.request = spec->request;
  job.submit = spec->submit;
  job.begin = at(submit);
  job.time_limit = Minutes{limit_min};
  job.qos = QosId{0};
  job.partitions = {PartitionId{0}};
  job.priority = 5000;
  job.factors.fair_share = 5000;
  job.request_tres = cluster->tres.zero();
  job.request_tres[index_of(TresTable::kCpu)] = cpus;
  job.request_tres[index_of(TresTable::kMem)] = memory_mib;
  job.request_tres[index_of(TresTable::kNode)] = 1;
  job.request_tres[index_of(TresTable::kBilling)] = cpus;
  job.request_tres[index_of(*cluster->tres.find("gres/gpu"))] = gpus;
  specs.push_back(std::move(spec));
  asks_.push_back({cpus, gpus, memory_mib});
  return job;
}

void SmallCluster::start(Job& job, std::int64_t when, const std::vector<std::uint32_t>& nodes,
                         StartedBy by) {
  const Ask& ask = asks_[index_of(job.index)];
  job.state = JobState::Running;
  job.start = at(when);
  job.end = at(when) + *job.time_limit;
  job.started_by = by;
  job.allocation = {};
  for (const std::uint32_t node : nodes) {
    NodeShare share;
    share.node = NodeId{node};
    share.cpus = ask.cpus;
    share.memory_mib = ask.memory_mib;
    for (std::uint16_t device = 0; device < ask.gpus; ++device) {
      share.devices.push_back({0, device, 1});
    }
    job.allocation.nodes.push_back(share);
    job.allocation.cpus += ask.cpus;
  }
  job.alloc_tres = job.request_tres;
  recorder.job_started(job, at(when));
}

void SmallCluster::end(Job& job, std::int64_t when, JobState state, bool requeued) {
  job.state = state;
  job.end = at(when);
  recorder.job_ended(job, requeued, at(when));
}

Result small_result() {
  SmallCluster small;
  Recorder& recorder = small.recorder;
  Job& first = small.add_job(1, "ann", 60, 8, 8, 64'000);
  recorder.job_submitted(first, at(60));
  small.start(first, 60, {1});
  Job& second = small.add_job(2, "bob", 120, 4, 8, 2560, 30);
  recorder.job_submitted(second, at(120));
  second.reason = Reason::Priority;
  recorder.reason_changed(second, at(120));
  second.reason = Reason::Resources;
  recorder.reason_changed(second, at(180));
  second.reason = Reason::None;
  recorder.reason_changed(second, at(300));
  small.start(second, 300, {2}, StartedBy::Backfill);
  // Never starts: cancelled after an hour.
  Job& third = small.add_job(3, "bob", 600, 64, 8, 100'000);
  third.reason = Reason::QOSMaxGRESPerUser;
  recorder.job_submitted(third, at(600));
  small.end(second, 900, JobState::Preempted, true);
  // The second run of job 2: a new submission, eligible two minutes later.
  second.state = JobState::Pending;
  second.restarts = 1;
  second.submit = Time{at(901)};
  second.begin = at(1022);
  second.start.reset();
  second.end.reset();
  second.reason = Reason::BeginTime;
  recorder.job_submitted(second, at(901));
  Node& drained = small.cluster->nodes[NodeId{2}];
  drained.state.drain = true;
  drained.state.reason = "bad disk";
  recorder.node_changed(drained, at(1000));
  drained.state = {};
  recorder.node_changed(drained, at(2800));
  second.reason = Reason::None;
  recorder.reason_changed(second, at(2800));
  small.start(second, 2800, {2});
  small.end(second, 3400, JobState::Completed);
  small.end(first, 3660, JobState::Timeout);
  // An array of three, one CPU each; task 0 runs, the rest still waits at the end.
  Job& array = small.add_job(4, "ann", 3700, 1, 0, 1000);
  auto extras = std::make_unique<JobExtras>();
  extras->array.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) extras->array[i].index = i;
  extras->array_max_running = 1;
  small.specs.back()->extras = std::move(extras);
  array.array_job = JobId{4};
  array.pending_tasks = {0, 1, 2};
  recorder.job_submitted(array, at(3700));
  third.state = JobState::Cancelled;
  third.start = third.end = at(4200);
  recorder.job_cancelled(third, at(4200));
  Job& rest = small.add_job(4, "ann", 3700, 1, 0, 1000);
  rest.spec = array.spec;
  rest.array_job = JobId{4};
  rest.pending_tasks = {1, 2};
  array.pending_tasks.clear();
  array.array_task = 0;
  array.id = JobId{5};
  small.start(array, 4300, {0}, StartedBy::Main);
  rest.reason = Reason::JobArrayTaskLimit;
  recorder.reason_changed(rest, at(4300));
  small.end(array, 7200, JobState::Completed);
  recorder.job_rejected(*small.specs.front(), "Invalid qos specification", at(7200));
  LoopCounts counts;
  counts.main_starts = 3;
  counts.event_fingerprint = 0x1234;
  counts.schedule_fingerprint = 0x5678;
  recorder.run_ended(*small.cluster, at(7200), counts);
  return recorder.take(true);
}

}  // namespace rehearse::test
