// Hugging Face's tokenizer.json. Of all that it could say those three kinds are understood that the encoders
// of captions use; anything else is refused rather than read nearly right.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "encoder/tokenizer/byte_level_tokenizers.h"
#include "encoder/tokenizer/tokenizer_files.h"
#include "encoder/tokenizer/tokenizer_parts.h"
#include "encoder/tokenizer/wordpiece_tokenizer.h"

namespace capella::encoder {
namespace {

using Json = nlohmann::json;

const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

bool flag(const Json& object, const char* name, bool fallback) {
  const Json& value = member(object, name);
  return value.is_boolean() ? value.get<bool>() : fallback;
}

std::string text(const Json& object, const char* name, std::string fallback) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::move(fallback);
}

// The step of that type, be it the only one or one of a sequence (`list` names its members); null if there is
// none.
const Json* find_step(const Json& step, const char* type, const char* list) {
  if (text(step, "type", "") == type) return &step;
  for (const Json& part : member(step, list)) {
    if (text(part, "type", "") == type) return &part;
  }
  return nullptr;
}

void add_special_tokens(const Json& file, TokenizerParts& parts) {
  for (const Json& token : member(file, "added_tokens")) {
    const std::string content = text(token, "content", "");
    const Json& id = member(token, "id");
    if (content.empty() || !id.is_number_integer())
      throw DataError("one of added_tokens has no content or no id");
    if (id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > PieceList::kMost)
      throw DataError(fmt::format("the added token '{}' has the id {}", content, id.get<std::int64_t>()));
    add_piece(parts.pieces, content, id.get<TokenId>());
    parts.specials.push_back(
        {content, id.get<TokenId>(), flag(token, "lstrip", false), flag(token, "rstrip", false)});
  }
}

TokenizerParts read_parts(const Json& file) {
  TokenizerParts parts;
  parts.pieces = read_pieces(member(member(file, "model"), "vocab"));
  add_special_tokens(file, parts);
  return parts;
}

std::unique_ptr<const Tokenizer> read_wordpiece(const Json& file) {
  constexpr int kLongestWord = 1000;
  const Json& model = member(file, "model");
  const Json* normalizer = find_step(member(file, "normalizer"), "BertNormalizer", "normalizers");
  if (normalizer == nullptr ||
      find_step(member(file, "pre_tokenizer"), "BertPreTokenizer", "pretokenizers") == nullptr)
    throw DataError("its normalizer or pre_tokenizer is not BERT's");
  WordPieceOptions options;
  options.clean = flag(*normalizer, "clean_text", true);
  options.cuts_chinese = flag(*normalizer, "handle_chinese_chars", true);
  options.lowers = flag(*normalizer, "lowercase", true);
  options.strips_accents = flag(*normalizer, "strip_accents", options.lowers);
  options.inner = text(model, "continuing_subword_prefix", "##");
  options.unknown = text(model, "unk_token", "[UNK]");
  const Json& longest = member(model, "max_input_chars_per_word");
  if (longest.is_number_integer())
    options.longest_word =
        static_cast<std::size_t>(std::clamp<std::int64_t>(longest.get<std::int64_t>(), 1, kLongestWord));
  TokenizerParts parts = read_parts(file);
  set_ends(parts, "[CLS]", "[SEP]");
  return make_wordpiece_tokenizer(std::move(parts), options);
}

// Each is "left right" or ["left", "right"]; the merges point into the document.
std::vector<Merge> read_json_merges(const Json& list) {
  std::vector<Merge> merges;
  for (const Json& merge : list) {
    if (merge.is_string())
      merges.push_back(read_merge(merge.get_ref<const std::string&>()));
    else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
      merges.push_back({merge[0].get_ref<const std::string&>(), merge[1].get_ref<const std::string&>()});
    else
      throw DataError("one of the merges is no pair of pieces");
  }
  return merges;
}

std::unique_ptr<const Tokenizer> read_bpe(const Json& file, const TokenizerOptions& options) {
  const Json& model = member(file, "model");
  const Json* bytes = find_step(member(file, "pre_tokenizer"), "ByteLevel", "pretokenizers");
  if (bytes == nullptr) throw DataError("its pieces are not made of bytes (no ByteLevel in pre_tokenizer)");
  TokenizerParts parts = read_parts(file);
  const std::vector<Merge> merges = read_json_merges(member(model, "merges"));
  if (text(model, "end_of_word_suffix", "") == kClipWordEnd) {
    set_ends(parts, kClipFirst, kClipLast);
    return make_clip_tokenizer(std::move(parts), merges, options.clip_cleaning);
  }
  if (!member(file, "normalizer").is_null()) throw DataError("its normalizer is none of RoBERTa's");
  set_ends(parts, "<s>", "</s>");
  return make_roberta_tokenizer(std::move(parts), merges,
                                options.prefix_space || flag(*bytes, "add_prefix_space", false));
}

}  // namespace

std::unique_ptr<const Tokenizer> read_tokenizer_json(std::string_view content,
                                                     const TokenizerOptions& options) {
  const Json file = parse_json(content);
  const Json& model = member(file, "model");
  const std::string type = text(model, "type", model.is_object() && model.contains("merges") ? "BPE" : "");
  if (type == "WordPiece") return read_wordpiece(file);
  if (type == "BPE") return read_bpe(file, options);
  throw DataError(
      fmt::format("its model is of the type '{}', expected WordPiece (BERT) or BPE (RoBERTa, CLIP)", type));
}

}  // namespace capella::encoder
