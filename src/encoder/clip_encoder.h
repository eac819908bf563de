// Captions and pictures to CLIP's vectors: a model's folder, its tokenizer, how it wants pictures, and a
// cache on disk. Each text or picture is encoded once, whatever the lists it stands in; long and short texts
// do not share batches. A vector depends on its text or picture alone, so the number of threads changes
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/embedding_cache.h"
#include "encoder/encoder_engine.h"
#include "encoder/encoding.h"
#include "encoder/image_input.h"

namespace capella::encoder {

class ClipEncoder {
 public:
  /// `cache` is a folder for vectors, at most `cache_bytes` of this model; empty: none. Throws FileError.
  explicit ClipEncoder(const std::string& folder, const std::string& cache = "",
                       std::uint64_t cache_bytes = EmbeddingCache::kMostBytes,
                       const EncoderEngine& engine = {});

  ~ClipEncoder();
  ClipEncoder(ClipEncoder&&) noexcept;

  std::size_t width() const;
  /// Tokens that a text may have, both ends counted.
  std::size_t most_tokens() const;
  /// Which model, for signatures.
  const std::string& fingerprint() const;
  /// How pictures are prepared.
  const ImageInput& image_input() const;

  /// The vectors of `prompt` + text, as the model projects them, not of length 1. Lists that were asked for
  /// lately, or that somebody still holds, are not made again. Any thread may call these two at any time.
  std::shared_ptr<const Features> texts(std::span<const std::string_view> texts, std::string_view prompt,
                                        const EncodeWork& work = {}) const;
  /// Throws FileError that names the file if a picture cannot be read.
  std::shared_ptr<const Features> images(std::span<const std::string> paths,
                                         const EncodeWork& work = {}) const;

  /// What went wrong with the cache, for people; empty if nothing did. No reason to stop.
  std::string cache_problem() const;
  /// Vectors that are made from now on are not kept for later runs.
  void keep_no_more() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::encoder
