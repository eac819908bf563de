// What captions say. Texts that were parsed are kept, and sentences that came several times in one call were
// parsed once (syntax/caption_parser.h).
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
  /// A run that goes on for days, as a reward's does, forgets what it parsed from time to time; with a cache,
  /// it is written there first. An entry takes 250 to 300 bytes.
  static constexpr std::size_t kMostKept = 300'000;

  /// `cache` may be null. The parser must outlive this.
  explicit CaptionFacts(const syntax::CaptionParser& parser, std::unique_ptr<const FactCache> cache = nullptr,
                        std::size_t most_kept = kMostKept)
      : parser_(parser), cache_(std::move(cache)), most_kept_(most_kept) {}

  const syntax::CaptionParser& parser() const { return parser_; }

  /// The facts of each text. Many threads may call it at once; the answer never depends on what was asked
  /// before.
  std::vector<std::vector<Fact>> find(std::span<const std::string_view> texts) const;

  /// How many texts are in memory: `most_kept`, or as many as one call brought.
  std::size_t kept() const;

  /// Writes what is new to the cache, if there is one; says what went wrong, or nothing. What is parsed later
  /// is not written.
  std::string save() const;

  /// What was wrong with the cache's file; empty if nothing was.
  std::string cache_problem() const { return cache_ == nullptr ? std::string() : cache_->problem(); }

 private:
  using Memory = tsl::robin_map<TextKey, std::string, TextKeyHash>;

  void remember(std::span<const TextKey> keys, std::span<const std::vector<Fact>> facts) const;
  void write(FactEntries entries) const;

  const syntax::CaptionParser& parser_;
  std::unique_ptr<const FactCache> cache_;
  std::size_t most_kept_;
  mutable std::mutex mutex_;
  mutable Memory memory_;  // encoded facts of texts that were parsed in this run
  mutable bool to_be_saved_ = cache_ != nullptr;
  mutable std::string write_problem_;
};

}  // namespace capella::scene
