// From the key of a state to the id of its node. The table grows a little with every insertion:
// moving all of a large one at once would take longer than a move may be late.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace athenan {

class KeyTable {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = 0xffffffff;

  // The id of the entry with this key; `has_key(id)` decides among those that look alike.
  template <class HasKey>
  Id find(std::uint64_t key, HasKey&& has_key) const {
    const Id found = present_.find(key, has_key);
    return found != none || !former_.size ? found : former_.find(key, has_key);
  }

  // Asks the memory for where a key is looked for, well before find().
  void prefetch(std::uint64_t key) const {
    if (present_.size) __builtin_prefetch(&present_.memory[key & (present_.size - 1)]);
  }

  // Adds an entry to those that are there, `count` in all with it.
  void insert(std::uint64_t key, Id id, std::size_t count) {
    if (too_full(count)) {
      move_on(former_.size);
      former_ = std::move(present_);
      present_ = Slots(std::max(former_.size * growth_factor, smallest));
      moved_ = 0;
    }
    move_on(moved_each_time);
    present_.place({static_cast<std::uint32_t>(key), id + 1});
  }

  // Forgets all entries and keeps the room for as many.
  void clear() {
    if (present_.size > emptied_at_once)
      present_ = Slots(present_.size);
    else
      present_.empty();
    former_ = Slots();
  }

  std::size_t bytes() const { return (present_.size + former_.size) * sizeof(Slot); }
  // By how much bytes() may grow, at its peak, until there are `count` entries.
  std::size_t growth_for(std::size_t count) const {
    if (!too_full(count)) return 0;
    std::size_t slots = std::max(present_.size, smallest / growth_factor);
    do slots *= growth_factor;
    while (is_too_full(count, slots));
    return slots * sizeof(Slot);
  }

 private:
  static constexpr std::size_t smallest = 1024;
  static constexpr std::size_t growth_factor = 2;
  // Between two growths there is an insertion for every third of the smaller table's slots.
  static constexpr std::size_t moved_each_time = 8;
  // Slots that are written in some milliseconds. New memory would come sooner, and page by page: a
  // tree like the one before would wait for all of it again.
  static constexpr std::size_t emptied_at_once = std::size_t{1} << 21;

  struct Slot {
    std::uint32_t tag;  // the low half of the key, which also says where the entry belongs
    Id above;  // the id + 1: memory of zeros is an empty table, and costs nothing before its use
  };
  struct Free {
    void operator()(Slot* slots) const { std::free(slots); }
  };

  struct Slots {
    Slots() = default;
    explicit Slots(std::size_t size) : size(size) {
      if (!size) return;
      memory.reset(static_cast<Slot*>(std::calloc(size, sizeof(Slot))));
      if (!memory) throw std::bad_alloc();
    }
    Slots(Slots&& other) noexcept
        : memory(std::move(other.memory)), size(std::exchange(other.size, 0)) {}
    Slots& operator=(Slots&& other) noexcept {
      memory = std::move(other.memory);
      size = std::exchange(other.size, 0);
      return *this;
    }

    template <class HasKey>
    Id find(std::uint64_t key, HasKey&& has_key) const {
      if (!size) return none;
      for (std::size_t i = key & (size - 1);; i = (i + 1) & (size - 1)) {
        const Slot& slot = memory[i];
        if (!slot.above) return none;
        if (slot.tag == static_cast<std::uint32_t>(key) && has_key(slot.above - 1))
          return slot.above - 1;
      }
    }
    void empty() {
      if (size) std::memset(static_cast<void*>(memory.get()), 0, size * sizeof(Slot));
    }
    void place(Slot slot) {
      std::size_t i = slot.tag & (size - 1);
      while (memory[i].above) i = (i + 1) & (size - 1);
      memory[i] = slot;
    }

    std::unique_ptr<Slot[], Free> memory;
    std::size_t size = 0;  // a power of 2, or 0
  };

  static bool is_too_full(std::size_t count, std::size_t slots) { return count * 3 > slots * 2; }
  bool too_full(std::size_t count) const { return is_too_full(count, present_.size); }

  // Copies some more entries of the former table. They stay there too: others are found past them.
  void move_on(std::size_t slots) {
    if (!former_.size) return;
    const std::size_t end = std::min(former_.size, moved_ + slots);
    for (; moved_ < end; ++moved_)
      if (former_.memory[moved_].above) present_.place(former_.memory[moved_]);
    if (moved_ == former_.size) former_ = Slots();
  }

  Slots present_, former_;
  std::size_t moved_ = 0;  // slots of the former table whose entries are in the present one too
};

}  // namespace athenan
