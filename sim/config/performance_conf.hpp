// sim/config/performance_conf.hpp — the section `performance` of site.yaml: what jobs do with
// GPUs, and what sharing one costs. Every key, unit, range and default: configs/reference.yaml.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class ConfigNode;

/// Neutral unless the section is there: run times are those of the trace, on whatever device.
struct PerformanceConf {
  bool enabled = false;     ///< the section is there
  std::string recorded_on;  ///< GPU type of the recorded run times, where the trace has none
  double interference = 1;  ///< scales what neighbours cost
  std::string shard = "pairwise_sum", mps = "mps";  ///< models of sharing (models/runtime)
  double fixed_penalty = 0.15;                      ///< of the model of that name
  bool memory_fails = true;  ///< what wants more device memory than there is, fails
  Duration out_of_memory_after{60'000'000};
  std::uint64_t context_mib = 0;  ///< device memory of each process of a time-sliced GPU
  std::string default_class = "medium";
  SourcePosition default_class_where, recorded_on_where;

  /// Figures of a GPU type or MIG type, as gres.conf names it.
  struct Device {
    std::string type;
    std::uint64_t sms = 0;      ///< 0: not known
    double bandwidth_gb_s = 0;  ///< 0: not known
    std::uint64_t memory_mib = 0;
    double sm_speed = 1;  ///< of one SM, by generation
    SourcePosition where;
  };
  std::vector<Device> devices;

  struct JobClass {
    std::string name, preset, measured_on;
    std::optional<double> h, c, b, u, w;
    std::optional<std::uint64_t> memory_mib;
    std::map<std::string, double> speed;  ///< by GPU type: throughput, against each other
    SourcePosition where;
  };
  std::vector<JobClass> classes;

  /// The first that fits a job gives it its class. Empty: any.
  struct Rule {
    std::string job_class, user, account, partition, qos, name, wckey, gpu_type;
    SourcePosition where;
  };
  std::vector<Rule> rules;
};

/// Reads the section of `parent` into `conf`: what is not there stays, lists replace lists.
void read_performance(ConfigNode& parent, PerformanceConf& conf);

}  // namespace rehearse
