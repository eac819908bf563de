#include "io/karpathy.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/suggestion.h"
#include "io/json_members.h"
#include "io/json_rows.h"
#include "io/json_table.h"

namespace capella::io {
namespace {

std::string_view split_of(element image) {
  std::string_view split;
  return image["split"].get(split) ? std::string_view() : split;
}

// The split to read; throws when it is not there, or when there is a choice that the caller did not make.
std::string choose_split(const Source& source, simdjson::dom::array images, const std::string& wanted) {
  std::map<std::string_view, std::size_t> counts;
  for (const element image : images) ++counts[split_of(image)];
  if (wanted.empty() && counts.size() == 1) return std::string(counts.begin()->first);
  if (!wanted.empty() && counts.contains(wanted)) return wanted;
  std::string list;
  std::vector<std::string_view> names;
  for (const auto& [split, count] : counts) {
    names.push_back(split);
    list +=
        fmt::format("{}{} ({} images)", list.empty() ? "" : ", ", split.empty() ? "(none)" : split, count);
  }
  throw DataError(wanted.empty() ? fmt::format("{}: the file has several splits: {}; choose one with --split",
                                               source.name, list)
                                 : fmt::format("{}: there is no split '{}', expected one of: {}{}",
                                               source.name, wanted, list, did_you_mean(wanted, names)));
}

// The raw sentence, else its tokens with blanks between them.
bool sentence_text(element sentence, CaptionTableBuilder& builder, std::string_view& text) {
  if (!sentence["raw"].get(text)) return true;
  simdjson::dom::array tokens;
  if (sentence["tokens"].get(tokens)) return false;
  std::string joined;
  for (const element token : tokens) {
    std::string_view word;
    if (token.get(word)) return false;
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  text = builder.copy(joined);
  return true;
}

std::string add_image(element image, std::size_t position, CaptionTableBuilder& builder,
                      std::string_view named_id, std::string_view& id) {
  std::string problem = karpathy_id(image, builder, id, named_id);
  if (!problem.empty()) return problem;
  simdjson::dom::array sentences;
  if (image["sentences"].get(sentences)) return "the image has no list of sentences";
  std::vector<std::string_view> texts;
  for (const element sentence : sentences) {
    if (!sentence_text(sentence, builder, texts.emplace_back())) {
      return fmt::format("sentence {} has no text, expected raw (a string) or tokens (a list of strings)",
                         texts.size());
    }
  }
  if (texts.empty()) return "the list of sentences is empty, expected at least one";
  for (const std::string_view text : texts) builder.add_view(id, text, position);
  return "";
}

}  // namespace

std::string karpathy_id(element image, CaptionTableBuilder& builder, std::string_view& id,
                        std::string_view named) {
  element name;
  if (!named.empty() && !image[named].get(name)) {
    builder.note_named(true, false);
  } else if (image["cocoid"].get(name) && image["filename"].get(name)) {
    return "the image has no id, expected cocoid or filename";
  }
  return take_id(name, {builder}, id);
}

bool is_karpathy(const Source& source, const ReadOptions&) {
  if (!source.json) return false;
  const auto images = find_list(source.json->root, "images");
  element sentences;
  return images && images->list.begin() != images->list.end() &&
         !(*images->list.begin())["sentences"].get(sentences);
}

CaptionTable read_karpathy(const Source& source, const ReadOptions& options) {
  const auto images = find_list(source.json->root, "images");
  const std::string split =
      options.every_split ? std::string() : choose_split(source, images->list, options.split);
  const auto add = [&](element image, std::size_t ordinal, CaptionTableBuilder& builder,
                       std::string_view& id) -> std::string {
    const bool wanted = options.every_split || split_of(image) == split;
    return wanted ? add_image(image, ordinal, builder, options.id_column, id) : "";
  };
  return read_json_rows(source, {images->ordinal}, images->list, options.skip_bad, add);
}

}  // namespace capella::io
