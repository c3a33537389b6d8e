// The partial game tree of one mind: nodes, edges, states and the transposition table.
//
// A node exists for every state that was met: expanded (it has edges), terminal, or a leaf. Labels
// live on edges, as in the paper; what a search keeps per node is its NodeLabel. Nothing is moved
// or freed before clear(), so pointers and ids stay valid for a whole match.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "base/arena.h"
#include "games/rules.h"

namespace athenan {

using NodeId = std::uint32_t;
constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

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

  NodeId find(std::uint64_t key) const {
    if (!transpositions_ || slots_.empty()) return no_node;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = key & mask;; i = (i + 1) & mask) {
      if (slots_[i].id == no_node) return no_node;
      if (slots_[i].tag == tag_of(key) && node(slots_[i].id).key == key) return slots_[i].id;
    }
  }

  NodeId add(std::uint64_t key) {
    if (size_ % chunk_nodes == 0 && size_ / chunk_nodes == chunks_.size())
      chunks_.push_back(std::make_unique<Node[]>(chunk_nodes));
    const auto id = static_cast<NodeId>(size_++);
    node(id) = Node{};
    node(id).key = key;
    if (transpositions_) insert(key, id);
    return id;
  }

  NodeId find_or_add(std::uint64_t key) {
    const NodeId found = find(key);
    return found == no_node ? add(key) : found;
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

  // Empties the tree and keeps its memory.
  void clear() {
    size_ = 0;
    edges_.clear();
    states_.clear();
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }

  // Bytes held by the tree.
  std::size_t bytes() const {
    return chunks_.size() * chunk_nodes * sizeof(Node) + slots_.capacity() * sizeof(Slot) +
           edges_.reserved() + states_.reserved();
  }
  // By how much bytes() may grow, at its peak, for expanding one state into `children` new ones.
  std::size_t growth_for(std::size_t children, std::size_t state_size) const {
    std::size_t growth =
        edges_.growth_for(children * sizeof(Edge)) + states_.growth_for(state_size);
    if (size_ + children > chunks_.size() * chunk_nodes)
      growth += (1 + children / chunk_nodes) * chunk_nodes * sizeof(Node);
    if (!transpositions_ || !too_full(size_ + children)) return growth;
    std::size_t slots = std::max(slots_.size(), smallest_table / growth_factor);
    do slots *= growth_factor;
    while ((size_ + children) * 3 > slots * 2);
    return growth + slots * sizeof(Slot);
  }

 private:
  static constexpr std::size_t chunk_nodes = 256;
  static constexpr std::size_t smallest_table = 1024;
  static constexpr std::size_t growth_factor = 2;

  struct Slot {
    std::uint32_t tag = 0;
    NodeId id = no_node;
  };

  static std::uint32_t tag_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
  bool too_full(std::size_t nodes) const { return nodes * 3 > slots_.size() * 2; }

  void insert(std::uint64_t key, NodeId id) {
    if (too_full(size_)) grow();
    place({tag_of(key), id}, key);
  }
  void place(Slot slot, std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key & mask;
    while (slots_[i].id != no_node) i = (i + 1) & mask;
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(std::max(slots_.size() * growth_factor, smallest_table));
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.id != no_node) place(slot, node(slot.id).key);
  }

  bool transpositions_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::vector<Slot> slots_;
  Arena edges_, states_;
};

}  // namespace athenan
