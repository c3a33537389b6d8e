#include "base/nearest.h"

#include <algorithm>

namespace athenan {
namespace {

constexpr std::size_t longest_word = 40;
constexpr std::size_t shortest_part = 3;  // of a name that stands for the whole, as in gomoku

// Letters to insert, delete, replace or exchange with their neighbour to make b of a.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) steps[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) steps[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1,
                              steps[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                              exchanged ? steps[i - 2][j - 2] + 1 : longest_word});
    }
  return steps[a.size()][b.size()];
}

std::string plain(std::string_view word) {
  std::string out;
  for (char c : word)
    if (c != '_' && c != '-' && c != ' ')
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string given = plain(word);
  if (given.size() < 2 || given.size() > longest_word) return "";
  const std::string* nearest = nullptr;
  std::size_t fewest = std::max<std::size_t>(1, given.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::string candidate = plain(name);
    const bool is_part =
        given.size() >= shortest_part && candidate.find(given) != std::string::npos;
    const std::size_t steps = is_part ? 1 : distance(given, candidate);
    if (steps < fewest) fewest = steps, nearest = &name;
  }
  return nearest ? " (did you mean " + *nearest + "?)" : "";
}

}  // namespace athenan
