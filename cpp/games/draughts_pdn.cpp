#include "games/draughts_pdn.h"

#include <charconv>
#include <utility>

#include "base/error.h"

namespace athenan {
namespace {

constexpr int highest_count = 254;

// Takes the text up to a separator, which goes too.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view head = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return head;
}

std::optional<int> read_number(std::string_view text, int lowest, int highest) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return {};
  if (number < lowest || number > highest) return {};
  return number;
}

// "31,K46,48-50"
bool read_pieces(std::string_view list, int squares, std::vector<PdnPosition::Piece>& out) {
  if (list.ends_with(',')) return false;
  while (!list.empty()) {
    std::string_view item = cut(list, ',');
    const bool king = item.starts_with('K');
    if (king) item.remove_prefix(1);
    const bool range = item.find('-') != std::string_view::npos;
    const auto first = read_number(cut(item, '-'), 1, squares);
    const auto last = range ? read_number(item, 1, squares) : first;
    if (!first || !last || *first > *last) return false;
    for (int square = *first; square <= *last; ++square) out.push_back({square, king});
  }
  return true;
}

bool read_position(std::string_view text, int squares, PdnPosition& out) {
  if (text.ends_with(':')) return false;
  const std::string_view side = cut(text, ':');
  if (side != "W" && side != "B") return false;
  out.black_to_move = side == "B";
  std::array<bool, 2> seen{};
  while (!(seen[0] && seen[1])) {
    const std::string_view list = cut(text, ':');
    if (!list.starts_with('W') && !list.starts_with('B')) return false;
    const int player = list[0] == 'B';
    if (std::exchange(seen[player], true)) return false;
    if (!read_pieces(list.substr(1), squares, out.pieces[player])) return false;
  }
  for (auto [letter, count] : {std::pair{'H', &out.king_plies}, {'E', &out.countdown}})
    if (text.starts_with(letter)) {
      *count = read_number(cut(text, ':').substr(1), 0, highest_count);
      if (!*count) return false;
    }
  return text.empty();
}

}  // namespace

std::string PdnPosition::text() const {
  std::string out = black_to_move ? "B" : "W";
  for (const int player : {0, 1}) {
    const char* separator = player ? ":B" : ":W";
    if (pieces[player].empty()) out += separator;
    for (const Piece& piece : pieces[player]) {
      out += separator + std::string(piece.king ? "K" : "") + std::to_string(piece.square);
      separator = ",";
    }
  }
  if (king_plies) out += ":H" + std::to_string(*king_plies);
  if (countdown) out += ":E" + std::to_string(*countdown);
  return out;
}

PdnPosition PdnPosition::parse(std::string_view text, int squares) {
  PdnPosition out;
  if (!read_position(text, squares, out))
    throw PositionError("position " + in_quotes(text) +
                        " of draughts is not a side to move and lists of squares from 1 to " +
                        std::to_string(squares) +
                        " like W:W31,K46:B1,2, where :H and :E may follow with their numbers");
  return out;
}

}  // namespace athenan
