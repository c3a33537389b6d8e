#include "games/game.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace athenan {
namespace {

std::size_t rounded_up(std::size_t size) { return (size + 7) / 8 * 8; }

constexpr std::string_view swap_text = "swap";

std::string ending(Result result) {
  switch (result) {
    case Result::first_wins:
      return "the first player won";
    case Result::second_wins:
      return "the second player won";
    default:
      return "a draw";
  }
}

}  // namespace

Mobility mobility_of(const Header& header) {
  const auto mean = [](std::uint32_t sum, std::uint32_t turns) {
    return turns == 0 ? 0.0 : static_cast<double>(sum) / turns;
  };
  return {mean(header.first_player_mobility, header.first_player_turns),
          mean(header.second_player_mobility, header.ply - header.first_player_turns)};
}

Game::Game(std::string name, std::string parameters, std::unique_ptr<const Rules> rules)
    : name_(std::move(name)), parameters_(std::move(parameters)), rules_(std::move(rules)) {
  const Datasheet& sheet = datasheet();
  state_size_ = sizeof(Header) + rounded_up(rules_->state_size());
  packed_size_ = sizeof(Header) + rules_->board_size();
  encoded_size_ = sheet.planes.size() * sheet.rows * sheet.columns;
}

std::string Game::id() const { return parameters_.empty() ? name_ : name_ + ":" + parameters_; }

std::size_t Game::live_size(const std::byte* state) const {
  return sizeof(Header) + rules_->live_size(board(state));
}

Result Game::result(const std::byte* state) const {
  const Result result = rules_->result(board(state));
  return result == Result::ongoing && ply(state) >= datasheet().max_length ? Result::draw : result;
}

void Game::initial(std::byte* state) const {
  std::memset(state, 0, state_size_);
  rules_->initial(board(state));
}

void Game::moves(const std::byte* state, MoveList& out) const {
  out.clear();
  if (result(state) != Result::ongoing) return;
  rules_->moves(board(state), out);
  if (can_swap(state)) out.push_back(swap_move());
}

void Game::apply(std::byte* state, Move move, std::uint32_t mobility) const {
  Header& header = mutable_header(state);
  if (to_move(state) == 0) {
    header.first_player_turns += 1;
    header.first_player_mobility += mobility;
  } else {
    header.second_player_mobility += mobility;
  }
  if (move == swap_move())
    rules_->swap_sides(board(state));
  else
    rules_->apply(board(state), move);
  header.ply += 1;
}

MoveList Game::legal_moves(const std::byte* state) const {
  MoveList legal;
  moves(state, legal);
  if (legal.empty())
    throw IllegalMoveError("the match of " + name_ + " is over (" + ending(result(state)) +
                           "): no move can follow");
  return legal;
}

void Game::play(std::byte* state, Move move) const {
  const MoveList legal = legal_moves(state);
  if (std::find(legal.begin(), legal.end(), move) == legal.end())
    throw IllegalMoveError("move number " + std::to_string(move) + " is not legal in " + name_ +
                           " here; " + std::to_string(legal.size()) +
                           " moves are, for example number " + std::to_string(legal[0]) + " (" +
                           move_text(state, legal[0]) + ")");
  apply(state, move, static_cast<std::uint32_t>(legal.size()));
}

void Game::expand(const std::byte* state, Expansion& out, bool with_ply) const {
  moves(state, out.moves);
  const std::size_t count = out.moves.size();
  out.children.resize(count * state_size_);
  out.results.resize(count);
  out.keys.resize(count);
  if (count == 0) return;

  const std::size_t placed = count - (out.moves.back() == swap_move() ? 1 : 0);
  rules_->children(board(state), out.moves.data(), placed, board(out.children.data()), state_size_,
                   out.results.data(), out.keys.data());
  Header next = header(state);
  next.ply += 1;
  if (to_move(state) == 0) {
    next.first_player_turns += 1;
    next.first_player_mobility += static_cast<std::uint32_t>(count);
  } else {
    next.second_player_mobility += static_cast<std::uint32_t>(count);
  }
  const bool last_ply = static_cast<int>(next.ply) >= datasheet().max_length;
  for (std::size_t i = 0; i < placed; ++i) {
    mutable_header(out.children.data() + i * state_size_) = next;
    out.keys[i] = key_at(out.keys[i], next.ply, with_ply);
    if (last_ply && out.results[i] == Result::ongoing) out.results[i] = Result::draw;
  }
  if (placed < count) {
    std::byte* child = out.children.data() + placed * state_size_;
    std::memcpy(child, state, live_size(state));
    apply(child, swap_move(), static_cast<std::uint32_t>(count));
    out.results[placed] = result(child);
    out.keys[placed] = key(child, with_ply);
  }
}

bool Game::play_randomly(std::byte* state, Random& random) const {
  MoveList legal;
  moves(state, legal);
  if (legal.empty()) return false;
  const auto count = static_cast<std::uint32_t>(legal.size());
  apply(state, legal[random.below(count)], count);
  return true;
}

Playout Game::playout(std::byte* state, Random& random) const {
  int plies = 0;
  // The rules know nothing of the swap: play the plies that decide on it here.
  while ((can_swap(state) || (offers_swap() && ply(state) == 0)) && play_randomly(state, random))
    ++plies;
  const Result already = result(state);
  if (already != Result::ongoing) return {already, plies};
  Header& header = mutable_header(state);
  Playout end = rules_->playout(board(state), datasheet().max_length - ply(state), random);
  header.ply += end.plies;
  if (end.result == Result::ongoing) end.result = Result::draw;
  end.plies += plies;
  return end;
}

