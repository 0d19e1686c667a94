// tests/unit/sched/ask_request.cpp — sbatch's words to a Request, enough for these tests.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "tests/unit/sched/ask_request.hpp"

namespace rehearse::test {
namespace {

std::uint32_t number(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text));
}

/// What the client knows before it maps counts.
struct Client {
  std::optional<std::uint32_t> tasks, min_nodes, max_nodes;
};

void add_gres(std::vector<GresRequest>& gres, NamePool& names, const std::string& text,
              std::uint64_t GresRequest::*count) {
  std::stringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ',');) {
    std::vector<std::string> words;
    std::stringstream parts(entry);
    for (std::string word; std::getline(parts, word, ':');) words.push_back(word);
    const bool counted = words.back().find_first_not_of("0123456789") == std::string::npos;
    const std::uint64_t units = counted ? std::stoull(words.back()) : 1;
    if (counted) words.pop_back();
    const NameId name = names.intern(words.at(0));
    const NameId type = words.size() > 1 ? names.intern(words[1]) : kNoName;
    auto at = std::find_if(gres.begin(), gres.end(), [&](const GresRequest& one) {
      return one.name == name && one.type == type;
    });
    if (at == gres.end()) {
      gres.emplace_back();
      at = gres.end() - 1;
      at->name = name;
      at->type = type;
    }
    (*at).*count = units;
  }
}

void add_names(std::vector<NameId>& list, NamePool& names, const std::string& text) {
  std::stringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ',');) list.push_back(names.intern(entry));
}

bool read_count(const std::string& key, const std::string& value, Request& request,
                Client& client) {
  if (key == "-n")
    client.tasks = number(value);
  else if (key == "-c")
    request.cpus_per_task = static_cast<std::uint16_t>(number(value));
  else if (key == "-N") {
    const std::size_t dash = value.find('-');
    client.min_nodes = number(value.substr(0, dash));
    client.max_nodes =
        dash == std::string::npos ? client.min_nodes : number(value.substr(dash + 1));
  } else if (key == "--ntasks-per-node") {
    request.ntasks_per_node = static_cast<std::uint16_t>(number(value));
  } else if (key == "--ntasks-per-socket") {
    request.ntasks_per_socket = static_cast<std::uint16_t>(number(value));
  } else if (key == "--ntasks-per-core") {
    request.ntasks_per_core = static_cast<std::uint16_t>(number(value));
  } else if (key == "--sockets-per-node") {
    request.sockets_per_node = static_cast<std::uint16_t>(number(value));
  } else if (key == "--cores-per-socket") {
    request.cores_per_socket = static_cast<std::uint16_t>(number(value));
  } else if (key == "--threads-per-core") {
    request.threads_per_core = static_cast<std::uint16_t>(number(value));
  } else if (key == "--cpus-per-gpu") {
    request.cpus_per_gpu = number(value);
  } else {
    return false;
  }
  return true;
}

bool read_flag(const std::string& key, const std::string& value, Request& request) {
  if (key == "--exclusive")
    request.exclusive = ExclusiveRequest::Exclusive;
  else if (key == "--oversubscribe")
    request.oversubscribe = true;
  else if (key == "--overcommit")
    request.overcommit = true;
  else if (key == "--contiguous")
    request.contiguous = true;
  else if (key == "--spread-job")
    request.spread = true;
  else if (key == "--use-min-nodes")
    request.use_min_nodes = true;
  else if (key == "--hint")
    request.nomultithread = value == "nomultithread";
  else if (key == "--gres-flags")
    request.enforce_binding = value == "enforce-binding";
  else if (key == "-m")
    request.distribution_block = value == "block:block";
  else
    return false;
  return true;
}

bool read_memory(const std::string& key, const std::string& value, Request& request) {
  if (key == "--mem")
    request.memory_mode = MemoryMode::PerNode;
  else if (key == "--mem-per-cpu")
    request.memory_mode = MemoryMode::PerCpu;
  else if (key == "--mem-per-gpu")
    request.memory_mode = MemoryMode::PerGpu;
  else
    return false;
  request.memory_mib = number(value);
  return true;
}

void map_counts(const Client& client, Request& request) {
  const std::uint32_t c = request.cpus_per_task.value_or(1);
  request.num_tasks = client.tasks;
  request.min_nodes = client.min_nodes.value_or(1);
  request.max_nodes = client.max_nodes;
  if (client.tasks) {
    request.min_nodes = std::min(request.min_nodes, *client.tasks);
    if (request.max_nodes) request.max_nodes = std::min(*request.max_nodes, *client.tasks);
  } else if (client.min_nodes && request.ntasks_per_node > 0) {
    request.num_tasks = request.min_nodes * request.ntasks_per_node;
  } else if (client.min_nodes && client.min_nodes == client.max_nodes) {
    const auto one_at_least = [](std::uint32_t parts) { return std::max(parts, 1U); };
    const std::uint32_t parts = one_at_least(request.sockets_per_node) *
                                one_at_least(request.cores_per_socket) *
                                one_at_least(request.threads_per_core);
    if (parts > 1) request.num_tasks = request.min_nodes * parts;
  }
  request.min_cpus = request.num_tasks.value_or(request.min_nodes) * c;
  request.pn_min_cpus = c;
}

}  // namespace

Request ask_request(std::string_view options, NamePool& names) {
  Request request;
  Client client;
  std::uint64_t per_gpu = 0;
  std::stringstream words{std::string(options)};
  for (std::string word; words >> word;) {
    std::string key = word;
    std::string value;
    if (word.rfind("--", 0) == 0) {
      const std::size_t equals = word.find('=');
      key = word.substr(0, equals);
      if (equals != std::string::npos) value = word.substr(equals + 1);
    } else {
      key = word.substr(0, 2);
      value = word.substr(2);
      if (value.empty()) words >> value;
    }
    if (read_count(key, value, request, client) || read_flag(key, value, request) ||
        read_memory(key, value, request)) {
      continue;
    }
    const auto gpu = [&] { return value.find("gpu") == 0 ? value : "gpu:" + value; };
    if (key == "--gres")
      add_gres(request.gres, names, value, &GresRequest::per_node);
    else if (key == "--gpus")
      add_gres(request.gres, names, gpu(), &GresRequest::per_job);
    else if (key == "--gpus-per-node")
      add_gres(request.gres, names, gpu(), &GresRequest::per_node);
    else if (key == "--gpus-per-task")
      add_gres(request.gres, names, gpu(), &GresRequest::per_task);
    else if (key == "--gpus-per-socket")
      add_gres(request.gres, names, gpu(), &GresRequest::per_socket);
    else if (key == "--ntasks-per-gpu")
      per_gpu = number(value);
    else if (key == "-C")
      request.features = names.intern(value);
    else if (key == "--prefer")
      request.prefer = names.intern(value);
    else if (key == "-w")
      add_names(request.required_nodes, names, value);
    else if (key == "-L")
      request.licenses.push_back({names.intern(value)});
    else if (key == "-x")
      add_names(request.excluded_nodes, names, value);
    else
      throw std::invalid_argument("unknown option " + word);
  }
  if (per_gpu > 0) {
    if (request.gres.empty()) request.gres.push_back({names.intern("gpu"), kNoName, 0, 0, 0, 0, 0});
    for (GresRequest& gres : request.gres) gres.ntasks_per_gres = per_gpu;
  }
  map_counts(client, request);
  request.min_nodes = std::max<std::uint32_t>(
      request.min_nodes, static_cast<std::uint32_t>(request.required_nodes.size()));
  return request;
}

}  // namespace rehearse::test
