#include "matches/record_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

namespace athenan {
namespace {

constexpr std::uint64_t mark = 0x3130'6472'6f63'6572;  // "record01"

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

class Writer {
 public:
  template <Plain T>
  void value(const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
  }
  template <Plain T>
  void list(const std::vector<T>& values) {
    value(static_cast<std::uint64_t>(values.size()));
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), first, first + values.size() * sizeof(T));
  }
  // Rows of `width` bytes, column by column.
  void columns(const std::byte* rows, std::size_t count, std::size_t width) {
    const std::size_t start = bytes_.size();
    bytes_.resize(start + count * width);
    std::byte* out = bytes_.data() + start;
    for (std::size_t column = 0; column < width; ++column)
      for (std::size_t row = 0; row < count; ++row) *out++ = rows[row * width + column];
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <Plain T>
  T value() {
    T out;
    std::memcpy(&out, take(sizeof out), sizeof out);
    return out;
  }
  template <Plain T>
  std::vector<T> list() {
    const std::size_t count = counted(sizeof(T));
    std::vector<T> out(count);
    const std::byte* first = take(count * sizeof(T));
    if (count) std::memcpy(out.data(), first, count * sizeof(T));
    return out;
  }
  void columns(std::byte* rows, std::size_t count, std::size_t width) {
    const std::byte* in = take(count * width);
    for (std::size_t column = 0; column < width; ++column)
      for (std::size_t row = 0; row < count; ++row) rows[row * width + column] = *in++;
  }
  // The length of what follows, of which every element takes so many bytes at least.
  std::size_t counted(std::size_t element) {
    const auto count = value<std::uint64_t>();
    refuse_unless(count <= bytes_.size() / element);
    return count;
  }
  bool at_end() const { return bytes_.empty(); }

  static void refuse_unless(bool fitting) {
    if (!fitting) throw ParameterError("these bytes are no record of a match of this game");
  }

 private:
  const std::byte* take(std::size_t count) {
    refuse_unless(count <= bytes_.size());
    const std::byte* first = bytes_.data();
    bytes_ = bytes_.subspan(count);
    return first;
  }

  std::span<const std::byte> bytes_;
};

// Padding would carry whatever lay in memory: structures go member by member.
void write(Writer& out, const Spent& spent) {
  out.value(spent.expansions);
  out.value(spent.evaluations);
  out.value(spent.iterations);
  out.value(spent.transpositions);
  out.value(spent.seconds);
}

constexpr std::size_t spent_bytes = 4 * sizeof(std::uint64_t) + sizeof(double);

Spent read_spent(Reader& in) {
  Spent spent;
  spent.expansions = in.value<std::uint64_t>();
  spent.evaluations = in.value<std::uint64_t>();
  spent.iterations = in.value<std::uint64_t>();
  spent.transpositions = in.value<std::uint64_t>();
  spent.seconds = in.value<double>();
  return spent;
}

bool are_offsets(const std::vector<std::int64_t>& offsets, std::size_t end) {
  return !offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
         offsets.back() == static_cast<std::int64_t>(end);
}

bool are_finite(const std::vector<float>& numbers) {
  return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

void write(Writer& out, const Targets& targets) {
  const std::size_t count = targets.values.size();
  out.value(static_cast<std::uint64_t>(count));
  out.columns(targets.states.data(), count, count ? targets.states.size() / count : 0);
  out.columns(reinterpret_cast<const std::byte*>(targets.values.data()), count, sizeof(float));
  out.list(targets.moves.offsets);
  out.list(targets.moves.numbers);
  out.list(targets.moves.targets);
}

Targets read_targets(Reader& in, std::size_t width) {
  const std::size_t count = in.counted(width + sizeof(float));
  Targets targets{std::vector<std::byte>(count * width), std::vector<float>(count), {}};
  in.columns(targets.states.data(), count, width);
  in.columns(reinterpret_cast<std::byte*>(targets.values.data()), count, sizeof(float));
  Reader::refuse_unless(are_finite(targets.values));
  MoveTargets& moves = targets.moves;
  moves.offsets = in.list<std::int64_t>();
  moves.numbers = in.list<Move>();
  moves.targets = in.list<float>();
  Reader::refuse_unless(are_offsets(moves.offsets, moves.numbers.size()) &&
                        (moves.offsets.size() == 1 || moves.offsets.size() == count + 1) &&
                        moves.targets.size() == moves.numbers.size() && are_finite(moves.targets));
  return targets;
}

void write(Writer& out, const std::vector<Resolved>& resolved) {
  out.value(static_cast<std::uint64_t>(resolved.size()));
  for (const Resolved& each : resolved) out.value(each.key);
  for (const Resolved& each : resolved) out.value(each.value);
  for (const Resolved& each : resolved) out.value(each.completion);
}

std::vector<Resolved> read_resolved(Reader& in) {
  std::vector<Resolved> resolved(in.counted(sizeof(std::uint64_t)));
  for (Resolved& each : resolved) each.key = in.value<std::uint64_t>();
  for (Resolved& each : resolved) each.value = in.value<float>();
  for (Resolved& each : resolved) each.completion = in.value<std::int8_t>();
  Reader::refuse_unless(std::ranges::all_of(resolved, [](const Resolved& each) {
    return std::isfinite(each.value) && -1 <= each.completion && each.completion <= 1;
  }));
  return resolved;
}

}  // namespace

std::vector<std::byte> bytes_of_record(const MatchRecord& record) {
  Writer out;
  out.value(mark);
  out.value(record.index);
  out.value(record.seed);
  out.value(record.first_mind);
  out.value(record.memory_full);
  out.value(record.result);
  out.list(record.moves);
  out.list(record.values);
  out.list(record.movers);
  out.value(static_cast<std::uint64_t>(record.spent.size()));
  for (const Spent& spent : record.spent) write(out, spent);
  out.list(record.end);
  out.value(static_cast<std::uint8_t>(record.targets.size()));
  for (const Targets& targets : record.targets) write(out, targets);
  write(out, record.resolved);
  return out.take();
}

MatchRecord record_of_bytes(const Game& game, std::span<const std::byte> bytes) {
  Reader in(bytes);
  MatchRecord record;
  Reader::refuse_unless(in.value<std::uint64_t>() == mark);
  record.index = in.value<std::uint64_t>();
  record.seed = in.value<std::uint64_t>();
  record.first_mind = in.value<int>();
  record.memory_full = in.value<int>();
  const auto result = static_cast<int>(in.value<Result>());
  Reader::refuse_unless(-1 <= result && result <= 1);
  record.result = static_cast<Result>(result);
  record.moves = in.list<Move>();
  record.values = in.list<float>();
  record.movers = in.list<std::uint8_t>();
  const std::size_t turns = record.values.size();
  Reader::refuse_unless(record.movers.size() == turns && turns <= record.moves.size() &&
                        are_finite(record.values));
  const std::size_t searches = in.counted(spent_bytes);
  record.spent.reserve(searches);
  for (std::size_t search = 0; search < searches; ++search) record.spent.push_back(read_spent(in));
  record.end = in.list<std::byte>();
  Reader::refuse_unless(record.end.size() <= game.state_size());
  const auto minds = in.value<std::uint8_t>();
  Reader::refuse_unless(1 <= minds && minds <= 2);
  for (int mind = 0; mind < minds; ++mind)
    record.targets.push_back(read_targets(in, game.packed_size()));
  record.resolved = read_resolved(in);
  Reader::refuse_unless(in.at_end());
  return record;
}

}  // namespace athenan