std::uint64_t Game::key_at(std::uint64_t board_key, std::uint32_t ply, bool with_ply) const {
  return with_ply || datasheet().cyclic ? mix(board_key, ply) : board_key;
}

std::uint64_t Game::key(const std::byte* state, bool with_ply) const {
  return key_at(rules_->key(board(state)), header(state).ply, with_ply);
}

bool Game::equal(const std::byte* a, const std::byte* b) const {
  const std::size_t size = rules_->live_size(board(a));
  return size == rules_->live_size(board(b)) && (!datasheet().cyclic || ply(a) == ply(b)) &&
         std::memcmp(board(a), board(b), size) == 0;
}

void Game::encode(const std::byte* states, std::size_t count, std::size_t stride,
                  std::int8_t* out) const {
  if (count > 0) rules_->encode(board(states), count, stride, out);
}

void Game::check_symmetry(int symmetry) const {
  if (symmetry < 0 || symmetry >= datasheet().symmetries)
    throw Error(name_ + " has no symmetry number " + std::to_string(symmetry) + "; it has " +
                std::to_string(datasheet().symmetries) + ", numbered from 0");
}

void Game::check_move_number(Move move) const {
  if (move >= move_count())
    throw IllegalMoveError("move number " + std::to_string(move) + " does not exist in " + name_ +
                           "; moves are numbers below " + std::to_string(move_count()));
}

void Game::transform(const std::byte* state, int symmetry, std::byte* out) const {
  check_symmetry(symmetry);
  std::memcpy(out, state, sizeof(Header));
  rules_->transform(board(state), symmetry, board(out));
}

Move Game::transform_move(const std::byte* state, int symmetry, Move move) const {
  check_symmetry(symmetry);
  check_move_number(move);
  return move == swap_move() ? move : rules_->transform_move(board(state), symmetry, move);
}

void Game::move_path(const std::byte* state, Move move, MovePath& out) const {
  out.kind = 0;
  out.cells.clear();
  if (move == swap_move())
    out.kind = static_cast<int>(datasheet().move_kinds.size()) - 1;
  else
    rules_->move_path(board(state), move, out);
}

std::string Game::move_text(const std::byte* state, Move move) const {
  check_move_number(move);
  return move == swap_move() ? std::string(swap_text) : rules_->move_text(board(state), move);
}

Move Game::parse_move(const std::byte* state, std::string_view text) const {
  const MoveList legal = legal_moves(state);
  for (const Move move : legal)
    if (move_text(state, move) == text) return move;
  throw IllegalMoveError("move " + in_quotes(text) + " is not legal in " + name_ + " here; " +
                         std::to_string(legal.size()) + " moves are, for example " +
                         move_text(state, legal[0]) + " (notation: " + datasheet().move_notation +
                         ")");
}

std::string Game::position_text(const std::byte* state) const {
  std::string text = rules_->position_text(board(state));
  return datasheet().board_determines_ply ? text : text + " @" + std::to_string(ply(state));
}

void Game::parse_position(std::string_view text, std::byte* state) const {
  std::memset(state, 0, state_size_);
  if (datasheet().board_determines_ply) {
    rules_->parse_position(text, board(state));
    const int ply = rules_->ply_of(board(state));
    if (ply < 0 || ply > datasheet().max_length)
      throw PositionError("position " + in_quotes(text) + " of " + name_ + " has the ply " +
                          std::to_string(ply) + "; accepted is a number from 0 to " +
                          std::to_string(datasheet().max_length));
    mutable_header(state).ply = ply;
    return;
  }
  const std::size_t at = text.rfind(" @");
  rules_->parse_position(text.substr(0, at), board(state));
  if (at == std::string_view::npos) return;
  const std::string_view number = text.substr(at + 2);
  std::uint32_t ply = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), ply);
  if (problem != std::errc{} || end != number.data() + number.size() ||
      ply > static_cast<std::uint32_t>(datasheet().max_length))
    throw PositionError("position " + in_quotes(text) + " of " + name_ + " has the ply " +
                        in_quotes(number) + "; accepted is a number from 0 to " +
                        std::to_string(datasheet().max_length));
  mutable_header(state).ply = ply;
}

void Game::read(const std::byte* bytes, std::size_t size, std::byte* state) const {
  const std::size_t longest = sizeof(Header) + rules_->state_size();
  if (size <= sizeof(Header) || size > longest)
    throw PositionError("a state of " + name_ + " has at most " + std::to_string(longest) +
                        " bytes and more than " + std::to_string(sizeof(Header)) + ", not " +
                        std::to_string(size));
  std::memset(state, 0, state_size_);
  std::memcpy(state, bytes, size);
  check(state);
  if (live_size(state) != size)
    throw PositionError("this state of " + name_ + " has " + std::to_string(live_size(state)) +
                        " bytes, not " + std::to_string(size));
}

void Game::check(const std::byte* state) const {
  refuse_if_flawed(state, rules_->flaw(board(state)));
}

void Game::check_packed(const std::byte* state) const {
  refuse_if_flawed(state, rules_->board_flaw(board(state)));
}

void Game::refuse_if_flawed(const std::byte* state, std::string problem) const {
  const Header& header = Game::header(state);
  if (problem.empty()) {
    const bool wrong_ply = datasheet().board_determines_ply
                               ? ply(state) != rules_->ply_of(board(state))
                               : header.ply > static_cast<std::uint32_t>(datasheet().max_length);
    if (wrong_ply)
      problem = "the ply does not fit the board";
    else if (header.first_player_turns > header.ply)
      problem = "a player had more turns than there were plies";
  }
  if (!problem.empty())
    throw PositionError("these bytes are not a state of " + name_ + ": " + problem);
}

}  // namespace athenan
