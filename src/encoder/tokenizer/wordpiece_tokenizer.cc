#include "encoder/tokenizer/wordpiece_tokenizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/utf8.h"
#include "encoder/tokenizer/unicode.h"

namespace capella::encoder {
namespace {

// The blocks that Hugging Face's tokenizers take for Chinese.
bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

bool is_sign(char32_t c) {
  if (c < 0x80) return c > ' ' && c != 0x7F && !is_letter(c) && !is_number(c);
  return is_punctuation(c);
}

bool is_dropped(char32_t c) {
  return c == 0 || c == kReplacementCharacter || (is_control(c) && c != '\t' && c != '\n' && c != '\r');
}

class WordPieceTokenizer final : public PieceTokenizer {
 public:
  WordPieceTokenizer(TokenizerParts parts, const WordPieceOptions& options)
      : PieceTokenizer(std::move(parts)), options_(options) {
    const auto unknown = pieces().find(options.unknown);
    if (!unknown)
      throw DataError(fmt::format("the vocabulary has no piece for unknown words, '{}'", options.unknown));
    unknown_ = *unknown;
  }

 private:
  void append_part(std::string_view part, std::vector<TokenId>& out) const override {
    const std::string text = normalized(part);
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
      if (end > begin) append_word(std::string_view(text).substr(begin, end - begin), out);
    };
    for (std::size_t position = 0; position < text.size();) {
      const std::size_t here = position;
      const char32_t c = decode_utf8(text, position);
      if (is_space(c)) {
        close(here);
        begin = position;
      } else if (is_sign(c)) {
        close(here);
        begin = here;
        close(position);
        begin = position;
      }
    }
    close(text.size());
  }

  std::string normalized(std::string_view part) const {
    std::string text;
    for (std::size_t position = 0; position < part.size();) {
      const char32_t c = decode_utf8(part, position);
      if (options_.clean && is_dropped(c)) continue;
      const bool apart = options_.cuts_chinese && is_chinese(c);
      if (apart) text += ' ';
      append_utf8(text, options_.clean && is_space(c) ? U' ' : c);
      if (apart) text += ' ';
    }
    if (options_.strips_accents) text = without_accents(text);
    return options_.lowers ? lower_each(text) : text;
  }

  static std::string without_accents(const std::string& text) {
    if (is_ascii(text)) return text;
    const std::string apart = nfd(text);
    std::string out;
    for (std::size_t position = 0; position < apart.size();) {
      const char32_t c = decode_utf8(apart, position);
      if (!is_accent(c)) append_utf8(out, c);
    }
    return out;
  }

  void append_word(std::string_view word, std::vector<TokenId>& out) const {
    if (const auto whole = pieces().find(word)) {
      out.push_back(*whole);
      return;
    }
    const std::size_t before = out.size();
    if (!is_short(word) || !append_pieces(word, out)) {
      out.resize(before);
      out.push_back(unknown_);
    }
  }

  bool is_short(std::string_view word) const {
    if (word.size() <= options_.longest_word) return true;
    const auto inside = std::ranges::count_if(word, [](char c) { return (c & 0xC0) == 0x80; });
    return word.size() - static_cast<std::size_t>(inside) <= options_.longest_word;
  }

  // Whether all of the word could be cut.
  bool append_pieces(std::string_view word, std::vector<TokenId>& out) const {
    for (std::size_t at = 0; at < word.size();) {
      std::string candidate = at == 0 ? std::string() : options_.inner;
      const std::size_t prefix = candidate.size();
      candidate += word.substr(at, std::max(pieces().longest(), prefix) - prefix);
      std::optional<TokenId> found;
      while (candidate.size() > prefix && !(found = pieces().find(candidate))) candidate.pop_back();
      if (!found) return false;
      out.push_back(*found);
      at += candidate.size() - prefix;
    }
    return true;
  }

  WordPieceOptions options_;
  TokenId unknown_ = 0;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_wordpiece_tokenizer(TokenizerParts parts,
                                                          const WordPieceOptions& options) {
  return std::make_unique<WordPieceTokenizer>(std::move(parts), options);
}

}  // namespace capella::encoder
