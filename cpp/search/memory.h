// The memory of resolved states: what has been proven, kept beyond the match that proved it.
// Searches read it; what they resolve is merged between matches, in the order of the matches, so
// that a pool's results do not depend on threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace athenan {

struct Resolved {
  std::uint64_t key = 0;
  float value = 0;
  std::int8_t completion = 0;
};

class ResolvedMemory {
 public:
  // Meanwhile the memory is read, on any thread, and may not change. Of no memory: nothing.
  class Reading {
   public:
    explicit Reading(const ResolvedMemory* memory) : memory_(memory) {
      if (memory_) ++memory_->readers_;
    }
    ~Reading() {
      if (memory_) --memory_->readers_;
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    const ResolvedMemory* memory_;
  };

  struct Entry {
    float value;
    std::int8_t completion;
  };

  const Entry* find(std::uint64_t key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  void merge(const std::vector<Resolved>& resolved) {
    check_unread();
    for (const Resolved& r : resolved) entries_[r.key] = {r.value, r.completion};
  }
  std::size_t size() const { return entries_.size(); }
  void clear() {
    check_unread();
    entries_.clear();
  }
  // By key: the same memory, the same list.
  std::vector<Resolved> all() const {
    std::vector<Resolved> out;
    for (const auto& [key, entry] : entries_) out.push_back({key, entry.value, entry.completion});
    std::sort(out.begin(), out.end(),
              [](const Resolved& a, const Resolved& b) { return a.key < b.key; });
    return out;
  }

 private:
  void check_unread() const {
    if (readers_ > 0)
      throw Error("the memory of resolved states is read by a search: it may not change meanwhile");
  }

  mutable std::atomic<int> readers_{0};
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace athenan
