// Trees of sentences that were parsed, for whoever asks for the same sentences again: two metrics of a run
// that read captions as grammar would otherwise have every caption parsed twice.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "syntax/sentences.h"
#include "syntax/tree.h"

namespace capella::syntax {

/// The words with line breaks between them, which no word has inside: sentences are told apart by it.
std::string joined_words(const Sentence& sentence);

/// Many threads may use it at once.
class TreeMemory {
 public:
  /// Once there are more than `most_kept` trees, all are forgotten. A tree takes about 400 bytes.
  explicit TreeMemory(std::size_t most_kept) : most_kept_(most_kept) {}

  /// The trees of those sentences that are known.
  std::vector<std::optional<Tree>> find(std::span<const Sentence> sentences) const;

  /// A sentence's tree must have its words, in their order.
  void keep(std::span<const Sentence> sentences, std::span<const Tree> trees);

  std::size_t kept() const;

 private:
  std::size_t most_kept_;
  mutable std::mutex mutex_;
  tsl::robin_map<std::string, std::string, StringHash> memory_;  // joined words to the tree without them
};

}  // namespace capella::syntax
