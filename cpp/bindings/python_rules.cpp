// Games written in Python: one more subclass of Rules. It speaks a protocol of bytes with
// athenan.games.Rules, which turns them into NumPy arrays for the author of the game.
#include <nanobind/stl/pair.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "bindings/bindings.h"

namespace athenan {
namespace {

class PythonRules final : public Rules {
 public:
  // The GIL is held by the caller of the constructor; every other call takes it.
  explicit PythonRules(nb::object rules) : rules_(std::move(rules)) {
    datasheet_ = nb::cast<Datasheet>(rules_.attr("datasheet")());
    state_size_ = nb::len(rules_.attr("initial_bytes")());
    swap_ = nb::cast<bool>(rules_.attr("offers_swap"));
    if (swap_ && !datasheet_.move_kinds.empty()) datasheet_.move_kinds.push_back("swap");
    if (datasheet_.players < 1 || datasheet_.players > 2)
      throw ParameterError("a game has 1 or 2 players, not " + std::to_string(datasheet_.players));
    if (datasheet_.max_length < 1)
      throw ParameterError("the max_length of " + datasheet_.title + " must be at least 1");
  }
  ~PythonRules() override {
    nb::gil_scoped_acquire gil;
    rules_.reset();
  }

  nb::object object() const { return rules_; }

  const Datasheet& datasheet() const override { return datasheet_; }
  std::size_t state_size() const override { return state_size_; }
  std::size_t board_size() const override { return state_size_; }
  std::size_t live_size(const std::byte*) const override { return state_size_; }

