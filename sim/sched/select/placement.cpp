// sim/sched/select/placement.cpp — the steps of a placement test, each a choice with its own free
// cores.
#include "sim/sched/select/placement.hpp"

#include <algorithm>

#include "sim/sched/select/distribution.hpp"
#include "sim/sched/select/most_leaves.hpp"

namespace rehearse {
namespace {

/// The order in which cores of lower tiers are spared: of equal tier as they are listed.
std::vector<PartitionId> by_falling_tier(const IdVector<PartitionId, Partition>& partitions) {
  std::vector<PartitionId> order;
  for (const Partition& each : partitions) order.push_back(each.id);
  std::stable_sort(order.begin(), order.end(), [&](PartitionId a, PartitionId b) {
    return partitions[a].conf.priority_tier > partitions[b].conf.priority_tier;
  });
  return order;
}

}  // namespace

Placement::Placement(const SelectContext& context, Offers& offers, const PlacementQuery& query,
                     const PreparedRequest& prepared)
    : context_(context),
      offers_(offers),
      query_(query),
      prepared_(prepared),
      request_(&prepared.ruled.request),
      gang_(context.conf.preempt_gang) {
  settle_counts();
}

/// Node counts of the query and of the rules together (scheduling.md §6.4, preparation).
void Placement::settle_counts() {
  const EffectiveRequest& request = *request_;
  const RuledNodeCounts range = ruled_node_counts(request, {query_.min_nodes, query_.max_nodes});
  wish_.min_nodes = range.min;
  wish_.max_nodes = range.max;
  wish_.req_nodes = std::min(query_.req_nodes, wish_.max_nodes);
  wish_.required = prepared_.required;
  wish_.without_jobs = query_.without_jobs;
  // With -O the CPUs of its tasks, and nodes for them, are not asked (scheduling.md §6.4).
  const bool is_serial = request.overcommit ? wish_.req_nodes == 1
                                            : request.cpus_per_task <= 1 && wish_.min_nodes == 1;
  wish_.serial_at_end = packs_at_end() && query_.request.min_cpus == 1 && is_serial &&
                        !(request.whole_nodes && is_cons_res());
  const bool by_switches = !context_.conf.topo_optional || query_.request.switches.has_value();
  const bool is_linear = context_.conf.select_type == SelectType::Linear;
  const bool preempts = context_.conf.preempt_mode != PreemptMode::Off;
  wish_.in_order = is_linear && !query_.future;
  wish_.weighs = !(is_linear && query_.future);
  wish_.linear_sets = wish_.in_order && preempts && context_.topology == nullptr;
  // Of nodes with alternative features select/linear takes the first, whatever their switches.
  const bool by_index = wish_.in_order && prepared_.alternatives.size() > 1;
  wish_.topology = by_switches && !by_index ? context_.topology : nullptr;
}

Scene Placement::scene() const {
  const SelectTypeParameters& parameters =
      query_.partition.conf.select_type_parameters.value_or(context_.conf.select_type_parameters);
  const ConsumableUnit unit =
      context_.conf.select_type == SelectType::Linear ? ConsumableUnit::Core : parameters.unit;
  return Scene{context_.nodes,
               query_.ledger,
               *request_,
               query_.partition.id,
               unit,
               context_.version,
               wish_.max_nodes,
               query_.ignore_use,
               query_.future,
               query_.on_copy,
               query_.first,
               query_.preferred,
               query_.weights,
               is_cons_res(),
               is_cons_res() && wish_.serial_at_end && request_->overcommit,
               query_.reserved_cores};
}

std::optional<Allocation> Placement::place() {
  layout_ = Layout::Made;
  if (!try_alternatives()) return std::nullopt;
  return std::move(allocation_);
}

std::optional<NodeSet> Placement::choose() {
  // Cores and memory were counted; devices beside the chosen cores can still be short.
  layout_ = request_->gres.empty() || query_.ignore_use ? Layout::Unasked : Layout::Exists;
  if (!try_alternatives()) return std::nullopt;
  return taken_nodes();
}

/// Those of the last step.
NodeSet Placement::taken_nodes() const {
  NodeSet taken(context_.nodes.size());
  for (const TakenNode& node : taken_) taken.set(index_of(offers_.nodes[node.offer].node));
  return taken;
}

bool Placement::try_alternatives() {
  if (prepared_.ruled.refusal || !prepared_.known || request_->tasks_part_unevenly) return false;
  const NodeSet usable = query_.candidates & prepared_.configured;
  if (prepared_.required.any() && !prepared_.required.is_subset_of(usable)) return false;
  if (!prepared_.counts.empty()) return try_counted(usable);
  for (const NodeSet& alternative : prepared_.alternatives) {
    if (try_nodes(usable & alternative)) return true;
  }
  return false;
}

/// Counts: nodes for each term one after the other, the rest from any node (§5.4).
bool Placement::try_counted(const NodeSet& nodes) {
  const Wish whole = wish_;
  const Layout asked = layout_;
  EffectiveRequest part = *request_;
  part.num_tasks = 0;
  for (EffectiveGres& gres : part.gres) gres.per_job = 0;
  std::erase_if(part.gres, [](const EffectiveGres& gres) {
    return gres.per_node + gres.per_socket + gres.per_task == 0;
  });
  part.per_job_gres = false;
  NodeSet chosen = prepared_.required.none() ? NodeSet(nodes.size()) : prepared_.required;
  for (const FeatureExpression::Counted& term : prepared_.counts) {
    const NodeSet among = (nodes & term.nodes) - chosen;
    part.min_nodes = term.count;
    part.min_cpus = term.count * part.pn_min_cpus;
    wish_ = whole;
    wish_.min_nodes = wish_.max_nodes = wish_.req_nodes = term.count;
    // One node with a feature is looked for as for a serial job (§6.4).
    wish_.serial_at_end = packs_at_end() && part.min_cpus == 1;
    wish_.required = NodeSet{};
    request_ = &part;
    layout_ = Layout::Unasked;
    const bool found = try_nodes(among);
    if (found) refused_cpus_ = cpus_of_taken();
    request_ = &prepared_.ruled.request;
    if (!found) return false;
    chosen |= taken_nodes();
  }
  wish_ = whole;
  wish_.required = chosen;
  layout_ = asked;
  return try_nodes(nodes);
}

bool Placement::try_nodes(const NodeSet& nodes) {
  if (nodes.count() < wish_.min_nodes) return false;
  const bool memory_only = scene().unit == ConsumableUnit::None;
  const CoreView all{CoreView::Kind::All, {}, {}, {}, 0};
  const bool has_one_step = query_.ignore_use || memory_only;
  if (!has_one_step && prepared_.ruled.request.tests_all_cores_first && !could_fit(nodes, all)) {
    return false;
  }
  if (!has_one_step && !could_be_in_leaves(nodes, all)) return false;
  if (try_step(nodes, has_one_step ? all : CoreView{})) return true;
  const bool shares = query_.ledger.shares_cores() && (request_->shares_cores || gang_);
  if (has_one_step || !shares) return false;
  return try_shared(nodes);
}

/// A test that another one must pass; it lays nothing out.
bool Placement::could_fit(const NodeSet& nodes, const CoreView& view) {
  const Layout asked = layout_;
  layout_ = Layout::Unasked;
  const bool fits = try_step(nodes, view);
  layout_ = asked;
  return fits;
}

/// --switches is heeded where all cores are there, too (§6.6).
bool Placement::could_be_in_leaves(const NodeSet& nodes, const CoreView& all) {
  const auto most = most_leaves(query_, *request_, context_);
  const bool counts_in_all = context_.conf.select_type == SelectType::ConsTres;
  if (!most || !counts_in_all || request_ != &prepared_.ruled.request) return true;
  return could_fit(nodes, all) && count_leaves(context_.topology, taken_nodes()) <= *most;
}

/// Partitions whose jobs the job may not push aside, with preempt/partition_prio (step 2); its own,
/// too, where PreemptMode=OFF.
std::vector<PartitionId> Placement::out_of_reach() const {
  std::vector<PartitionId> avoided;
  if (context_.conf.preempt_type != PreemptType::PartitionPrio) return avoided;
  for (const Partition& partition : context_.partitions) {
    if (partition.id == query_.partition.id) {
      const bool is_off = partition.conf.preempt_mode == PreemptMode::Off;
      if (is_off && !partition.conf.shares_though_off) avoided.push_back(partition.id);
      continue;
    }
    const bool higher = partition.conf.priority_tier > query_.partition.conf.priority_tier;
    const PreemptMode mode = partition.conf.preempt_mode.value_or(context_.conf.preempt_mode);
    if (higher || mode == PreemptMode::Off) avoided.push_back(partition.id);
  }
  return avoided;
}

/// With preempt/qos there is one row more, for a preemptor that may share cores; a job that may not
/// sees the first row only (§6.3 step 4).
std::size_t Placement::open_rows(const CoreRows& rows) const {
  if (context_.conf.preempt_type != PreemptType::Qos) return rows.limit();
  if (!request_->shares_cores) return 1;
  return rows.limit() + (query_.extra_row ? 1 : 0);
}

/// Steps 2 to 4: fewer and fewer cores of others are avoided, then rows are shared.
bool Placement::try_shared(const NodeSet& nodes) {
  CoreView reach{CoreView::Kind::Beside, out_of_reach(), query_.partition.id, {}, 0};
  if (!could_fit(nodes, reach)) return false;
  reach.overlaid = reach.avoided.size();
  CoreView view = reach;
  const std::uint16_t tier = static_cast<std::uint16_t>(query_.partition.conf.priority_tier);
  const auto avoids = [&](PartitionId id) {
    return std::find(view.avoided.begin(), view.avoided.end(), id) != view.avoided.end();
  };
  for (const Partition& other : context_.partitions) {
    if (other.conf.priority_tier == tier && !avoids(other.id)) view.avoided.push_back(other.id);
  }
  if (try_step(nodes, view)) {
    for (const PartitionId other : by_falling_tier(context_.partitions)) {
      if (context_.partitions[other].conf.priority_tier >= tier || avoids(other)) continue;
      CoreView narrower = view;
      narrower.avoided.push_back(other);
      if (!could_fit(nodes, narrower)) break;
      view = std::move(narrower);
    }
    return try_step(nodes, view);
  }
  const CoreRows& rows = query_.ledger.rows(query_.partition.id);
  const std::size_t open = std::min(rows.size() + 1, open_rows(rows));
  for (std::size_t row = 0; row < open; ++row) {
    view = reach;
    view.row = row;
    if (try_step(nodes, view)) return true;
  }
  return false;
}

/// An --exclusive job holds the node in a partition that shares no cores, and of no lower tier.
bool Placement::is_kept_alone(const Node& node) const {
  const CoreSet all = node.usable_cores();
  return std::any_of(context_.partitions.begin(), context_.partitions.end(),
                     [&](const Partition& other) {
                       const CoreRows& rows = query_.ledger.rows(other.id);
                       return other.conf.priority_tier >= query_.partition.conf.priority_tier &&
                              rows.limit() <= 1 && rows.held(node.id) == all;
                     });
}

/// A job that takes whole nodes takes none where another holds a device (§5.3): devices know no
/// rows.
bool Placement::holds_devices(const Node& node) const {
  for (std::size_t i = 0; i < node.gres.size(); ++i) {
    if (node.gres[i].no_consume) continue;
    if (query_.ledger.free_units(node.id, i) < node.gres[i].total) return true;
  }
  return false;
}

/// Whole nodes need nodes without jobs; core-sharing and other jobs do not mix (§5.3).
bool Placement::may_share_node(const Node& node, const CoreView& view) const {
  if (view.kind == CoreView::Kind::All && query_.ignore_use) return true;
  const NodeUse& use = query_.ledger.use(node.id);
  // The devices of who is suspended are held beside free cores.
  if (use.jobs == 0) return !request_->whole_nodes || !holds_devices(node);
  if (request_->reserves_nodes || use.reserving_jobs > 0) return false;
  if (view.kind != CoreView::Kind::Beside && (request_->whole_nodes || use.exclusive_jobs > 0)) {
    return false;
  }
  if (view.kind == CoreView::Kind::Beside && request_->whole_nodes &&
      (!view.is_whole(query_.ledger, node) || holds_devices(node))) {
    return false;
  }
  if (view.kind == CoreView::Kind::Beside && use.exclusive_jobs > 0 && is_kept_alone(node)) {
    return false;
  }
  if (request_->shares_cores) return use.sharing_jobs == use.jobs;
  if (!query_.ledger.keeps_apart()) return true;
  return std::none_of(
      context_.partitions.begin(), context_.partitions.end(), [&](const Partition& other) {
        return other.id != query_.partition.id && query_.ledger.is_kept_by(other.id, node.id);
      });
}

/// What nodes offer is told by what is held of them, and so is whether the job may come to it. A
/// counted term asks for something else than the request does.
bool Placement::recalls(const CoreView& view) const {
  return memo_ != nullptr && request_ == &prepared_.ruled.request && !request_->core_spec &&
         view.kind != CoreView::Kind::Beside && !query_.ignore_use;
}

CoreSet Placement::free_cores(const CoreView& view, const Node& node) const {
  CoreSet cores = request_->core_spec ? whole_node(*request_, node)  // of one without jobs
                                      : view.free(query_.ledger, node);
  if (query_.reserved_cores == nullptr) return cores;
  const auto kept = query_.reserved_cores->find(node.id);
  if (kept != query_.reserved_cores->end()) cores -= kept->second;
  return cores;
}

bool Placement::offer_as_last(const Step& step, const Node& node) {
  const bool offered = memo_->offer_as_last(step.test, node, offers_);
  if (!offered && step.marks) mark_held_as_last(step.test, node);
  return offered;
}

bool Placement::offer(const Step& step, const Node& node) {
  const auto& [test, view, recalls, marks] = step;
  if (recalls) {
    // Neighbours often look the same.
    if (memo_->is_as_last(query_.ledger, node.id)) return offer_as_last(step, node);
    if (memo_->covers(test, node)) {
      if (!memo_->knows(test, query_.job.request, node, view.kind == CoreView::Kind::All)) {
        query_.complete(node.id);
        const bool may_come = may_share_node(node, view);
        memo_->learn(test, node, may_come ? view.free(query_.ledger, node) : CoreSet{});
      }
      return offer_as_last(step, node);
    }
  }
  query_.complete(node.id);
  const bool may_come = may_share_node(node, view);
  const CoreSet cores = may_come ? free_cores(view, node) : CoreSet{};
  const bool offered = !cores.none() && offer_node(test, node, cores, offers_);
  if (!offered && marks) mark_held(test, node);
  return offered;
}

bool Placement::try_step(const NodeSet& nodes, const CoreView& view) {
  Scene test = scene();
  test.all_cores = view.kind == CoreView::Kind::All;
  view_ = &view;
  offers_.clear();
  if (memo_ != nullptr) memo_->begin();
  const Step step{test, view, recalls(view), view.kind == CoreView::Kind::Unheld && leaves_marks()};
  for_each_bit(nodes, [&](std::size_t i) {
    const Node& node = context_.nodes[id_at<NodeId>(i)];
    if (!offer(step, node)) return;
    if (request_->whole_nodes && request_->max_cpus &&
        offers_.nodes.back().cpus > *request_->max_cpus) {
      offers_.nodes.pop_back();
    }
  });
  if (test.weights != nullptr && are_let_in(test, nodes)) test.weights->note_near(offers_.near);
  taken_ = choose_nodes(test, offers_, wish_);
  if (taken_.empty()) return false;
  return has_layout(test);
}

}  // namespace rehearse
