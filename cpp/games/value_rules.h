// RulesOf<T>: a plain value type T becomes the abstract class Rules.
//
// T is the rules of one game at one size, immutable after construction. It has
//   struct State                        trivially copyable, no padding, with the fields
//     to_move                             0 first player, 1 second player; none in a solitaire
//     result                              a Result that apply keeps up to date
//     unused                              where it fills up a word: always zero
//   Datasheet datasheet() const
//   void moves(const State&, MoveList&) const       only called on ongoing states
//   void apply(State&, Move) const                  a legal move, in place
//   void encode(const State&, std::int8_t*) const   fills a zeroed [planes, rows, columns]
//   MovePath move_path(const State&, Move) const    the cells a player touches, for a legal move
//   std::string move_text(const State&, Move) const    safe for any number below move_count
//   std::string position_text(const State&) const
//   State parse_position(std::string_view) const    throws PositionError
//   std::string drawing(const State&) const
//   std::string flaw(const State&) const            "" if well formed; safe on any bytes, but for
//                                                   to_move and unused, which are checked before
// and where they apply
//   State initial() const                           if it is not State{}
//   Result result(const State&) const               if the state has no such field
//   int symmetries() const; State transform(const State&, int) const;
//   Move transform_move(const State&, int, Move) const   safe likewise
//   double score(const State&) const                first player's points minus second player's
//   int pieces(const State&, int player) const
//   int ply_of(const State&) const                  if the board determines the ply
//   Move random_move(const State&, Random&) const   uniform, without listing the moves
//   Playout playout(State&, int, Random&) const     a whole random match, same law of results
//   std::uint64_t key(const State&) const           if it is not the hash of all bytes
//   std::size_t live_size(const State&) const; static constexpr std::size_t board_size
//   std::string board_flaw(const State&) const      with these two: flaw, the history left out
//   bool offers_swap() const; void swap_sides(State&) const
#pragma once

#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "games/rules.h"

namespace athenan {

template <class T>
class RulesOf final : public Rules {
  using State = typename T::State;
  static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 8);
  static_assert(std::has_unique_object_representations_v<State>,
                "padding bytes would make equal states differ");

  static constexpr bool has_initial = requires(const T& t) { t.initial(); };
  static constexpr bool has_result = requires(const T& t, const State& s) { t.result(s); };
  static constexpr bool has_symmetry = requires(const T& t) { t.symmetries(); };
  static constexpr bool has_score = requires(const T& t, const State& s) { t.score(s); };
  static constexpr bool has_pieces = requires(const T& t, const State& s) { t.pieces(s, 0); };
  static constexpr bool has_ply = requires(const T& t, const State& s) { t.ply_of(s); };
  static constexpr bool has_key = requires(const T& t, const State& s) { t.key(s); };
  static constexpr bool has_live_size = requires(const T& t, const State& s) { t.live_size(s); };
  static constexpr bool has_path =
      requires(const T& t, const State& s, Move m) { t.move_path(s, m); };
  static constexpr bool has_swap = requires(const T& t) { t.offers_swap(); };
  static constexpr bool has_random_move =
      requires(const T& t, const State& s, Random& r) { t.random_move(s, r); };
  static constexpr bool has_playout =
      requires(const T& t, State& s, Random& r) { t.playout(s, 0, r); };

 public:
  explicit RulesOf(T rules) : rules_(std::move(rules)), datasheet_(rules_.datasheet()) {
    datasheet_.has_score = has_score;
    datasheet_.has_pieces = has_pieces;
    datasheet_.board_determines_ply = has_ply;
    if constexpr (has_symmetry) datasheet_.symmetries = rules_.symmetries();
    if (has_path && offers_swap()) datasheet_.move_kinds.push_back("swap");
  }

  const Datasheet& datasheet() const override { return datasheet_; }
  std::size_t state_size() const override { return sizeof(State); }
  std::size_t board_size() const override {
    if constexpr (has_live_size)
      return T::board_size;
    else
      return sizeof(State);
  }
  std::size_t live_size(const std::byte* s) const override { return live(view(s)); }

  void initial(std::byte* s) const override {
    if constexpr (has_initial)
      mutable_view(s) = rules_.initial();
    else
      mutable_view(s) = State{};
  }
  int to_move(const std::byte* s) const override { return mover_of(view(s)); }
  Result result(const std::byte* s) const override { return result_of(view(s)); }
  void moves(const std::byte* s, MoveList& out) const override { rules_.moves(view(s), out); }
  void apply(std::byte* s, Move move) const override { rules_.apply(mutable_view(s), move); }

  void children(const std::byte* s, const Move* moves, std::size_t count, std::byte* out,
                std::size_t stride, Result* results, std::uint64_t* keys) const override {
    const std::size_t size = live(view(s));
    for (std::size_t i = 0; i < count; ++i, out += stride) {
      std::memcpy(out, s, size);
      State& child = mutable_view(out);
      rules_.apply(child, moves[i]);
      results[i] = result_of(child);
      keys[i] = key_of(child);
    }
  }

