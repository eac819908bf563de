// Remembers what lists of texts were encoded to, so that metrics that want the same share it. Any thread may
// use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/hash.h"

namespace capella::encoder {

/// Stands for a list and a way to encode it.
using ListKey = std::pair<std::uint64_t, std::uint64_t>;

template <class Texts>
ListKey list_key(std::string_view kind, std::string_view detail, const Texts& texts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  const auto add = [&state](std::string_view text) {
    const std::uint64_t size = text.size();
    XXH3_128bits_update(&state, &size, sizeof size);
    XXH3_128bits_update(&state, text.data(), text.size());
  };
  add(kind);
  add(detail);
  for (const auto& text : texts) add(text);
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.high64, hash.low64};
}

/// Results that were made lately or are still in use.
template <class Result>
class ListMemory {
 public:
  explicit ListMemory(std::size_t most_recent) : most_recent_(most_recent) {}

  /// Null if it is not known any more.
  std::shared_ptr<const Result> find(const ListKey& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = results_.find(key);
    return found == results_.end() ? nullptr : found->second.lock();
  }

  std::shared_ptr<const Result> add(const ListKey& key, Result result) {
    const auto kept = std::make_shared<const Result>(std::move(result));
    const std::lock_guard lock(mutex_);
    recent_.push_back(kept);
    if (recent_.size() > most_recent_) recent_.pop_front();
    std::erase_if(results_, [](const auto& entry) { return entry.second.expired(); });
    results_[key] = kept;
    return kept;
  }

 private:
  std::size_t most_recent_;
  mutable std::mutex mutex_;
  std::map<ListKey, std::weak_ptr<const Result>> results_;
  std::deque<std::shared_ptr<const Result>> recent_;
};

}  // namespace capella::encoder
