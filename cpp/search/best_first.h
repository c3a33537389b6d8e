// The best-first minimax searches: Descent, UBFM and safe UBFM, each with or without completion.
// One core; the algorithms differ in where an iteration ends and in how the move is decided.
#pragma once

#include <string>
#include <vector>

#include "search/search.h"
#include "search/tree.h"

namespace athenan {

enum class IterationEnd : std::uint8_t { terminal, expansion };  // Descent, UBFM
enum class Decision : std::uint8_t { best, safest };

struct BestFirstConfig {
  IterationEnd iteration_end = IterationEnd::terminal;
  Decision decision = Decision::best;
  bool completion = true;
  // Who takes a proven draw over an unproven chance: index 0 the first player, 1 the second.
  bool prefers_draw[2] = {false, false};
  bool transpositions = true;
  bool reuse = true;        // at expansion a child that is expanded elsewhere takes its labels
  bool early_stop = false;  // Korf and Chickering: go on below the first unchanged ancestor
};

class BestFirst final : public Search {
 public:
  BestFirst(SearchSettings settings, BestFirstConfig config);

  std::vector<MoveLabel> root_moves() const override;
  float root_value() const override { return node(root_).label.value; }
  Move decide() override;
  bool root_resolved() const override { return node(root_).label.resolved; }
  std::int8_t root_completion() const override { return node(root_).label.completion; }
  std::vector<Move> principal_variation() const override;
  std::vector<StateLabels> all_labels() const override;
  void collect_targets(Targets& out) const override;
  std::size_t node_count() const override { return tree_.size(); }
  std::size_t tree_bytes() const override { return tree_.bytes(); }
  const std::vector<Resolved>& newly_resolved() const override { return newly_resolved_; }

 private:
  // v(s,a), c(s,a), r(s,a), n(s,a).
  struct Edge {
    Move move = 0;
    NodeId child = no_node;
    float value = 0;
    std::uint32_t count = 0;
    std::int8_t completion = 0;
    std::uint8_t resolved = 0;
  };
  // v(s), c(s), r(s); f_θ(s) where it was asked for.
  struct NodeLabel {
    float value = 0;
    float evaluation = 0;
    std::int8_t completion = 0;
    std::uint8_t resolved = 0;
    bool evaluated = false;
    bool waiting = false;
  };
  using Nodes = Tree<Edge, NodeLabel>;
  using Node = Nodes::Node;

  struct Step {
    NodeId node;
    std::uint32_t edge;
    bool is_new;  // expanded by this iteration
  };

  void clear() override;
  void set_root(const std::byte* root) override;
  void work() override;
  void take_values(const float* values, const float* policies) override;

  Node& node(NodeId id) { return tree_.node(id); }
  const Node& node(NodeId id) const { return tree_.node(id); }

  bool search_is_over();
  void descend();
  void expand(NodeId id);
  NodeId child_of_expansion(std::size_t i);
  void finish_expansion();
  void label_edge(Edge& edge);
  void end_iteration();
  // The two choices of the paper: the move to follow, and the labels to hand up.
  std::uint32_t completed_best_action_dual(const Node& s);
  bool update(Node& s);
  std::uint32_t preferred_edge(const Node& s) const;
  void compute_state(NodeId id, std::byte* out) const;
  // Where no table merges states: the node of a state some plies below another one.
  NodeId find_below(NodeId from, std::uint64_t key, int plies) const;

  BestFirstConfig config_;
  Nodes tree_;
  NodeId root_ = no_node;
  NodeId current_ = no_node;          // where the iteration stands
  std::vector<Step> path_;            // from the root to current_
  std::vector<std::uint64_t> state_;  // scratch: the state being expanded
  Expansion expansion_;
  std::vector<NodeId> waiting_nodes_;
  std::vector<Resolved> newly_resolved_;
  bool in_iteration_ = false;
  bool expanded_ = false;        // this iteration expanded a state
  bool current_is_new_ = false;  // namely current_
  bool tie_ = false;             // some state on this iteration's path had several best moves
  std::uint32_t idle_iterations_ = 0;
};

}  // namespace athenan
