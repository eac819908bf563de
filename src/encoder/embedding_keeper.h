// An encoder's cache on disk, if it has one. If it cannot be written, that is told at the end and stops
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "capella/error.h"

#include "encoder/embedding_cache.h"

namespace capella::encoder {

class EmbeddingKeeper {
 public:
  /// An empty folder: there is none. Throws FileError if it cannot be made or written.
  EmbeddingKeeper(const std::string& folder, std::string_view model, std::size_t width,
                  std::uint64_t most_bytes) {
    if (!folder.empty()) cache_ = std::make_unique<EmbeddingCache>(folder, model, width, most_bytes);
  }

  std::optional<std::uint64_t> find(const EmbeddingKey& key, float* out) const {
    return cache_ == nullptr ? std::nullopt : cache_->find(key, out);
  }

  void add(std::span<const Embedding> embeddings) {
    if (cache_ == nullptr) return;
    try {
      cache_->add(embeddings);
    } catch (const FileError& failure) {
      const std::lock_guard lock(mutex_);
      if (failure_.empty()) failure_ = fmt::format("vectors are not kept: {}", failure.what());
    }
  }

  /// What went wrong, for people; empty if nothing did.
  std::string problem() const {
    const std::lock_guard lock(mutex_);
    if (!failure_.empty() || cache_ == nullptr) return failure_;
    return cache_->problem();
  }

 private:
  std::unique_ptr<EmbeddingCache> cache_;
  mutable std::mutex mutex_;
  std::string failure_;
};

}  // namespace capella::encoder