  void initial(std::byte* s) const override {
    nb::gil_scoped_acquire gil;
    store(rules_.attr("initial_bytes")(), s);
  }
  int to_move(const std::byte* s) const override {
    const int player = call<int>("to_move", s);
    if (player < 0 || player >= datasheet_.players)
      throw Error("the player to move of " + datasheet_.title + " is " + std::to_string(player) +
                  (datasheet_.players == 2 ? " instead of 0 or 1" : " instead of 0"));
    return player;
  }
  Result result(const std::byte* s) const override {
    const int code = call<int>("result", s);
    if (code < -1 || code > 2)
      throw Error("the result of " + datasheet_.title + " is " + std::to_string(code) +
                  " instead of +1, 0, -1 or None");
    return static_cast<Result>(code);
  }
  void moves(const std::byte* s, MoveList& out) const override {
    const auto legal = call<std::vector<Move>>("moves", s);
    if (legal.empty()) throw Error(datasheet_.title + " has no legal move in an ongoing state");
    for (const Move move : legal) {
      if (move >= datasheet_.move_count)
        throw Error("a move of " + datasheet_.title + " is number " + std::to_string(move) +
                    "; moves are numbers below " + std::to_string(datasheet_.move_count));
      out.push_back(move);
    }
  }
  void apply(std::byte* s, Move move) const override {
    nb::gil_scoped_acquire gil;
    store(invoke("apply", s, move), s);
  }
  void children(const std::byte* s, const Move* moves, std::size_t count, std::byte* out,
                std::size_t stride, Result* results, std::uint64_t* keys) const override {
    for (std::size_t i = 0; i < count; ++i, out += stride) {
      std::memcpy(out, s, state_size_);
      apply(out, moves[i]);
      results[i] = result(out);
      keys[i] = key(out);
    }
  }
  Playout playout(std::byte* s, int max_plies, Random& random) const override {
    MoveList legal;
    int plies = 0;
    for (; result(s) == Result::ongoing && plies < max_plies; ++plies) {
      legal.clear();
      moves(s, legal);
      apply(s, legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    return {result(s), plies};
  }

  std::uint64_t key(const std::byte* s) const override { return hash_bytes(s, state_size_); }
  double score(const std::byte* s) const override { return call<double>("score", s); }
  int pieces(const std::byte* s, int player) const override {
    return call<int>("pieces", s, player);
  }
  int ply_of(const std::byte* s) const override { return call<int>("ply_of", s); }

  void encode(const std::byte* states, std::size_t count, std::size_t stride,
              std::int8_t* out) const override {
    nb::gil_scoped_acquire gil;
    const std::size_t planes = datasheet_.planes.size() * datasheet_.rows * datasheet_.columns;
    for (std::size_t i = 0; i < count; ++i) {
      const nb::bytes encoded = nb::cast<nb::bytes>(invoke("encode", states + i * stride));
      if (encoded.size() != planes)
        throw Error("the encoding of " + datasheet_.title + " has " +
                    std::to_string(encoded.size()) + " numbers instead of " +
                    std::to_string(planes));
      std::memcpy(out + i * planes, encoded.c_str(), planes);
    }
  }
  void transform(const std::byte* s, int symmetry, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    store(invoke("transform", s, symmetry), out);
  }
  Move transform_move(const std::byte* s, int symmetry, Move move) const override {
    return call<Move>("transform_move", s, symmetry, move);
  }

  void move_path(const std::byte* s, Move move, MovePath& out) const override {
    nb::gil_scoped_acquire gil;
    const auto [kind, cells] = nb::cast<std::pair<std::string, std::vector<std::pair<int, int>>>>(
        invoke("move_path", s, move));
    const auto& kinds = datasheet_.move_kinds;
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end())
      throw Error("a move of " + datasheet_.title + " is of the kind " + in_quotes(kind) +
                  ", which is not among the move_kinds of its datasheet");
    out.kind = static_cast<int>(found - kinds.begin());
    for (const auto& [row, column] : cells) out.cells.push_back(on_board(row, column));
  }

  std::string move_text(const std::byte* s, Move move) const override {
    return call<std::string>("move_text", s, move);
  }
  std::string position_text(const std::byte* s) const override {
    return call<std::string>("position_text", s);
  }
  void parse_position(std::string_view text, std::byte* s) const override {
    {
      nb::gil_scoped_acquire gil;
      store(rules_.attr("bridge")("parse_position", nb::bytes(text.data(), text.size())), s);
    }
    if (const std::string problem = flaw(s); !problem.empty())
      throw PositionError("position " + in_quotes(text) + " of " + datasheet_.title + ": " +
                          problem);
  }
  std::string drawing(const std::byte* s) const override { return call<std::string>("drawing", s); }
  std::string flaw(const std::byte* s) const override { return call<std::string>("flaw", s); }

  bool offers_swap() const override { return swap_; }
  void swap_sides(std::byte* s) const override {
    nb::gil_scoped_acquire gil;
    store(invoke("swap_sides", s), s);
  }
  bool swapped(const std::byte* s) const override { return call<bool>("swapped", s); }

 private:
  template <class... Args>
  nb::object invoke(const char* method, const std::byte* s, Args... args) const {
    return rules_.attr("bridge")(method, nb::bytes(reinterpret_cast<const char*>(s), state_size_),
                                 args...);
  }
  template <class T, class... Args>
  T call(const char* method, const std::byte* s, Args... args) const {
    nb::gil_scoped_acquire gil;
    return nb::cast<T>(invoke(method, s, args...));
  }
  Cell on_board(int row, int column) const {
    const int rows = datasheet_.rows - 2 * datasheet_.border;
    const int columns = datasheet_.columns - 2 * datasheet_.border;
    if (row < 0 || row >= rows || column < 0 || column >= columns)
      throw Error("a move of " + datasheet_.title + " touches row " + std::to_string(row) +
                  ", column " + std::to_string(column) + ", outside its board of " +
                  std::to_string(rows) + " rows and " + std::to_string(columns) + " columns");
    return {row, column};
  }
  void store(nb::object bytes, std::byte* s) const {
    const nb::bytes state = nb::cast<nb::bytes>(bytes);
    if (state.size() != state_size_)
      throw Error("a state of " + datasheet_.title + " has " + std::to_string(state.size()) +
                  " bytes instead of " + std::to_string(state_size_));
    std::memcpy(s, state.c_str(), state_size_);
  }

  nb::object rules_;
  Datasheet datasheet_;
  std::size_t state_size_ = 0;
  bool swap_ = false;
};

}  // namespace

std::unique_ptr<Rules> python_rules(nb::object rules) {
  return std::make_unique<PythonRules>(std::move(rules));
}

nb::object rules_object(const Game& game) {
  const auto* rules = dynamic_cast<const PythonRules*>(&game.rules());
  return rules ? rules->object() : nb::none();
}

}  // namespace athenan
