// Games written in Python: one more subclass of Rules. It speaks a protocol of bytes with
// athenan.games.Rules, which turns them into NumPy arrays for the author of the game.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/hash.h"
#include "bindings/bindings.h"

namespace athenan {
namespace {

class PythonRules final : public Rules {
 public:
  // The GIL is held by the caller of the constructor; every other call takes it.
  explicit PythonRules(nb::object rules) : rules_(std::move(rules)) {
    if (!nb::hasattr(rules_, "bridge"))
      throw ParameterError(
          "the rules of a game are an object of a subclass of athenan.Rules, not " +
          in_quotes(text_of(rules_)));
    if (const nb::object sheet = rules_.attr("datasheet")(); !nb::try_cast(sheet, datasheet_))
      throw ParameterError("the method datasheet of " + text_of(rules_) + " returned " +
                           in_quotes(text_of(sheet)) + " instead of a Datasheet");
    check_datasheet();
    state_size_ = nb::len(rules_.attr("initial_bytes")());
    if (state_size_ == 0) throw ParameterError("a state of " + datasheet_.title + " has no bytes");
    constexpr std::size_t longest_state = 1'000'000;
    if (state_size_ > longest_state)
      throw ParameterError("a state of " + datasheet_.title + " has " +
                           std::to_string(state_size_) + " bytes; accepted is at most " +
                           std::to_string(longest_state));
    swap_ = nb::cast<bool>(nb::bool_(rules_.attr("offers_swap")));
    batched_ = nb::hasattr(rules_, "expand_many");
    if (swap_ && !datasheet_.move_kinds.empty()) datasheet_.move_kinds.push_back("swap");
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
    EngineCall call;
    store("initial", rules_.attr("initial_bytes")(), s);
  }
  int to_move(const std::byte* s) const override {
    const int player = call<int>("to_move", s);
    if (player < 0 || player >= datasheet_.players)
      refuse("to_move", s, std::to_string(player), datasheet_.players == 2 ? "0 or 1" : "0");
    return player;
  }
  Result result(const std::byte* s) const override {
    const auto outcome = call<std::optional<int>>("result", s);
    if (!outcome) return Result::ongoing;
    if (*outcome < -1 || *outcome > 1)
      refuse("result", s, std::to_string(*outcome), "+1, 0, -1 or None");
    return static_cast<Result>(*outcome);
  }
  void moves(const std::byte* s, MoveList& out) const override {
    const auto legal = call<MoveList>("moves", s);
    if (legal.empty()) refuse("moves", s, "no legal move", "at least one: the match is not over");
    MoveList sorted = legal;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() >= datasheet_.move_count)
      refuse("moves", s, "number " + std::to_string(sorted.back()),
             "numbers below the move_count " + std::to_string(datasheet_.move_count));
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      refuse("moves", s, "number " + std::to_string(*twice) + " twice", "each move once");
    out.insert(out.end(), legal.begin(), legal.end());
  }
  void apply(std::byte* s, Move move) const override {
    nb::gil_scoped_acquire gil;
    store("apply", invoke("apply", s, move), s);
  }
  void children(const std::byte* s, const Move* moves, std::size_t count, std::byte* out,
                std::size_t stride, Result* results, std::uint64_t* keys) const override {
    if (batched_) return batched_children(s, moves, count, out, stride, results, keys);
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
  double score(const std::byte* s) const override {
    const auto points = call<double>("score", s);
    if (!std::isfinite(points)) refuse("score", s, std::to_string(points), "a finite number");
    return points;
  }
  int pieces(const std::byte* s, int player) const override {
    return call<int>("pieces", s, player);
  }
  int ply_of(const std::byte* s) const override { return call<int>("ply_of", s); }

  void encode(const std::byte* states, std::size_t count, std::size_t stride,
              std::int8_t* out) const override {
    nb::gil_scoped_acquire gil;
    const std::size_t shape[] = {datasheet_.planes.size(),
                                 static_cast<std::size_t>(datasheet_.rows),
                                 static_cast<std::size_t>(datasheet_.columns)};
    if (batched_) return batched_encode(states, count, stride, shape, out);
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte* s = states + i * stride;
      const auto planes = answer<Planes>("encode", s, invoke("encode", s));
      if (planes.ndim() != 3 || !std::equal(shape, shape + 3, planes.shape_ptr()))
        refuse("encode", s,
               "an array of the shape " + shape_text(planes.shape_ptr(), planes.ndim()),
               "one of " + shape_text(shape, 3));
      out = std::copy_n(planes.data(), planes.size(), out);
    }
  }
  void transform(const std::byte* s, int symmetry, std::byte* out) const override {
    nb::gil_scoped_acquire gil;
    store("transform", invoke("transform", s, symmetry), out);
  }
  Move transform_move(const std::byte* s, int symmetry, Move move) const override {
    const Move image = call<Move>("transform_move", s, symmetry, move);
    if (image >= datasheet_.move_count)
      refuse("transform_move", s, "number " + std::to_string(image),
             "a number below the move_count " + std::to_string(datasheet_.move_count));
    return image;
  }

