// The partial game tree of one mind: nodes, edges, states and the transposition table.
//
// A node exists for every state that was met: expanded (it has edges), terminal, or a leaf. Labels
// live on edges, as in the paper; what a search keeps per node is its NodeLabel. Nothing is moved
// or freed before clear(), so pointers and ids stay valid for a whole match.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "base/arena.h"
#include "base/key_table.h"
#include "games/rules.h"

namespace athenan {

using NodeId = KeyTable::Id;
constexpr NodeId no_node = KeyTable::none;

enum class Kind : std::uint8_t { leaf, terminal, expanded };

template <class Edge, class NodeLabel>
class Tree {
 public:
  struct Node {
    std::uint64_t key = 0;
    Edge* edges = nullptr;
    std::byte* state = nullptr;  // stored for expanded nodes, and terminal ones on request
    std::uint32_t edge_count = 0;
    Kind kind = Kind::leaf;
    std::uint8_t to_move = 0;  // known once expanded
    NodeLabel label{};

    Edge* begin() { return edges; }
    Edge* end() { return edges + edge_count; }
    const Edge* begin() const { return edges; }
    const Edge* end() const { return edges + edge_count; }
  };

  // Without transpositions every path has its own nodes and find() never finds.
  explicit Tree(bool transpositions) : transpositions_(transpositions) {}

  std::size_t size() const { return size_; }
  Node& node(NodeId id) { return chunks_[id / chunk_nodes][id % chunk_nodes]; }
  const Node& node(NodeId id) const { return chunks_[id / chunk_nodes][id % chunk_nodes]; }

  void prefetch(std::uint64_t key) const {
    if (transpositions_) table_.prefetch(key);
  }
  NodeId find(std::uint64_t key) const {
    if (!transpositions_) return no_node;
    return table_.find(key, [&](NodeId id) { return node(id).key == key; });
  }

  NodeId add(std::uint64_t key) {
    if (size_ % chunk_nodes == 0 && size_ / chunk_nodes == chunks_.size())
      chunks_.push_back(std::make_unique<Node[]>(chunk_nodes));
    const auto id = static_cast<NodeId>(size_++);
    node(id) = Node{};
    node(id).key = key;
    if (transpositions_) table_.insert(key, id, size_);
    return id;
  }

  void store_state(NodeId id, const std::byte* state, std::size_t size) {
    node(id).state = states_.allocate(size);
    std::memcpy(node(id).state, state, size);
  }

  Edge* add_edges(NodeId id, std::size_t count) {
    Node& owner = node(id);
    owner.edges = new (edges_.allocate(count * sizeof(Edge))) Edge[count]{};
    owner.edge_count = static_cast<std::uint32_t>(count);
    return owner.edges;
  }
  // Takes them away again: the node is a leaf. Their memory is free at clear().
  void remove_edges(NodeId id) {
    node(id).kind = Kind::leaf;
    node(id).edges = nullptr;
    node(id).edge_count = 0;
  }

  // Empties the tree and keeps its memory.
  void clear() {
    size_ = 0;
    edges_.clear();
    states_.clear();
    table_.clear();
  }

  // Bytes held by the tree.
  std::size_t bytes() const {
    return chunks_.size() * chunk_nodes * sizeof(Node) + table_.bytes() + edges_.reserved() +
           states_.reserved();
  }
  // By how much bytes() may grow, at its peak, for expanding one state into `children` new ones.
  std::size_t growth_for(std::size_t children, std::size_t state_size) const {
    std::size_t growth =
        edges_.growth_for(children * sizeof(Edge)) + states_.growth_for(state_size);
    if (size_ + children > chunks_.size() * chunk_nodes)
      growth += (1 + children / chunk_nodes) * chunk_nodes * sizeof(Node);
    return transpositions_ ? growth + table_.growth_for(size_ + children) : growth;
  }

 private:
  static constexpr std::size_t chunk_nodes = 256;

  bool transpositions_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<Node[]>> chunks_;
  KeyTable table_;
  Arena edges_, states_;
};

}  // namespace athenan
