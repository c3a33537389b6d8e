// The player without search: a move is drawn from the network's policy. The apprentice of expert
// iteration plays its matches so.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "search/algorithms.h"
#include "search/mcts.h"

namespace athenan {
namespace {

class Apprentice final : public Search {
 public:
  Apprentice(SearchSettings settings, double temperature)
      : Search(std::move(settings)), temperature_(temperature) {}

  bool wants_logits() const override { return true; }
  bool has_moves() const override { return !shares_.empty(); }
  std::vector<MoveLabel> root_moves() const override {
    std::vector<MoveLabel> labels;
    for (const Move move : moves_) labels.push_back({move, value_, 0, 0, 0});
    return labels;
  }
  float root_value() const override { return value_; }
  std::vector<float> root_policy() const override { return shares_; }
  Move decide() override {
    double left = random_.uniform();
    for (std::size_t i = 0; i < moves_.size(); ++i)
      if ((left -= shares_[i]) < 0) return moves_[i];
    return moves_[std::max_element(shares_.begin(), shares_.end()) - shares_.begin()];
  }
  std::vector<Move> principal_variation() const override { return {}; }
  std::vector<StateLabels> all_labels() const override { return {}; }
  void collect_targets(Targets&, bool) const override {}
  std::size_t node_count() const override { return 0; }
  std::size_t tree_bytes() const override { return 0; }

 private:
  void clear() override {
    moves_.clear();
    shares_.clear();
  }
  void set_root(const std::byte* root) override {
    clear();
    game().moves(root, moves_);
    if (moves_.empty())
      throw Error(game().name() + " has no legal move in a state that was not ended: " +
                  game().position_text(root));
    root_.assign(root, root + game().live_size(root));
  }
  void work() override {
    root_.resize(game().state_size());
    if (shares_.empty())
      add_waiting(root_.data());
    else
      done_ = true;
  }
  void take_values(const float* values, const float* logits) override {
    value_ = values[0];
    spent_.iterations += 1;
    const float greatest = *std::max_element(logits, logits + moves_.size());
    double sum = 0;
    for (std::size_t i = 0; i < moves_.size(); ++i)
      sum +=
          shares_.emplace_back(static_cast<float>(std::exp((logits[i] - greatest) / temperature_)));
    for (float& share : shares_) share = static_cast<float>(share / sum);
  }

  double temperature_;
  MoveList moves_;
  std::vector<std::byte> root_;
  std::vector<float> shares_;
  float value_ = 0;
};

std::unique_ptr<Search> make_apprentice(SearchSettings settings, const Parameters& given) {
  return std::make_unique<Apprentice>(std::move(settings), given.real("temperature"));
}

}  // namespace

AlgorithmEntry apprentice() {
  return {"apprentice",
          "A move drawn from the network's policy, without search",
          true,
          asks_policy,
          {temperature_parameter(1)},
          make_apprentice,
          true};
}

}  // namespace athenan
