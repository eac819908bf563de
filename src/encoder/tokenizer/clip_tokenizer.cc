// CLIP: clean text; words are letters, single digits, other signs, or endings such as 's; the last byte of a
// word is marked.
#include "encoder/tokenizer/byte_level_tokenizers.h"
#include "encoder/tokenizer/character_class.h"

namespace capella::encoder {
namespace {

class ClipTokenizer final : public PieceTokenizer {
 public:
  ClipTokenizer(TokenizerParts parts, const std::vector<Merge>& merges, ClipCleaning cleaning)
      : PieceTokenizer(std::move(parts)), bpe_(pieces(), merges, kClipWordEnd), cleaning_(cleaning) {}

 private:
  // OpenAI looks for special tokens in what is cleaned, where a word could begin.
  void append_text(std::string_view text, std::vector<TokenId>& out) const override {
    if (cleaning_ == ClipCleaning::openai)
      append_words(clean_for_clip(text, cleaning_), true, out);
    else
      PieceTokenizer::append_text(text, out);
  }

  void append_part(std::string_view part, std::vector<TokenId>& out) const override {
    append_words(clean_for_clip(part, cleaning_), false, out);
  }

  void append_words(std::string_view text, bool has_specials, std::vector<TokenId>& out) const {
    for (std::size_t at = 0; at < text.size();) {
      const SpecialToken* special = has_specials ? special_at(text.substr(at)) : nullptr;
      if (special != nullptr) {
        out.push_back(special->id);
        at += special->text.size();
        continue;
      }
      const std::size_t end = end_of_clip_word(text, at);
      if (text[at] != ' ') bpe_.append(text.substr(at, end - at), out);
      at = end;
    }
  }

  Bpe bpe_;
  ClipCleaning cleaning_;
};

}  // namespace

std::size_t end_of_clip_word(std::string_view text, std::size_t at) {
  if (const std::size_t ending = english_ending(text.substr(at))) return at + ending;
  std::size_t behind = at;
  const CharacterClass first = next_class(text, behind);
  return first == CharacterClass::number ? behind : end_of_class(text, behind, first);
}

std::unique_ptr<const Tokenizer> make_clip_tokenizer(TokenizerParts parts, const std::vector<Merge>& merges,
                                                     ClipCleaning cleaning) {
  return std::make_unique<ClipTokenizer>(std::move(parts), merges, cleaning);
}

}  // namespace capella::encoder