  Playout playout(std::byte* s, int max_plies, Random& random) const override {
    if constexpr (has_playout) {
      return rules_.playout(mutable_view(s), max_plies, random);
    } else {
      State& state = mutable_view(s);
      MoveList moves;
      int plies = 0;
      while (result_of(state) == Result::ongoing && plies < max_plies) {
        rules_.apply(state, random_move(state, moves, random));
        ++plies;
      }
      return {result_of(state), plies};
    }
  }

  std::uint64_t key(const std::byte* s) const override { return key_of(view(s)); }
  double score(const std::byte* s) const override {
    if constexpr (has_score)
      return rules_.score(view(s));
    else
      throw Error(datasheet_.title + " has no score");
  }
  int pieces(const std::byte* s, int player) const override {
    if constexpr (has_pieces)
      return rules_.pieces(view(s), player);
    else
      throw Error(datasheet_.title + " has no pieces to count");
  }
  int ply_of(const std::byte* s) const override {
    if constexpr (has_ply)
      return rules_.ply_of(view(s));
    else
      return 0;
  }

  void encode(const std::byte* states, std::size_t count, std::size_t stride,
              std::int8_t* out) const override {
    const std::size_t planes = datasheet_.planes.size() * datasheet_.rows * datasheet_.columns;
    std::memset(out, 0, count * planes);
    for (std::size_t i = 0; i < count; ++i)
      rules_.encode(view(states + i * stride), out + i * planes);
  }

  void transform(const std::byte* s, int symmetry, std::byte* out) const override {
    if constexpr (has_symmetry)
      mutable_view(out) = rules_.transform(view(s), symmetry);
    else
      std::memcpy(out, s, sizeof(State));
  }
  Move transform_move(const std::byte* s, int symmetry, Move move) const override {
    if constexpr (has_symmetry)
      return rules_.transform_move(view(s), symmetry, move);
    else
      return move;
  }

  void move_path(const std::byte* s, Move move, MovePath& out) const override {
    if constexpr (has_path) out = rules_.move_path(view(s), move);
  }

  std::string move_text(const std::byte* s, Move move) const override {
    return rules_.move_text(view(s), move);
  }
  std::string position_text(const std::byte* s) const override {
    return rules_.position_text(view(s));
  }
  void parse_position(std::string_view text, std::byte* s) const override {
    State state = rules_.parse_position(text);
    if (const std::string problem = flaw_of(state); !problem.empty())
      throw PositionError("position " + in_quotes(text) + " of " + datasheet_.title + ": " +
                          problem);
    mutable_view(s) = state;
  }
  std::string drawing(const std::byte* s) const override { return rules_.drawing(view(s)); }
  std::string flaw(const std::byte* s) const override { return flaw_of(view(s)); }
  std::string board_flaw(const std::byte* s) const override {
    if constexpr (has_live_size) {
      const std::string problem = flaw_of_side(view(s));
      return problem.empty() ? rules_.board_flaw(view(s)) : problem;
    } else {
      return flaw_of(view(s));
    }
  }

  bool offers_swap() const override {
    if constexpr (has_swap)
      return rules_.offers_swap();
    else
      return false;
  }
  void swap_sides(std::byte* s) const override {
    if constexpr (has_swap) rules_.swap_sides(mutable_view(s));
  }

 private:
  static const State& view(const std::byte* s) { return *reinterpret_cast<const State*>(s); }
  static State& mutable_view(std::byte* s) { return *reinterpret_cast<State*>(s); }

  std::size_t live(const State& s) const {
    if constexpr (has_live_size)
      return rules_.live_size(s);
    else
      return sizeof(State);
  }
  static int mover_of(const State& s) {
    if constexpr (requires { s.to_move; })
      return static_cast<int>(s.to_move);
    else
      return 0;
  }
  Result result_of(const State& s) const {
    if constexpr (has_result)
      return rules_.result(s);
    else
      return static_cast<Result>(s.result);
  }
  std::string flaw_of(const State& s) const {
    const std::string problem = flaw_of_side(s);
    return problem.empty() ? rules_.flaw(s) : problem;
  }
  static std::string flaw_of_side(const State& s) {
    if (const int mover = mover_of(s); mover != 0 && mover != 1)
      return "the side to move is neither player";
    if constexpr (requires { s.unused; })
      if (s.unused != State{}.unused) return "the unused bytes are not zero";
    return "";
  }
  std::uint64_t key_of(const State& s) const {
    if constexpr (has_key)
      return rules_.key(s);
    else
      return hash_bytes(&s, sizeof(State));
  }
  Move random_move(const State& s, MoveList& moves, Random& random) const {
    if constexpr (has_random_move) {
      return rules_.random_move(s, random);
    } else {
      moves.clear();
      rules_.moves(s, moves);
      return moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    }
  }

  T rules_;
  Datasheet datasheet_;
};

// The factory of a game whose rules need no choice of type.
template <class T>
std::unique_ptr<Rules> make_rules(const Parameters& parameters) {
  return std::make_unique<RulesOf<T>>(T(parameters));
}

}  // namespace athenan
