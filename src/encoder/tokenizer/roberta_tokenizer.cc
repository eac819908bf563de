// RoBERTa (and GPT-2): text as it is; a space belongs to the word behind it.
#include "encoder/tokenizer/byte_level_tokenizers.h"
#include "encoder/tokenizer/character_class.h"

namespace capella::encoder {
namespace {

// Of several spaces all but the last are a word; the last joins the next word if it is a plain one.
std::size_t end_of_space(std::string_view text, std::size_t at) {
  std::size_t last = at;
  std::size_t position = at;
  while (position < text.size()) {
    const std::size_t begin = position;
    if (next_class(text, position) != CharacterClass::space) return last == at ? begin : last;
    last = begin;
  }
  return text.size();
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  if (const std::size_t ending = english_ending(text.substr(at))) return at + ending;
  std::size_t behind = at + (text[at] == ' ' ? 1 : 0);
  if (behind == text.size()) return behind;
  const CharacterClass first = next_class(text, behind);
  return first == CharacterClass::space ? end_of_space(text, at) : end_of_class(text, behind, first);
}

class RobertaTokenizer final : public PieceTokenizer {
 public:
  RobertaTokenizer(TokenizerParts parts, const std::vector<Merge>& merges, bool prefix_space)
      : PieceTokenizer(std::move(parts)), bpe_(pieces(), merges, ""), prefix_space_(prefix_space) {}

 private:
  void append_part(std::string_view part, std::vector<TokenId>& out) const override {
    if (prefix_space_ && !part.empty() && !part.starts_with(' '))
      append_words(std::string(1, ' ').append(part), out);
    else
      append_words(part, out);
  }

  void append_words(std::string_view text, std::vector<TokenId>& out) const {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = end_of_word(text, at);
      bpe_.append(text.substr(at, end - at), out);
      at = end;
    }
  }

  Bpe bpe_;
  bool prefix_space_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_roberta_tokenizer(TokenizerParts parts,
                                                        const std::vector<Merge>& merges, bool prefix_space) {
  return std::make_unique<RobertaTokenizer>(std::move(parts), merges, prefix_space);
}

}  // namespace capella::encoder
