// Memory that only grows, in blocks, until it is cleared: no allocation once the blocks are there.
// The blocks are kept by clear(), so that the next match reuses them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace athenan {

class Arena {
 public:
  // Memory aligned to 8 bytes, uninitialised, never moved.
  std::byte* allocate(std::size_t size) {
    size = (size + 7) / 8 * 8;
    while (current_ < blocks_.size() && used_ + size > blocks_[current_].size) next_block();
    if (current_ == blocks_.size()) add_block(size);
    std::byte* out = blocks_[current_].memory.get() + used_;
    used_ += size;
    return out;
  }

  void clear() { current_ = used_ = 0; }

  // Bytes held, in use or not.
  std::size_t reserved() const { return reserved_; }

  // By how much reserved() would grow for one more allocation of this size.
  std::size_t growth_for(std::size_t size) const {
    for (std::size_t k = current_, used = used_; k < blocks_.size(); ++k, used = 0)
      if (used + size + 8 <= blocks_[k].size) return 0;
    return block_size_for(size);
  }

 private:
  static constexpr std::size_t smallest_block = 8 << 10;
  static constexpr std::size_t largest_block = 256 << 10;

  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };

  // Blocks grow with the arena: a tiny tree stays tiny, a large one wastes at most one block.
  std::size_t block_size_for(std::size_t size) const {
    return std::max(size + 8, std::clamp(reserved_ / 4, smallest_block, largest_block));
  }
  void next_block() {
    ++current_;
    used_ = 0;
  }
  void add_block(std::size_t size) {
    const std::size_t bytes = block_size_for(size) / 8 * 8;
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(bytes), bytes});
    reserved_ += bytes;
    used_ = 0;
  }

  std::vector<Block> blocks_;
  std::size_t current_ = 0, used_ = 0, reserved_ = 0;
};

}  // namespace athenan
