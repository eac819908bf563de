// The caption tokenizer once more, slow and plain: tries every rule of the grammar at every place and follows
// the notation word by word. No automaton, no table, no bytes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::reference {

class PtbReference {
 public:
  /// Reads an edition of the grammar, "2014" or "2015", from the source tree.
  explicit PtbReference(std::string_view edition = "2014");
  ~PtbReference();

  /// The tokens of each caption, joined by spaces. `stream`: captions are one text. `keep`: with punctuation.
  std::vector<std::string> tokenize(std::span<const std::string_view> captions, bool stream, bool keep) const;

  /// The tokens of one caption in the case that they stand in, punctuation included.
  std::vector<std::string> words(std::string_view caption) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;
};

}  // namespace capella::reference
