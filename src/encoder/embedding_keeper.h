// What an encoder has made: the newest in memory, so that a text that comes again in a run is not encoded
// again, and all on disk if there is a folder for it. If that cannot be written, it is told at the end and
// stops nothing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "encoder/embedding_cache.h"
#include "encoder/encoding.h"

namespace capella::encoder {

/// Where vectors are kept for later runs.
struct EmbeddingFolder {
  std::string path;  ///< empty: nowhere
  std::uint64_t most_bytes = EmbeddingCache::kMostBytes;
};

class EmbeddingKeeper {
 public:
  static constexpr std::size_t kMostInMemory = std::size_t{64} << 20;  ///< bytes

  /// `model` names the model and the kind of vector, `width` is the size of one. Throws FileError if the
  /// folder cannot be made or written.
  EmbeddingKeeper(const EmbeddingFolder& folder, std::string_view model, std::size_t width,
                  std::size_t most_in_memory = kMostInMemory);

  /// Any thread may call this and the following at any time.
  std::optional<Embedding> find(const EmbeddingKey& key) const;
  void add(std::span<const Embedding> embeddings);
  /// What is added from now on is not written to disk: a run that goes on for days, as a reward's does, would
  /// fill it with captions that never come again.
  void write_no_more() { writes_ = false; }

  /// What went wrong, for people; empty if nothing did.
  std::string problem() const;

 private:
  // What was made lately; when it is half of what may be kept, it takes the place of what was made before.
  struct Generation {
    tsl::robin_map<EmbeddingKey, Embedding, EmbeddingKeyHash> embeddings;
    std::size_t bytes = 0;
  };
  void remember(std::span<const Embedding> embeddings);

  std::unique_ptr<EmbeddingCache> cache_;
  std::atomic<bool> writes_{true};
  std::size_t most_in_memory_;
  mutable std::mutex mutex_;
  Generation newer_;
  Generation older_;
  std::string failure_;
};

/// What is looked for, and how many numbers it must have.
struct SoughtEmbedding {
  EmbeddingKey key;
  std::size_t size = 0;
};

/// What is kept of sought(0) ... sought(count - 1); those that are not there have their keys, and no numbers.
template <class Sought>
std::vector<Embedding> find_all(const EmbeddingKeeper& keeper, std::size_t count, const EncodeWork& work,
                                const Sought& sought) {
  constexpr std::size_t kAtOnce = 256;
  std::vector<Embedding> all(count);
  for_each_piece({work.pool, {}}, "", pieces_of(count, kAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kAtOnce, count);
    for (std::size_t i = piece * kAtOnce; i < end; ++i) {
      const SoughtEmbedding one = sought(i);
      const std::optional<Embedding> found = keeper.find(one.key);
      all[i] = found && found->size == one.size ? *found : Embedding{one.key, 0, one.size, nullptr};
    }
  });
  return all;
}

/// The places of those without numbers.
std::vector<std::size_t> not_found(std::span<const Embedding> embeddings);

}  // namespace capella::encoder
