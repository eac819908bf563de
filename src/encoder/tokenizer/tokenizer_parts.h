// Pieces, merges and special tokens out of the files of tokenizers.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "encoder/tokenizer/bpe.h"
#include "encoder/tokenizer/piece_tokenizer.h"

namespace capella::encoder {

inline constexpr std::string_view kClipFirst = "<|startoftext|>";
inline constexpr std::string_view kClipLast = "<|endoftext|>";
inline constexpr std::string_view kBertSpecials[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
inline constexpr std::string_view kRobertaSpecials[] = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"};
inline constexpr std::string_view kClipSpecials[] = {kClipFirst, kClipLast};

/// Throws DataError.
nlohmann::json parse_json(std::string_view content);

/// Throws DataError if the piece or its number is there already.
void add_piece(PieceList& pieces, std::string_view text, TokenId id);
/// From an object of texts and numbers.
PieceList read_pieces(const nlohmann::json& object);

/// "left right" on each line; empty lines and a first one that begins with "#version" are left out. The
/// merges point into `text`.
std::vector<Merge> read_merges(std::string_view text);
Merge read_merge(std::string_view line);

/// Adds those that the vocabulary has to the special tokens.
void add_specials(TokenizerParts& parts, std::span<const std::string_view> names);
/// Throws DataError if the vocabulary lacks one of them.
void set_ends(TokenizerParts& parts, std::string_view first, std::string_view last);

}  // namespace capella::encoder
