// Captions whose facts the test says itself: they are put into a cache, so that no parser is asked.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene/caption_facts.h"
#include "scene/fact_codec.h"
#include "support/small_parser_model.h"
#include "support/temp_dir.h"
#include "syntax/caption_parser.h"

namespace capella::test {

inline scene::Fact object(std::string name) {
  return {scene::Fact::Kind::object, std::move(name), "", ""};
}
inline scene::Fact attribute(std::string object, std::string word) {
  return {scene::Fact::Kind::attribute, std::move(object), std::move(word), ""};
}
inline scene::Fact relation(std::string subject, std::string words, std::string object) {
  return {scene::Fact::Kind::relation, std::move(subject), std::move(words), std::move(object)};
}

class KnownFacts {
 public:
  explicit KnownFacts(const std::map<std::string, std::vector<scene::Fact>>& captions)
      : parser_(folder_.write("parser", SmallParserModel(ParserSizes{}, 1).bytes())) {
    const std::string cache = (folder_.path() / "cache").string();
    scene::FactEntries entries;
    for (const auto& [text, facts] : captions)
      entries.emplace_back(scene::text_key(text), scene::encode_facts(facts));
    scene::FactCache(cache, parser_.fingerprint()).add(std::move(entries));
    facts_ = std::make_unique<scene::CaptionFacts>(
        parser_, std::make_unique<scene::FactCache>(cache, parser_.fingerprint()));
  }

  const scene::CaptionFacts& get() const { return *facts_; }

 private:
  TempDir folder_;
  syntax::CaptionParser parser_;
  std::unique_ptr<scene::CaptionFacts> facts_;
};

}  // namespace capella::test
