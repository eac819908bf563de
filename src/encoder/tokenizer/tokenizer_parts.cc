#include "encoder/tokenizer/tokenizer_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/names.h"

namespace capella::encoder {
namespace {

TokenId need_special(const PieceList& pieces, std::string_view text) {
  if (const auto id = pieces.find(text)) return *id;
  throw DataError(fmt::format("the vocabulary has no special token '{}'", text));
}

}  // namespace

nlohmann::json parse_json(std::string_view content) try {
  return nlohmann::json::parse(content);
} catch (const nlohmann::json::exception& problem) {
  throw DataError(fmt::format("no JSON: {}", problem.what()));
}

void add_piece(PieceList& pieces, std::string_view text, TokenId id) {
  if (!pieces.add(text, id))
    throw DataError(
        fmt::format("the piece '{}' has the number {}, which is out of range, or one of them is "
                    "taken already",
                    excerpt(text), id));
}

PieceList read_pieces(const nlohmann::json& object) {
  if (!object.is_object()) throw DataError("the vocabulary is no object of pieces and numbers");
  PieceList pieces;
  for (const auto& [text, id] : object.items()) {
    if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() > PieceList::kMost)
      throw DataError(fmt::format("the piece '{}' has no number that could be its own", excerpt(text)));
    add_piece(pieces, text, id.get<TokenId>());
  }
  return pieces;
}

Merge read_merge(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
      line.find(' ', space + 1) != std::string_view::npos)
    throw DataError(
        fmt::format("found the merge '{}', expected two pieces with a space between them", excerpt(line)));
  return {line.substr(0, space), line.substr(space + 1)};
}

std::vector<Merge> read_merges(std::string_view text) {
  std::vector<Merge> merges;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool heading = begin == 0 && line.starts_with("#version");
    if (!line.empty() && !heading) merges.push_back(read_merge(line));
    begin = end + 1;
  }
  return merges;
}

void add_specials(TokenizerParts& parts, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto id = parts.pieces.find(name)) parts.specials.push_back({std::string(name), *id});
  }
}

void set_ends(TokenizerParts& parts, std::string_view first, std::string_view last) {
  parts.first = need_special(parts.pieces, first);
  parts.last = need_special(parts.pieces, last);
}

}  // namespace capella::encoder
