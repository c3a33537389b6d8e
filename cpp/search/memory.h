// The memory of resolved states: what has been proven, kept beyond the match that proved it.
// Searches read it; what they resolve is merged between matches, in the order of the matches, so
// that a pool's results do not depend on threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace athenan {

struct Resolved {
  std::uint64_t key = 0;
  float value = 0;
  std::int8_t completion = 0;
};

class ResolvedMemory {
 public:
  struct Entry {
    float value;
    std::int8_t completion;
  };

  const Entry* find(std::uint64_t key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  void merge(const std::vector<Resolved>& resolved) {
    for (const Resolved& r : resolved) entries_[r.key] = {r.value, r.completion};
  }
  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }
  // By key: the same memory, the same list.
  std::vector<Resolved> all() const {
    std::vector<Resolved> out;
    for (const auto& [key, entry] : entries_) out.push_back({key, entry.value, entry.completion});
    std::sort(out.begin(), out.end(),
              [](const Resolved& a, const Resolved& b) { return a.key < b.key; });
    return out;
  }

 private:
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace athenan
