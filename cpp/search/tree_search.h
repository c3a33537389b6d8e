// What the searches on a tree share, whatever labels they keep: the root, the expansion of a state,
// the memory cap, and what is read off the tree afterwards.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "search/search.h"
#include "search/tree.h"

namespace athenan {

template <class Edge, class NodeLabel>
class TreeSearch : public Search {
 public:
  using Nodes = Tree<Edge, NodeLabel>;
  using Node = typename Nodes::Node;

  bool has_moves() const override { return root_ != no_node && node(root_).kind == Kind::expanded; }
  std::vector<MoveLabel> root_moves() const override { return labels_of(node(root_)); }
  std::vector<Move> principal_variation() const override { return line_from(root_, {}); }
  std::vector<Move> line_after(Move move) const override {
    for (const Edge& edge : node(root_))
      if (edge.move == move) return line_from(edge.child, {move});
    return {move};
  }
  std::vector<MoveLabel> labels_after(const std::vector<Move>& moves) const override {
    const NodeId at = node_after(moves);
    return at != no_node ? labels_of(node(at)) : std::vector<MoveLabel>{};
  }
  std::vector<StateLabels> all_labels() const override {
    std::vector<StateLabels> out;
    for (NodeId id = 0; id < tree_.size(); ++id)
      if (node(id).kind == Kind::expanded) out.push_back({node(id).key, labels_of(node(id))});
    return out;
  }
  void collect_targets(Targets& out, bool with_moves) const override {
    for (NodeId id = 0; id < tree_.size(); ++id) {
      const Node& s = node(id);
      if (s.kind == Kind::leaf || !s.state || !is_valued(s)) continue;
      out.states.insert(out.states.end(), s.state, s.state + game().packed_size());
      out.values.push_back(value_of(s));
      if (!with_moves) continue;
      for (const Edge& edge : s) {
        if (!is_known(edge)) continue;
        out.moves.numbers.push_back(edge.move);
        out.moves.targets.push_back(label_of(s, edge).value);
      }
      out.moves.end_state();
    }
  }
  std::size_t node_count() const override { return tree_.size(); }
  std::size_t tree_bytes() const override { return tree_.bytes(); }

 protected:
  TreeSearch(SearchSettings settings, bool transpositions)
      : Search(std::move(settings)),
        tree_(transpositions),
        max_plies_(game().datasheet().max_length),
        state_words_(game().state_size() / 8) {}

  virtual MoveLabel label_of(const Node& s, const Edge& edge) const = 0;
  virtual float value_of(const Node& s) const = 0;
  // The edge of an expanded state that both players expect; null if none was tried.
  virtual const Edge* preferred(const Node& s) const = 0;
  // Whether an expanded or terminal state has a value to learn.
  virtual bool is_valued(const Node&) const { return true; }
  // Whether the value of an edge is that of its child, and can be learned as such.
  virtual bool is_known(const Edge&) const { return false; }
  // Edges need not lie in the order of the legal moves; labels do.
  virtual std::size_t index_of(const Node& s, const Edge& edge) const { return &edge - s.edges; }

  // Hooks of expand(): a child's labels when it is new and ended, when it is new and not ended, and
  // when an ended one is met again; and whether a child's evaluation must be asked for.
  virtual void label_terminal(Node&, float, Result) {}
  virtual void label_new(Node&) {}
  virtual void meet_terminal_again(Node&, const std::byte*, Result) {}
  virtual bool wants_value(Node&) { return false; }

  void clear() override {
    tree_.clear();
    root_ = no_node;
    waiting_nodes_.clear();
  }
  void set_root(const std::byte* root) override { place_root(root, tree_.find(key_of(root))); }
  void place_root(const std::byte* root, NodeId known) {
    root_ = known == no_node ? tree_.add(key_of(root)) : known;
    if (!node(root_).state) tree_.store_state(root_, root, game().live_size(root));
  }

  NodeId child_of(NodeId parent, Move move) const {
    if (parent == no_node || node(parent).kind != Kind::expanded) return no_node;
    for (const Edge& edge : node(parent))
      if (edge.move == move) return edge.child;
    return no_node;
  }

  // The node to which these moves lead from the root, if it was expanded.
  NodeId node_after(const std::vector<Move>& moves) const {
    NodeId at = root_;
    for (const Move move : moves) at = child_of(at, move);
    return at != no_node && node(at).kind == Kind::expanded ? at : no_node;
  }

  std::uint64_t key_of(const std::byte* state) const {
    return game().key(state, settings_.terminal_evaluation.needs_ply());
  }
  Node& node(NodeId id) { return tree_.node(id); }
  const Node& node(NodeId id) const { return tree_.node(id); }
  std::byte* state() { return reinterpret_cast<std::byte*>(state_words_.data()); }

