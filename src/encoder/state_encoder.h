// Captions to what learned metrics read of a sentence encoder: the hidden states of all layers at the first
// token, to be mixed (scalar_mix.h), or one vector as sentence-transformers make it. With a cache on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/embedding_cache.h"
#include "encoder/encoder_engine.h"
#include "encoder/encoding.h"
#include "encoder/scalar_mix.h"

namespace capella::encoder {

enum class SentenceVectors { mix, pooled };

struct CaptionStates {
  SentenceStates states;         ///< pooled ones have one layer and no sums
  std::vector<std::size_t> cut;  ///< captions, ascending, that have more tokens than the model takes
};

class StateEncoder {
 public:
  /// Nothing for `vectors`: pooled if the folder says how (modules.json), else to be mixed. `cache` is a
  /// folder for vectors, at most `cache_bytes` of this model; empty: none. Throws FileError.
  explicit StateEncoder(const std::string& folder, std::optional<SentenceVectors> vectors = {},
                        const std::string& cache = "", std::uint64_t cache_bytes = EmbeddingCache::kMostBytes,
                        const EncoderEngine& engine = {});
  ~StateEncoder();
  StateEncoder(StateEncoder&&) noexcept;

  SentenceVectors vectors() const;
  std::size_t width() const;
  /// Of every caption: 1 if vectors are pooled, else one more than the encoder has.
  std::size_t layers() const;
  std::size_t most_tokens() const;
  const std::string& fingerprint() const;

  /// A caption's numbers depend on that caption alone, and are the same from the cache. Any thread may call
  /// it at any time.
  CaptionStates states(std::span<const std::string_view> captions, const EncodeWork& work = {}) const;

  /// What went wrong with the cache, for people; empty if nothing did. No reason to stop.
  std::string cache_problem() const;
  /// Vectors that are made from now on are not kept for later runs.
  void keep_no_more() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::encoder
