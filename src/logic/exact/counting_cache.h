// Components that a counting search has met, with what came of them. Keys are compared in full, so there are
// no wrong answers by chance; those not asked for longest are forgotten when memory is used up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace capella::logic {

class CountingCache {
 public:
  using Key = std::span<const std::uint32_t>;
  struct Hash {
    std::uint64_t low, high;
    friend bool operator==(const Hash&, const Hash&) = default;
  };

  explicit CountingCache(std::size_t most_bytes) : most_bytes_(most_bytes), buckets_(1024, kNone) {}

  static Hash hash(Key key);
  std::optional<std::uint32_t> find(const Hash& hash, Key key);
  /// The key must not be there.
  void insert(const Hash& hash, Key key, std::uint32_t value);

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t hits() const { return hits_; }
  std::size_t forgotten() const { return forgotten_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Entry {
    Hash hash;
    std::unique_ptr<std::uint32_t[]> key;
    std::uint32_t size, value;
    std::uint32_t next;          // in the same bucket
    std::uint32_t newer, older;  // by last use
  };

  static std::size_t bytes_of(std::size_t key_size);
  std::uint32_t& bucket(const Hash& hash) { return buckets_[hash.low & (buckets_.size() - 1)]; }
  void unlink(std::uint32_t entry);
  void link_newest(std::uint32_t entry);
  void forget_oldest();
  void grow();

  std::size_t most_bytes_;
  std::size_t bytes_ = 0, count_ = 0, hits_ = 0, forgotten_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> unused_;  // places in entries_
  std::vector<std::uint32_t> buckets_;
  std::uint32_t newest_ = kNone, oldest_ = kNone;
};

}  // namespace capella::logic