  // Puts into state() the state of a node: stored, or one move after its predecessor.
  void load_state(const Node& s, const Node* predecessor, const Edge* edge) {
    if (s.state)
      std::memcpy(state(), s.state, game().live_size(s.state));
    else
      load_child(*predecessor, *edge);
  }
  void load_child(const Node& s, const Edge& edge) {
    std::memcpy(state(), s.state, game().live_size(s.state));
    game().apply(state(), edge.move, s.edge_count);
  }

  // Whether a state and so many children fit under the memory cap; if not, the memory is full.
  bool has_room(std::size_t children) {
    const std::size_t cap = settings_.memory_cap;
    if (cap && tree_.bytes() + tree_.growth_for(children, game().live_size(state())) > cap)
      memory_full_ = true;
    return !memory_full_;
  }

  // Gives the node of state() its edges, each with the node of its child; children that need values
  // join waiting_nodes_. False if the memory cap forbids it: a search that must have this state
  // says so.
  bool expand(NodeId id, bool must) {
    game().expand(state(), expansion_, settings_.terminal_evaluation.needs_ply());
    for (const std::uint64_t key : expansion_.keys) tree_.prefetch(key);
    const std::size_t count = expansion_.moves.size();
    if (!must && !has_room(count)) return false;
    open(id, count);
    Edge* edges = node(id).edges;
    for (std::size_t i = 0; i < count; ++i) {
      edges[i].move = expansion_.moves[i];
      edges[i].child = child_of_expansion(i);
    }
    return true;
  }

  // The child that a move of the state expanded last leads to.
  const std::byte* expanded_child(std::size_t i) const {
    return expansion_.children.data() + i * game().state_size();
  }

  // Stores the state of a node and makes room for its edges.
  void open(NodeId id, std::size_t count) {
    if (count == 0)
      throw Error(game().name() + " has no legal move in a state that was not ended: " +
                  game().position_text(state()));
    if (id == root_ && settings_.memory_cap) check_cap(count);
    if (!node(id).state) tree_.store_state(id, state(), game().live_size(state()));
    tree_.add_edges(id, count);
    node(id).to_move = static_cast<std::uint8_t>(game().to_move(state()));
    spent_.expansions += 1;
  }

  // Without the edges of the root there is no move to play: a cap must leave room for them.
  void check_cap(std::size_t children) const {
    const std::size_t needed = Nodes(true).growth_for(children, game().state_size()),
                      cap = settings_.memory_cap;
    if (needed > cap)
      throw ParameterError("a memory_mb of " + std::to_string(cap >> 20) +
                           " is too little: one state of " + game().name() + " with its " +
                           std::to_string(children) + " moves needs " +
                           std::to_string((needed >> 20) + 1));
  }

  // No path is longer than a match; a longer one goes round in a game that does not say so.
  void check_path(std::size_t plies) const {
    if (plies > max_plies_)
      throw Error("a position of " + game().name() +
                  " comes again, and its datasheet does not say that it is cyclic: " +
                  game().position_text(node(root_).state));
  }

  // A node for a state that has none yet, labelled if the match is over there.
  NodeId new_node(std::uint64_t key, const std::byte* child, Result result) {
    const NodeId id = tree_.add(key);
    Node& added = node(id);
    if (result == Result::ongoing) {
      label_new(added);
      return id;
    }
    added.kind = Kind::terminal;
    label_terminal(added, settings_.terminal_evaluation(game(), child, result), result);
    if (settings_.keep_terminals) tree_.store_state(id, child, game().live_size(child));
    return id;
  }

  Nodes tree_;
  NodeId root_ = no_node;
  std::vector<NodeId> waiting_nodes_;  // the children whose values are waited for

 private:
  NodeId child_of_expansion(std::size_t i) {
    const std::byte* child = expanded_child(i);
    const Result result = expansion_.results[i];
    NodeId id = tree_.find(expansion_.keys[i]);
    if (id == no_node) {
      id = new_node(expansion_.keys[i], child, result);
    } else {
      spent_.transpositions += 1;
      if (result != Result::ongoing) meet_terminal_again(node(id), child, result);
    }
    if (wants_value(node(id))) {
      waiting_nodes_.push_back(id);
      add_waiting(child);
    }
    return id;
  }

  std::vector<Move> line_from(NodeId id, std::vector<Move> line) const {
    while (id != no_node && node(id).kind == Kind::expanded) {  // MCTS makes children late
      const Edge* edge = preferred(node(id));
      if (!edge) break;
      line.push_back(edge->move);
      check_path(line.size());
      id = edge->child;
    }
    return line;
  }

  std::vector<MoveLabel> labels_of(const Node& s) const {
    std::vector<MoveLabel> labels(s.edge_count);
    for (const Edge& edge : s) labels[index_of(s, edge)] = label_of(s, edge);
    return labels;
  }

  std::size_t max_plies_;
  std::vector<std::uint64_t> state_words_;
  Expansion expansion_;
};

}  // namespace athenan
