// The best-first minimax searches: Descent, UBFM and safe UBFM, each with or without completion.
// One core; the algorithms differ in where an iteration ends and in how the move is decided.
#pragma once

#include <string>
#include <vector>

#include "search/decision.h"
#include "search/tree_search.h"

namespace athenan {

enum class IterationEnd : std::uint8_t { terminal, expansion };  // Descent, UBFM

struct BestFirstConfig {
  IterationEnd iteration_end = IterationEnd::terminal;
  Decision decision = best_action;
  bool completion = true;
  // Who takes a proven draw over an unproven chance: index 0 the first player, 1 the second.
  bool prefers_draw[2] = {false, false};
  bool transpositions = true;
  bool reuse = true;        // at expansion a child that is expanded elsewhere takes its labels
  bool early_stop = false;  // Korf and Chickering: go on below the first unchanged ancestor
};

// v(s,a), c(s,a), r(s,a), n(s,a).
struct BestFirstEdge {
  Move move = 0;
  NodeId child = no_node;
  float value = 0;
  std::uint32_t count = 0;
  std::int8_t completion = 0;
  std::uint8_t resolved = 0;
};

// v(s), c(s), r(s); f_θ(s) where it was asked for.
struct BestFirstLabel {
  float value = 0;
  float evaluation = 0;
  std::int8_t completion = 0;
  std::uint8_t resolved = 0;
  bool evaluated = false;
  bool waiting = false;
};

class BestFirst final : public TreeSearch<BestFirstEdge, BestFirstLabel> {
 public:
  BestFirst(SearchSettings settings, BestFirstConfig config);

  float root_value() const override { return node(root_).label.value; }
  Move decide() override;
  bool root_resolved() const override { return node(root_).label.resolved; }
  std::int8_t root_completion() const override { return node(root_).label.completion; }
  std::vector<Move> principal_variation() const override;
  const std::vector<Resolved>& newly_resolved() const override { return newly_resolved_; }

 private:
  using Edge = BestFirstEdge;
  using NodeLabel = BestFirstLabel;

  struct Step {
    NodeId node;
    std::uint32_t edge;
    bool is_new;  // expanded by this iteration
  };

  MoveLabel label_of(const Node&, const Edge& e) const override {
    return {e.move, e.value, e.completion, e.resolved, e.count};
  }
  float value_of(const Node& s) const override { return s.label.value; }
  void label_terminal(Node& child, float value, Result result) override;
  void label_new(Node& child) override;
  void meet_terminal_again(Node& child, const std::byte* state, Result result) override;
  bool wants_value(Node& child) override;

  void clear() override;
  void set_root(const std::byte* root) override;
  void work() override;
  void take_values(const float* values, const float* logits) override;

  bool search_is_over();
  void descend();
  void expand_current();
  void finish_expansion();
  void label_edge(Edge& edge);
  void end_iteration();
  // The two choices of the paper: the move to follow, and the labels to hand up.
  std::uint32_t completed_best_action_dual(const Node& s);
  bool update(Node& s);
  std::uint32_t preferred_edge(const Node& s) const;
  // Where no table merges states: the node of a state some plies below another one.
  NodeId find_below(NodeId from, std::uint64_t key, int plies) const;

  BestFirstConfig config_;
  NodeId current_ = no_node;  // where the iteration stands
  std::vector<Step> path_;    // from the root to current_
  std::vector<Resolved> newly_resolved_;
  bool in_iteration_ = false;
  bool expanded_ = false;        // this iteration expanded a state
  bool current_is_new_ = false;  // namely current_
  bool tie_ = false;             // some state on this iteration's path had several best moves
  std::uint32_t idle_iterations_ = 0;
};

}  // namespace athenan
