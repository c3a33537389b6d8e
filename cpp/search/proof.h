// How long a proven win takes: the plies to the end of a match that a tree has resolved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "search/tree.h"

namespace athenan {

// After how many plies, of both players, the match is over at the latest if the side with the
// proven win follows the shortest way that the tree has proven, whatever the other side plays. It
// is no less than the length of the shortest win of all, which may lie where the search never
// looked. Unknown for a state without a proven winner, and where the proof rests on states outside
// the tree, such as those of a memory of resolved states.
template <class Nodes>
class ProofLengths {
 public:
  using Length = std::optional<std::uint32_t>;

  explicit ProofLengths(const Nodes& tree) : tree_(tree) {}

  Length operator()(NodeId root) {
    if (!has_winner(root)) return {};
    // Children come before their parents, without recursion: proofs are as deep as matches.
    std::vector<NodeId> open{root};
    while (!open.empty()) {
      const NodeId id = open.back();
      const auto [found, is_new] = known_.try_emplace(id);
      if (is_new)
        for (const auto& edge : tree_.node(id)) {
          if (matters(id, edge.child) && !known_.count(edge.child)) open.push_back(edge.child);
        }
      else if (!found->second.done)
        known_[id] = {true, length_of(id)};
      if (!is_new) open.pop_back();
    }
    return known_[root].length;
  }

 private:
  struct Entry {
    bool done = false;  // if not, its children come first
    Length length;
  };

  bool has_winner(NodeId id) const {
    return id != no_node && tree_.node(id).label.resolved && tree_.node(id).label.completion != 0;
  }
  // Of the winner's moves those that keep the proven win count, of the loser's all.
  bool matters(NodeId parent, NodeId child) const {
    return has_winner(child) &&
           tree_.node(child).label.completion == tree_.node(parent).label.completion;
  }
  Length length_of(NodeId id) const {
    const auto& s = tree_.node(id);
    if (s.kind == Kind::terminal) return 0;
    const bool wins = s.label.completion == (s.to_move == 0 ? 1 : -1);
    Length found;
    for (const auto& edge : s) {
      const Length below = matters(id, edge.child) ? known_.at(edge.child).length : Length{};
      if (!below && !wins) return {};
      if (!below) continue;
      found = !found ? *below + 1
              : wins ? std::min(*found, *below + 1)
                     : std::max(*found, *below + 1);
    }
    return found;
  }

  const Nodes& tree_;
  std::unordered_map<NodeId, Entry> known_;
};

}  // namespace athenan
