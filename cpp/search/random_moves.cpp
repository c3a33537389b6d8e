// The player without thought: every legal move is equally probable. As a search it needs no tree
// and no values, and it is the smallest example of one.
#include "base/error.h"
#include "search/algorithms.h"

namespace athenan {
namespace {

class RandomMoves final : public Search {
 public:
  using Search::Search;

  bool has_moves() const override { return !moves_.empty(); }
  std::vector<MoveLabel> root_moves() const override {
    std::vector<MoveLabel> labels;
    for (const Move move : moves_) labels.push_back({move, 0, 0, 0, 0});
    return labels;
  }
  float root_value() const override { return 0; }
  Move decide() override {
    return moves_[random_.below(static_cast<std::uint32_t>(moves_.size()))];
  }
  std::vector<Move> principal_variation() const override { return {}; }
  std::vector<StateLabels> all_labels() const override { return {}; }
  void collect_targets(Targets&, bool) const override {}
  std::size_t node_count() const override { return 0; }
  std::size_t tree_bytes() const override { return 0; }

 private:
  void clear() override { moves_.clear(); }
  void set_root(const std::byte* root) override {
    game().moves(root, moves_);
    if (moves_.empty())
      throw Error(game().name() + " has no legal move in a state that was not ended: " +
                  game().position_text(root));
  }
  void work() override { done_ = true; }
  void take_values(const float*, const float*) override {}

  MoveList moves_;
};

std::unique_ptr<Search> make_random_moves(SearchSettings settings, const Parameters&) {
  return std::make_unique<RandomMoves>(std::move(settings));
}

}  // namespace

AlgorithmEntry random_moves() {
  return {
      "random", "Any legal move, all equally probable", false, asks_nothing, {}, make_random_moves,
      true};
}

}  // namespace athenan