  void move_path(const std::byte* s, Move move, MovePath& out) const override {
    nb::gil_scoped_acquire gil;
    const auto [kind, cells] = answer<std::pair<std::string, std::vector<std::pair<int, int>>>>(
        "move_path", s, invoke("move_path", s, move));
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
      EngineCall call;
      store("parse_position",
            rules_.attr("bridge")("parse_position", nb::bytes(text.data(), text.size())), s);
    }
    if (const std::string problem = flaw(s); !problem.empty())
      throw PositionError("position " + in_quotes(text) + " of " + datasheet_.title + ": " +
                          problem);
  }
  std::string drawing(const std::byte* s) const override { return call<std::string>("drawing", s); }
  std::string flaw(const std::byte* s) const override { return call<std::string>("flaw", s); }
  std::string board_flaw(const std::byte* s) const override { return flaw(s); }

  bool offers_swap() const override { return swap_; }
  void swap_sides(std::byte* s) const override {
    nb::gil_scoped_acquire gil;
    store("swap_sides", invoke("swap_sides", s), s);
  }
  bool swapped(const std::byte* s) const override { return call<bool>("swapped", s); }

 private:
  // Rules that answer for many states at once (athenan.games.BatchRules): one call, not one each.
  void batched_children(const std::byte* s, const Move* moves, std::size_t count, std::byte* out,
                        std::size_t stride, Result* results, std::uint64_t* keys) const {
    nb::gil_scoped_acquire gil;
    AuthorCall call("expand_many", datasheet_.title);
    const auto [numbers, children, ends] = nb::cast<std::tuple<nb::bytes, nb::bytes, nb::bytes>>(
        rules_.attr("children_bytes")(nb::bytes(reinterpret_cast<const char*>(s), state_size_)));
    if (numbers.size() != count * sizeof(Move) || children.size() != count * state_size_ ||
        std::memcmp(numbers.c_str(), moves, numbers.size()) != 0)
      refuse("expand_many", s, "other moves than before", "the same each time");
    for (std::size_t i = 0; i < count; ++i, out += stride) {
      std::memcpy(out, children.c_str() + i * state_size_, state_size_);
      results[i] = static_cast<Result>(ends.c_str()[i]);
      keys[i] = key(out);
    }
  }
  void batched_encode(const std::byte* states, std::size_t count, std::size_t stride,
                      const std::size_t* shape, std::int8_t* out) const {
    AuthorCall call("encode_many", datasheet_.title);
    std::string gathered;
    gathered.reserve(count * state_size_);
    for (std::size_t i = 0; i < count; ++i)
      gathered.append(reinterpret_cast<const char*>(states + i * stride), state_size_);
    const auto planes = answer<Planes>(
        "encode_many", states,
        rules_.attr("encode_bytes")(nb::bytes(gathered.data(), gathered.size()), count));
    if (planes.ndim() != 4 || planes.shape(0) != count ||
        !std::equal(shape, shape + 3, planes.shape_ptr() + 1))
      refuse("encode_many", states,
             "an array of the shape " + shape_text(planes.shape_ptr(), planes.ndim()),
             "one of [" + std::to_string(count) + "] and " + shape_text(shape, 3));
    std::copy_n(planes.data(), planes.size(), out);
  }

