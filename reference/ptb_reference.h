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
  /// Reads the grammar from the source tree.
  PtbReference();
  ~PtbReference();

  /// The tokens of each caption, joined by spaces. `stream`: captions are one text. `keep`: with punctuation.
  std::vector<std::string> tokenize(std::span<const std::string_view> captions, bool stream, bool keep) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;
};

}  // namespace capella::reference
