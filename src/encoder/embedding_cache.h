// Vectors of texts and pictures on disk, so that what was encoded once needs no encoding in later runs.
//
// A folder holds one file per model, kind of vector and version of Capella, named by all three. A file is a
// head and records: a head of 64 bytes with key, mark and size, and the numbers, one vector or, where tokens
// have one each, several. Records are only ever appended, under a lock, so that processes may share a file. A
// process that is killed while it appends leaves a torn record at the end; nobody takes it for a vector, and
// the next who appends cuts it off. Both parts of a record have a checksum, and records begin at multiples of
// 64, so behind one that is damaged the next is found. When a file grows too large it is replaced, in one
// step, by one with its newest records.
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

/// What is kept of a text or picture. The numbers stay where they are for as long as somebody holds them.
struct Embedding {
  EmbeddingKey key;
  std::uint64_t mark = 0;  ///< whatever the caller wants to know again
  std::size_t size = 0;    ///< of `numbers`
  std::shared_ptr<const float> numbers;
};

class EmbeddingCache {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

  /// `model` names the model and the kind of vector, `width` is the size of one. Makes the folder if it is
  /// not there; throws FileError if it cannot be made or written. The file will have at most `most_bytes`.
  EmbeddingCache(const std::string& folder, std::string_view model, std::size_t width,
                 std::uint64_t most_bytes = kMostBytes);

  const std::string& path() const { return path_; }

  /// What was wrong with the file that was there, for people; empty if nothing was.
  const std::string& problem() const { return problem_; }

  /// Nothing if there was none when the cache was opened, or it is damaged. Numbers are not copied: they lie
  /// in the file, at a multiple of 64 bytes. Any thread may call it at any time.
  std::optional<Embedding> find(const EmbeddingKey& key) const;

  /// Appends those that are not there. Throws FileError. Any thread may call it at any time.
  void add(std::span<const Embedding> embeddings);

 private:
  struct Place {
    EmbeddingKey key;
    const char* record;

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::string head(std::uint64_t stamp) const;
  std::optional<std::uint64_t> stamp_of(std::string_view file) const;
  void open();
  const char* whole_record(const EmbeddingKey& key) const;
  void append(std::string_view records);
  void replace(std::string_view old, std::string_view records);

  std::uint64_t model_;
  std::size_t width_;
  std::uint64_t most_bytes_;
  std::string path_;
  std::string problem_;
  std::shared_ptr<const resource::MappedFile> file_;  // null if there is none that can be used
  // Sorted by key, of equal ones the newest last. No hash table: a file could name keys that all fall
  // together.
  std::vector<Place> records_;
  std::mutex mutex_;  // for what follows
  tsl::robin_set<EmbeddingKey, EmbeddingKeyHash> added_;
  // Up to where records were seen, and in which file, since others may replace it: all have stamps of their
  // own.
  std::uint64_t stamp_ = 0;
  std::size_t seen_ = 0;
};

}  // namespace capella::encoder
