#include "encoder/tokenizer/tokenizer_files.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "encoder/tokenizer/byte_alphabet.h"
#include "encoder/tokenizer/byte_level_tokenizers.h"
#include "encoder/tokenizer/tokenizer_parts.h"
#include "encoder/tokenizer/wordpiece_tokenizer.h"

namespace capella::encoder {
namespace {

// CLIP's vocabulary has this many merges; OpenAI's file goes on behind them.
constexpr std::size_t kClipMerges = 49152 - 256 - 2;

PieceList pieces_by_line(std::string_view text) {
  PieceList pieces;
  TokenId id = 0;
  for (std::size_t begin = 0; begin < text.size(); ++id) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) add_piece(pieces, line, id);
    begin = end + 1;
  }
  return pieces;
}

// The alphabet in OpenAI's order: what prints as itself, then the rest.
std::vector<std::string> clip_alphabet() {
  std::vector<std::string> symbols;
  for (const bool printing : {true, false}) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (prints_as_itself(byte) == printing)
        symbols.push_back(in_byte_alphabet(std::string(1, static_cast<char>(byte))));
    }
  }
  return symbols;
}

}  // namespace

std::unique_ptr<const Tokenizer> read_wordpiece_vocabulary(std::string_view vocabulary,
                                                           std::string_view config) {
  TokenizerParts parts;
  parts.pieces = pieces_by_line(vocabulary);
  add_specials(parts, kBertSpecials);
  set_ends(parts, "[CLS]", "[SEP]");
  WordPieceOptions options;
  const nlohmann::json told = config.empty() ? nlohmann::json::object() : parse_json(config);
  if (!told.is_object()) throw DataError("tokenizer_config.json is no object");
  const auto flag = [&](const char* name, bool fallback) {
    const auto found = told.find(name);
    return found != told.end() && found->is_boolean() ? found->get<bool>() : fallback;
  };
  options.lowers = flag("do_lower_case", true);
  options.strips_accents = flag("strip_accents", options.lowers);
  options.cuts_chinese = flag("tokenize_chinese_chars", true);
  return make_wordpiece_tokenizer(std::move(parts), options);
}

std::unique_ptr<const Tokenizer> read_vocabulary_and_merges(std::string_view vocabulary,
                                                            std::string_view merges,
                                                            const TokenizerOptions& options) {
  TokenizerParts parts;
  parts.pieces = read_pieces(parse_json(vocabulary));
  const std::vector<Merge> pairs = read_merges(merges);
  if (parts.pieces.find(kClipFirst)) {
    add_specials(parts, kClipSpecials);
    set_ends(parts, kClipFirst, kClipLast);
    return make_clip_tokenizer(std::move(parts), pairs, options.clip_cleaning);
  }
  add_specials(parts, kRobertaSpecials);
  set_ends(parts, "<s>", "</s>");
  return make_roberta_tokenizer(std::move(parts), pairs, options.prefix_space);
}

std::unique_ptr<const Tokenizer> read_clip_merges(std::string_view merges, const TokenizerOptions& options) {
  // The first line names the file, whatever it says.
  std::vector<Merge> pairs = read_merges(merges.substr(std::min(merges.find('\n'), merges.size() - 1) + 1));
  pairs.resize(std::min(pairs.size(), kClipMerges));
  TokenizerParts parts;
  TokenId next = 0;
  const std::vector<std::string> alphabet = clip_alphabet();
  for (const std::string& symbol : alphabet) add_piece(parts.pieces, symbol, next++);
  for (const std::string& symbol : alphabet)
    add_piece(parts.pieces, std::string(symbol).append(kClipWordEnd), next++);
  for (const Merge& pair : pairs) add_piece(parts.pieces, std::string(pair.left).append(pair.right), next++);
  for (const std::string_view special : kClipSpecials) add_piece(parts.pieces, special, next++);
  add_specials(parts, kClipSpecials);
  set_ends(parts, kClipFirst, kClipLast);
  return make_clip_tokenizer(std::move(parts), pairs, options.clip_cleaning);
}

}  // namespace capella::encoder
