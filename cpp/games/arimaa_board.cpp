#include "games/arimaa_board.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace athenan::arimaa_board {
namespace {

// A piece is frozen beside a stronger enemy unless it is beside a friend.
Squares frozen(const Board& board, Squares own, Squares enemy) {
  const Squares exposed = own & ~neighbours(own) & neighbours(enemy);
  if (!exposed) return 0;
  Squares out = 0, stronger = 0;
  for (int strength = elephant; strength >= rabbit; --strength) {
    const Squares pieces = board.of_strength(strength);
    out |= pieces & exposed & neighbours(stronger);
    stronger |= pieces & enemy;
  }
  return out;
}

// The enemy pieces beside a stronger piece of `free`.
Squares dominated(const Board& board, Squares enemy, Squares free) {
  if (!(enemy & neighbours(free))) return 0;
  Squares out = 0, stronger = 0;
  for (int strength = elephant; strength >= rabbit; --strength) {
    const Squares pieces = board.of_strength(strength);
    out |= pieces & enemy & neighbours(stronger);
    stronger |= pieces & free;
  }
  return out;
}

Squares pullable(const Board& board, int player, int square, int strength) {
  const Squares beside = board.of(player ^ 1) & neighbours(bit(square));
  return beside ? beside & board.weaker_than(strength) : 0;
}

Squares mirrored(Squares s) {
  s = (s >> 1 & 0x5555555555555555) | (s & 0x5555555555555555) << 1;
  s = (s >> 2 & 0x3333333333333333) | (s & 0x3333333333333333) << 2;
  return (s >> 4 & 0x0f0f0f0f0f0f0f0f) | (s & 0x0f0f0f0f0f0f0f0f) << 4;
}

// From file a to file h: the row at the player's edge, then the row before it.
constexpr std::array<std::string_view, setup_count / 2> setups{
    "RRRRRRRRDHCMECHD", "RRRRRRRRCHDMEDHC", "RRRDDRRRRHCMECHR", "RRRCCRRRRHDMEDHR",
    "RRDRRDRRRHCMECHR", "RRCRRCRRRHDMEDHR", "RRCDDCRRRHRMERHR", "RDRCCRDRRHRMERHR",
    "RRRDDRRRRMCHECHR", "RRRCCRRRRMDHEDHR", "RDCRRCDRRRHMEHRR", "DHCMECHDRRRRRRRR"};

}  // namespace

std::string square_text(int square) {
  return {static_cast<char>('a' + square % 8), static_cast<char>('8' - square / 8)};
}

Squares Board::weaker_than(int strength) const {
  Squares out = 0;
  for (int weaker = rabbit; weaker < strength; ++weaker) out |= of_strength(weaker);
  return out;
}

int Board::value(int player) const {
  int sum = 0;
  for (int strength = rabbit; strength <= elephant; ++strength)
    sum += values[strength] * count(player, strength);
  return sum;
}

bool Board::is_set_up(int placed, bool mirrored) const {
  for (int n = 0; n < placed; ++n) {
    const int piece = piece_at(setup_square(n, mirrored));
    if (!piece || owner_of(piece) != n / army_size) return false;
  }
  return true;
}

Board Board::mirrored() const {
  Board out;
  for (int k = 0; k < 4; ++k) out.planes[k] = arimaa_board::mirrored(planes[k]);
  return out;
}

std::string Board::flaw() const {
  if (of_strength(elephant + 1) || (planes[3] & ~occupied()))
    return "a square holds no known piece";
  for (int player : {0, 1})
    for (int strength = rabbit; strength <= elephant; ++strength)
      if (count(player, strength) > army[strength]) return "a player has too many pieces of a kind";
  if (trapped(0) | trapped(1)) return "a piece on a trap has no friend beside it";
  return "";
}

std::array<int, army_size> setup(int k) {
  std::array<int, army_size> strengths;
  for (int n = 0; n < army_size; ++n)
    strengths[n] = static_cast<int>(letters.find(setups[k / 2][k % 2 ? n ^ 7 : n]));
  return strengths;
}

