// What the fuzzers share. A fuzzer is one source file with the two functions at the end; main.cpp
// ties it to libFuzzer.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "tests/state_checks.h"

namespace athenan::fuzz {

using namespace athenan::testing;

// A game, and some states of its random matches: the same ones at every start.
struct Start {
  std::shared_ptr<Game> game;
  std::vector<Place> states;
};

// Every game at its default, its lowest and its highest sizes.
inline const std::vector<Start>& starts() {
  static const std::vector<Start> all = [] {
    std::vector<Start> out;
    for (const auto& game : games_under_test()) {
      Random random(out.size());
      Start& start = out.emplace_back(Start{game, {}});
      const int length = std::max(1, game->datasheet().typical_length);
      for (int k = 0; k < 8; ++k)
        start.states.push_back(random_state(*game, static_cast<std::uint32_t>(length + 1), random));
    }
    return out;
  }();
  return all;
}

// Choices read from the bytes of an input, from its front; an input that has ended chooses 0.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : left_(reinterpret_cast<const char*>(data), size) {}

  template <class Number>
  Number number() {
    Number out{};
    std::memcpy(&out, left_.data(), std::min(sizeof out, left_.size()));
    left_.remove_prefix(std::min(sizeof out, left_.size()));
    return out;
  }
  std::uint32_t below(std::size_t count) { return number<std::uint8_t>() % count; }
  const Start& start() {
    const Start& start = starts()[below(starts().size())];
    context = start.game->id();
    return start;
  }
  // What follows, up to a line feed.
  std::string_view line() {
    const std::string_view text = left_.substr(0, left_.find('\n'));
    left_.remove_prefix(std::min(text.size() + 1, left_.size()));
    return text;
  }
  std::string_view rest() const { return left_; }
  // The same choices for the same bytes.
  Random random() const { return Random(hash_bytes(left_.data(), left_.size())); }

 private:
  std::string_view left_;
};

// Whether the action is accepted. A refusal is one sentence of bounded length that can be printed;
// an exception of another kind ends the fuzzer, as a crash does.
template <class Refusal, class Action>
bool accepted(Action&& action) {
  try {
    action();
    return true;
  } catch (const Refusal& refusal) {
    const std::string_view sentence = refusal.what();
    CHECK(!sentence.empty() && sentence.size() < 2000);
    CHECK(std::none_of(sentence.begin(), sentence.end(),
                       [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }));
    return false;
  }
}

// Uses everything that can be done with a state that was let in, and plays its match to the end.
inline void use(const Game& game, Place state, Random random) {
  check_state(game, state, random);
  const int plies = game.ply(state.data());
  const Playout end = game.playout(state.data(), random);
  CHECK(end.result != Result::ongoing && plies + end.plies <= game.datasheet().max_length);
  game.check(state.data());
}

// One seed per state of starts(): the byte that chooses the game, and what `write` says.
template <class Write>
std::vector<std::string> seeds_of_states(Write&& write) {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < starts().size(); ++i)
    for (const Place& state : starts()[i].states)
      seeds.push_back(static_cast<char>(i) + write(*starts()[i].game, state));
  return seeds;
}

// The two functions of a fuzzer: what it does with an input, and the inputs that it starts from.
void fuzz(Input& input);
std::vector<std::string> seeds();

}  // namespace athenan::fuzz
