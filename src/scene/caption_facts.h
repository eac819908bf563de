// What captions say, each distinct text parsed once.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "scene/fact_cache.h"
#include "scene/facts.h"
#include "syntax/caption_parser.h"

namespace capella::scene {

class CaptionFacts {
 public:
  /// `cache` may be null. The parser must outlive this.
  explicit CaptionFacts(const syntax::CaptionParser& parser, std::unique_ptr<const FactCache> cache = nullptr)
      : parser_(parser), cache_(std::move(cache)) {}

  const syntax::CaptionParser& parser() const { return parser_; }

  /// The facts of each text. Many threads may call it at once; the answer never depends on what was asked
  /// before.
  std::vector<std::vector<Fact>> find(std::span<const std::string_view> texts) const;

  /// Writes what is new to the cache, if there is one; says what went wrong, or nothing. What is parsed later
  /// is not written.
  std::string save() const;

  /// What was wrong with the cache's file; empty if nothing was.
  std::string cache_problem() const { return cache_ == nullptr ? std::string() : cache_->problem(); }

 private:
  using Memory = tsl::robin_map<TextKey, std::string, TextKeyHash>;

  void remember(std::span<const TextKey> keys, std::span<const std::vector<Fact>> facts) const;

  const syntax::CaptionParser& parser_;
  std::unique_ptr<const FactCache> cache_;
  mutable std::mutex mutex_;
  mutable Memory memory_;  // encoded facts of texts that were parsed in this run
  mutable bool to_be_saved_ = cache_ != nullptr;
};

}  // namespace capella::scene