std::vector<int> officers_of_setup(int k) {
  const auto strengths = setup(k);
  std::vector<int> places;
  for (int n = 0; n < army_size; ++n)
    if (strengths[n] != rabbit) places.push_back(n);
  const auto centre = std::find(strengths.begin(), strengths.end(), elephant) - strengths.begin();
  const auto rank = [&](int n) { return std::tuple(-strengths[n], std::abs(n % 8 - centre % 8)); };
  std::sort(places.begin(), places.end(), [&](int a, int b) { return rank(a) < rank(b); });
  return places;
}

std::string Vacated::text(int player) const {
  if (strength == 0) return "-";
  return letters[piece_of(pushed ? player ^ 1 : player, strength)] + square_text(square);
}

bool Vacated::read(std::string_view text, int player, Vacated& out) {
  out = {};
  if (text == "-") return true;
  const std::size_t piece = text.size() == 3 ? letters.find(text[0]) : std::string_view::npos;
  if (piece == std::string_view::npos || text[0] == '.') return false;
  if (text[1] < 'a' || text[1] > 'h' || text[2] < '1' || text[2] > '8') return false;
  out.square = static_cast<std::uint8_t>(8 * ('8' - text[2]) + (text[1] - 'a'));
  out.strength = static_cast<std::uint8_t>(strength_of(static_cast<int>(piece)));
  out.pushed = owner_of(static_cast<int>(piece)) != player;
  return true;
}

bool Vacated::fits(const Board& board, int player) const {
  if (strength == 0) return *this == Vacated{};
  if (square >= square_count || strength > elephant || pushed > 1) return false;
  if (board.piece_at(square)) return false;
  return pushed ? steps(board, player, 1, *this) != Steps{}
                : pullable(board, player, square, strength) != 0;
}

Steps steps(const Board& board, int player, int steps_left, const Vacated& vacated) {
  const Squares own = board.of(player), enemy = board.of(player ^ 1), empty = ~(own | enemy);
  const Squares free = own & ~frozen(board, own, enemy);
  Steps out{};
  if (vacated.pushed) {
    const Squares strong = free & ~board.weaker_than(vacated.strength + 1);
    for (int d = 0; d < direction_count; ++d) out[d] = strong & moved(bit(vacated.square), d ^ 1);
    return out;
  }
  // A push takes two steps.
  const Squares pushed = steps_left >= 2 ? dominated(board, enemy, free) : 0;
  const int backward = player == 0 ? south : north;
  for (int d = 0; d < direction_count; ++d) {
    const Squares walking = d == backward ? free & ~board.of_strength(rabbit) : free;
    out[d] = (walking | pushed) & moved(empty, d ^ 1);
  }
  if (vacated.strength) {
    const Squares pulled = pullable(board, player, vacated.square, vacated.strength);
    for (int d = 0; d < direction_count; ++d) out[d] |= pulled & moved(bit(vacated.square), d ^ 1);
  }
  return out;
}

Removal take_step(Board& board, int from, int direction) {
  const int piece = board.piece_at(from);
  board.clear(from);
  board.put(from + offsets[direction], piece);
  const Squares lost = board.trapped(owner_of(piece));
  if (!lost) return {};
  const int square = std::countr_zero(lost);
  const Removal removal{board.piece_at(square), square};
  board.clear(square);
  return removal;
}

Vacated vacated_by(const Board& board, int player, const Vacated& before, int piece, int from,
                   int to) {
  const int strength = strength_of(piece);
  Vacated after{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(strength), 0};
  if (owner_of(piece) != player) {
    // A step that can be a pull is one: all that may follow a push may follow a pull too.
    if (before.pulls(strength, to)) return {};
    after.pushed = 1;
    return after;
  }
  // The step that completes a push cannot also begin a pull. A piece that its step took into a
  // trap still pulls.
  if (before.pushed || !pullable(board, player, from, strength)) return {};
  return after;
}

}  // namespace athenan::arimaa_board