  using Planes = nb::ndarray<const std::int8_t, nb::c_contig, nb::device::cpu>;

  // What the author raises comes through as it is, with a note that says where.
  template <class... Args>
  nb::object invoke(const char* method, const std::byte* s, Args... args) const {
    AuthorCall call(method, datasheet_.title);
    try {
      return rules_.attr("bridge")(method, nb::bytes(reinterpret_cast<const char*>(s), state_size_),
                                   args...);
    } catch (nb::python_error& problem) {
      problem.value().attr("add_note")("in " + method_text(method) + ", for the state " +
                                       digits(s));
      throw;
    }
  }
  template <class T, class... Args>
  T call(const char* method, const std::byte* s, Args... args) const {
    nb::gil_scoped_acquire gil;
    return answer<T>(method, s, invoke(method, s, args...));
  }
  template <class T>
  T answer(const char* method, const std::byte* s, const nb::object& given) const {
    T value{};
    if (!nb::try_cast<T>(given, value))
      refuse(method, s, in_quotes(text_of(given)), "what athenan.Rules says");
    return value;
  }
  [[noreturn]] void refuse(const char* method, const std::byte* s, const std::string& given,
                           const std::string& expected) const {
    throw Error(method_text(method) + " returned " + given + " instead of " + expected +
                ", for the state " + digits(s));
  }
  std::string method_text(const char* method) const {
    return std::string("the method ") + method + " of " + datasheet_.title;
  }
  static std::string text_of(const nb::object& any) { return nb::cast<std::string>(nb::repr(any)); }
  static std::string shape_text(const auto* shape, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return "[" + text + "]";
  }
  // The state for people: as text if that is what the author wrote, else in hexadecimal.
  std::string digits(const std::byte* s) const {
    constexpr std::size_t most = 64;
    const auto* written = reinterpret_cast<const char*>(s);
    std::size_t length = state_size_;
    while (length > 0 && written[length - 1] == 0) --length;
    const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
    if (length > 1 && std::all_of(written, written + length, printable))
      return length > most ? std::string(written, most) + "..." : std::string(written, length);
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < std::min(state_size_, most); ++i) {
      text += digits[static_cast<int>(s[i]) >> 4];
      text += digits[static_cast<int>(s[i]) & 15];
    }
    return state_size_ > most ? text + "..." : text;
  }

  void check_datasheet() const {
    const auto check = [&](const char* name, long long value, long long lowest, long long highest) {
      if (value < lowest || value > highest)
        throw ParameterError(std::string("the ") + name + " of " + datasheet_.title + " is " +
                             std::to_string(value) + "; accepted is a number from " +
                             std::to_string(lowest) + " to " + std::to_string(highest));
    };
    constexpr int longest_side = 180;  // cells have numbers of 16 bits
    check("number of players", datasheet_.players, 1, 2);
    check("max_length", datasheet_.max_length, 1, 100'000);
    check("typical_length", datasheet_.typical_length, 0, datasheet_.max_length);
    check("number of rows", datasheet_.rows, 1, longest_side);
    check("number of columns", datasheet_.columns, 1, longest_side);
    check("number of planes", static_cast<long long>(datasheet_.planes.size()), 1, longest_side);
    check("border", datasheet_.border, 0, (std::min(datasheet_.rows, datasheet_.columns) - 1) / 2);
    check("move_count", datasheet_.move_count, 1, std::numeric_limits<std::int32_t>::max());
    check("number of symmetries", datasheet_.symmetries, 1, 256);
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
  void store(const char* method, const nb::object& given, std::byte* s) const {
    const auto state = nb::cast<nb::bytes>(given);
    if (state.size() != state_size_)
      throw Error(method_text(method) + " returned a state of " + std::to_string(state.size()) +
                  " bytes instead of " + std::to_string(state_size_));
    std::memcpy(s, state.c_str(), state_size_);
  }

  nb::object rules_;
  Datasheet datasheet_;
  std::size_t state_size_ = 0;
  bool swap_ = false;
  bool batched_ = false;
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
