#include "encoder/embedding_keeper.h"

#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::encoder {

EmbeddingKeeper::EmbeddingKeeper(const EmbeddingFolder& folder, std::string_view model, std::size_t width,
                                 std::size_t most_in_memory)
    : most_in_memory_(most_in_memory) {
  if (!folder.path.empty())
    cache_ = std::make_unique<EmbeddingCache>(folder.path, model, width, folder.most_bytes);
}

std::optional<Embedding> EmbeddingKeeper::find(const EmbeddingKey& key) const {
  {
    const std::lock_guard lock(mutex_);
    for (const Generation* generation : {&newer_, &older_}) {
      const auto found = generation->embeddings.find(key);
      if (found != generation->embeddings.end()) return found->second;
    }
  }
  return cache_ == nullptr ? std::nullopt : cache_->find(key);
}

void EmbeddingKeeper::remember(std::span<const Embedding> embeddings) {
  const std::lock_guard lock(mutex_);
  for (const Embedding& embedding : embeddings) {
    newer_.embeddings.insert_or_assign(embedding.key, embedding);
    newer_.bytes += embedding.size * sizeof(float);
  }
  if (newer_.bytes > most_in_memory_ / 2) older_ = std::exchange(newer_, {});
}

void EmbeddingKeeper::add(std::span<const Embedding> embeddings) {
  remember(embeddings);
  if (cache_ == nullptr || !writes_) return;
  try {
    cache_->add(embeddings);
  } catch (const FileError& failure) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = fmt::format("vectors are not kept: {}", failure.what());
  }
}

std::string EmbeddingKeeper::problem() const {
  const std::lock_guard lock(mutex_);
  if (!failure_.empty() || cache_ == nullptr) return failure_;
  return cache_->problem();
}

std::vector<std::size_t> not_found(std::span<const Embedding> embeddings) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < embeddings.size(); ++i) {
    if (embeddings[i].numbers == nullptr) places.push_back(i);
  }
  return places;
}

}  // namespace capella::encoder
