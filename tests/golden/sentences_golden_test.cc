// Sentences of raw captions against those that the official SPICE program's parser was given.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "io/text_lines.h"
#include "support/shared.h"
#include "syntax/sentences.h"

namespace capella::syntax {
namespace {

using Words = std::map<std::string, std::vector<Sentence>>;

/// The sentences of raw captions, those whose id ends in "r", by id: "c1425#2" or "f<file>#3".
Words read_expected(const std::filesystem::path& path) {
  Words captions;
  Sentence* sentence = nullptr;
  const std::string text = read_file(path.string());
  io::for_each_line(text, [&](std::string_view line, std::size_t) {
    constexpr std::string_view kMark = "# id = ";
    if (line.starts_with(kMark)) {
      const std::string_view id = line.substr(kMark.size(), line.rfind('.') - kMark.size());
      sentence =
          id.ends_with('r') ? &captions[std::string(id.substr(0, id.size() - 1))].emplace_back() : nullptr;
    } else if (sentence != nullptr && !line.empty()) {
      const std::size_t begin = line.find('\t') + 1;
      sentence->words.emplace_back(line.substr(begin, line.find('\t', begin) - begin));
    }
  });
  return captions;
}

void add_coco(const std::filesystem::path& path, std::map<std::string, std::string>& texts) {
  const nlohmann::json images = nlohmann::json::parse(read_file(path.string()));
  for (const auto& [image, captions] : images.items()) {
    for (std::size_t k = 0; k < captions.size(); ++k) {
      texts["c" + image + "#" + std::to_string(k)] = captions[k].get<std::string>();
    }
  }
}

void add_flickr(const std::filesystem::path& path, std::map<std::string, std::string>& texts) {
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    texts["f" + line.substr(0, tab)] = line.substr(tab + 1);
  }
}

TEST(SentencesGolden, RawCaptions) {
  CAPELLA_NEED_SHARED(trees, "data/treebank/silver/dev.conll.gz");
  CAPELLA_NEED_SHARED(coco, "data/coco/val2014_refs.json");
  CAPELLA_NEED_SHARED(flickr, "data/flickr8k/Flickr8k.token.txt");
  std::map<std::string, std::string> texts;
  add_coco(coco, texts);
  add_flickr(flickr, texts);
  const Words expected = read_expected(trees);
  ASSERT_GT(expected.size(), 3000u);
  for (const auto& [id, sentences] : expected) {
    ASSERT_TRUE(texts.contains(id)) << id;
    EXPECT_EQ(split_sentences(texts[id]), sentences) << id << ": " << texts[id];
  }
}

}  // namespace
}  // namespace capella::syntax
