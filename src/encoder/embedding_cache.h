// Vectors of texts and pictures on disk, so that what was encoded once needs no encoding in later runs.
//
// A folder holds one file per model and version of Capella, named by both. A file is a head and records of
// one size: checksum, key, mark, numbers. Records are only ever appended, under a lock, so that processes may
// share a file. A process that is killed while it appends leaves a torn record at the end; its checksum does
// not fit, so nobody takes it for a vector, and the next who appends cuts it off. When a file grows too large
// it is replaced, in one step, by one with its newest records.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_set.h>

#include "resource/mapped_file.h"

namespace capella::encoder {

/// Stands for what was encoded.
struct EmbeddingKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const EmbeddingKey&, const EmbeddingKey&) = default;
};

/// `kind` keeps apart what has equal bytes but is encoded in different ways.
EmbeddingKey embedding_key(std::string_view kind, std::string_view bytes);

struct EmbeddingKeyHash {
  std::size_t operator()(const EmbeddingKey& key) const { return key.low; }
};

/// What is to be kept; `vector` has as many numbers as the cache's vectors.
struct Embedding {
  EmbeddingKey key;
  std::uint64_t mark = 0;  ///< whatever the caller wants to know again
  const float* vector = nullptr;
};

class EmbeddingCache {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

  /// `model` is the model's fingerprint and `width` the size of its vectors. Makes the folder if it is not
  /// there; throws FileError if it cannot be made or written. The file will have at most `most_bytes`.
  EmbeddingCache(const std::string& folder, std::string_view model, std::size_t width,
                 std::uint64_t most_bytes = kMostBytes);

  const std::string& path() const { return path_; }

  /// What was wrong with the file that was there, for people; empty if nothing was.
  const std::string& problem() const { return problem_; }

  /// Copies the vector to `out` and returns its mark; nothing if there was none when the cache was opened, or
  /// it is damaged. Any thread may call it at any time.
  std::optional<std::uint64_t> find(const EmbeddingKey& key, float* out) const;

  /// Appends those that are not there. Throws FileError. Any thread may call it at any time.
  void add(std::span<const Embedding> embeddings);

 private:
  struct Place {
    EmbeddingKey key;
    const char* record;
  };

  std::string head() const;
  std::size_t record_size() const { return 4 * sizeof(std::uint64_t) + width_ * sizeof(float); }
  bool is_head(std::span<const std::byte> bytes) const;
  void open();
  std::string record_of(const Embedding& embedding) const;
  bool is_whole(const char* record) const;
  const char* whole_record(const EmbeddingKey& key) const;
  void append(const std::string& records) const;
  void replace(std::span<const std::byte> old, std::string_view records) const;

  std::uint64_t model_;
  std::size_t width_;
  std::uint64_t most_bytes_;
  std::string path_;
  std::string problem_;
  std::unique_ptr<const resource::MappedFile> file_;  // null if there is none that can be used
  // Sorted by key, of equal ones the newest last. No hash table: a file could name keys that all fall
  // together.
  std::vector<Place> records_;
  std::mutex mutex_;
  tsl::robin_set<EmbeddingKey, EmbeddingKeyHash> added_;
};

}  // namespace capella::encoder
