// What the tokenizers of all encoders share: a list of pieces, special tokens that may stand in a text, and
// one at either end of every text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/tokenizer/piece_list.h"
#include "encoder/tokenizer/tokenizer.h"

namespace capella::encoder {

/// A piece that is one token wherever a text has it, as it stands.
struct SpecialToken {
  std::string text;
  TokenId id = 0;
  bool takes_space_before = false;
  bool takes_space_behind = false;
};

struct TokenizerParts {
  PieceList pieces;
  std::vector<SpecialToken> specials;
  TokenId first = 0;
  TokenId last = 0;
};

class PieceTokenizer : public Tokenizer {
 public:
  explicit PieceTokenizer(TokenizerParts parts) : parts_(std::move(parts)) {}

  Tokens tokens(std::string_view text, std::size_t most) const final;
  std::string_view piece(TokenId id) const final { return parts_.pieces.text(id); }
  std::size_t size() const final { return parts_.pieces.size(); }
  TokenId first_token() const final { return parts_.first; }
  TokenId last_token() const final { return parts_.last; }

 protected:
  const PieceList& pieces() const { return parts_.pieces; }

  /// Appends the tokens of a whole text; it may be overridden where special tokens are found in another way.
  virtual void append_text(std::string_view text, std::vector<TokenId>& out) const;
  /// Appends the tokens of a part without special tokens.
  virtual void append_part(std::string_view part, std::vector<TokenId>& out) const = 0;
  /// The longest special token with which the text begins; null if there is none.
  const SpecialToken* special_at(std::string_view text) const;

 private:
  TokenizerParts parts_;
};

}  // namespace capella::encoder
