// The terminal evaluations f_t (reinforcement heuristics): what a finished match is worth, always
// from the first player's point of view, always in the order of the gain.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"

namespace athenan {

class TerminalEvaluation {
 public:
  // Throws ParameterError for a name that does not exist or makes no sense for the game, with the
  // names that do.
  TerminalEvaluation(const Game& game, std::string_view name);

  // The value of an ended match.
  float operator()(const Game& game, const std::byte* state, Result result) const;

  const std::string& name() const { return name_; }
  // Whether the value depends on the ply, so that the ply must be part of the key.
  bool needs_ply() const { return needs_ply_; }
  // Whether the value depends on the path, so that no memory of resolved states is sound.
  bool depends_on_path() const { return depends_on_path_; }

 private:
  using Function = double (*)(const Game&, const std::byte*, Result);
  std::string name_;
  Function function_;
  bool needs_ply_ = false;
  bool depends_on_path_ = false;
};

// The names that make sense for a game, "classic" first.
std::vector<std::string> terminal_evaluations(const Game& game);

}  // namespace athenan
