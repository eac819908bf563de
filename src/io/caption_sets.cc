#include "io/caption_sets.h"

#include <optional>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/names.h"
#include "io/json_members.h"
#include "io/json_table.h"
#include "io/karpathy.h"

namespace capella::io {
namespace {

constexpr std::string_view kExpectedCaptionSets =
    "expected Karpathy's dataset.json: {\"images\": [{\"filename\", \"split\", \"sentences\"}, ...]}";

// Names in order of appearance; which place each has.
class Places {
 public:
  explicit Places(std::vector<std::string>& names) : names_(names) {}

  std::size_t of(std::string_view name) {
    if (const auto found = places_.find(name); found != places_.end()) return found->second;
    places_.emplace(name, names_.size());
    names_.emplace_back(name);
    return names_.size() - 1;
  }

 private:
  std::vector<std::string>& names_;
  tsl::robin_map<std::string, std::size_t, StringHash, std::equal_to<>> places_;
};

class Reader {
 public:
  Reader(const Source& source, CutWords cut) : source_(source), cut_(cut) { sets_.source = source.name; }

  CaptionSets read() {
    const auto images = source_.json ? find_list(source_.json->root, "images") : std::nullopt;
    if (!images || images->list.begin() == images->list.end())
      throw DataError(fmt::format("{}: {}", source_.name, kExpectedCaptionSets));
    CaptionTableBuilder builder = json_builder(source_, {images->ordinal});
    Problems problems(false, "correct the file");
    std::size_t ordinal = 0;
    for (const element image : images->list) {
      std::string_view id;
      std::string problem = add_image(image, builder, id);
      if (!problem.empty()) problems.add(ordinal, id, std::move(problem));
      ++ordinal;
    }
    problems.settle(source_.name, builder.table().locate);
    return std::move(sets_);
  }

 private:
  // Returns what is wrong; then nothing that was read is of use any more.
  std::string add_image(element image, CaptionTableBuilder& builder, std::string_view& id) {
    std::string problem = karpathy_id(image, builder, id);
    if (!problem.empty()) return problem;
    const std::size_t known = sets_.images.size();
    if (image_places_.of(id) != known) return "the image is there twice, expected once";
    std::string_view split;
    if (image["split"].get(split)) return "the image has no split, expected train, val, test or restval";
    simdjson::dom::array sentences;
    if (image["sentences"].get(sentences)) return "the image has no list of sentences";
    if (sentences.begin() == sentences.end()) return "the list of sentences is empty, expected at least one";
    element number;
    sets_.numbered.push_back(!image["cocoid"].get(number) && !number.is_string());
    sets_.split.push_back(split_places_.of(split));
    std::size_t count = 0;
    for (const element sentence : sentences) {
      ++count;
      if (!add_sentence(sentence))
        return fmt::format("sentence {} has no words, expected tokens (a list of strings) or raw (a string)",
                           count);
    }
    sets_.captions.push_back(sets_.tokens.size() - 1);
    return "";
  }

  bool add_sentence(element sentence) {
    simdjson::dom::array tokens;
    std::string_view text;
    if (!sentence["tokens"].get(tokens)) {
      for (const element token : tokens) {
        if (token.get(text)) return false;
        add_word(text);
      }
    } else if (!sentence["raw"].get(text)) {
      std::string words;
      cut_(text, words);
      for (const std::string_view word : split_list(words, ' ')) add_word(word);
    } else {
      return false;
    }
    sets_.tokens.push_back(sets_.ids.size());
    return true;
  }

  void add_word(std::string_view word) {
    sets_.ids.push_back(static_cast<std::uint32_t>(word_places_.of(word)));
  }

  const Source& source_;
  CutWords cut_;
  CaptionSets sets_;
  Places image_places_{sets_.images};
  Places split_places_{sets_.splits};
  Places word_places_{sets_.words};
};

}  // namespace

CaptionSets read_caption_sets(const std::string& path, CutWords cut) {
  const Source source = open_source(path, read_file(path), "Karpathy's dataset.json");
  return Reader(source, cut).read();
}

}  // namespace capella::io
