#include "syntax/caption_parser.h"

#include <optional>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "resource/mapped_file.h"
#include "syntax/sentences.h"

namespace capella::syntax {
namespace {

std::uint64_t hash_file(const std::string& path) {
  const resource::MappedFile file(path);
  return hash_bytes({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
}

// The distinct sentences of captions, and for each caption the places of its own. A text that goes round and
// round has few.
struct Distinct {
  explicit Distinct(std::vector<std::vector<Sentence>> captions) {
    tsl::robin_map<std::string, std::size_t, StringHash> known;
    for (std::vector<Sentence>& sentences : captions) {
      std::vector<std::size_t>& own = places.emplace_back();
      for (Sentence& sentence : sentences) {
        const auto [place, added] = known.emplace(joined_words(sentence), all.size());
        if (added) all.push_back(std::move(sentence));
        own.push_back(place->second);
      }
    }
  }
  std::vector<Sentence> all;
  std::vector<std::vector<std::size_t>> places;
};

}  // namespace

CaptionParser::CaptionParser(const std::string& path, std::size_t most_kept)
    : fingerprint_(hash_file(path)),
      parser_(path),
      memory_(most_kept > 0 ? std::make_unique<TreeMemory>(most_kept) : nullptr) {}

std::vector<Tree> CaptionParser::trees_of(std::span<const Sentence> sentences) const {
  if (memory_ == nullptr) return parser_.parse(sentences);
  std::vector<std::optional<Tree>> found = memory_->find(sentences);
  std::vector<Sentence> unknown;
  for (std::size_t i = 0; i < sentences.size(); ++i)
    if (!found[i]) unknown.push_back(sentences[i]);
  std::vector<Tree> parsed = parser_.parse(unknown);
  memory_->keep(unknown, parsed);
  std::vector<Tree> trees;
  trees.reserve(sentences.size());
  auto next = parsed.begin();
  for (std::optional<Tree>& tree : found) trees.push_back(std::move(tree ? *tree : *next++));
  return trees;
}

std::vector<std::vector<Tree>> CaptionParser::parse(std::span<const std::string_view> captions) const {
  const Distinct sentences(split_sentences(captions));
  const std::vector<Tree> trees = trees_of(sentences.all);
  std::vector<std::vector<Tree>> answer;
  answer.reserve(captions.size());
  for (const std::vector<std::size_t>& places : sentences.places) {
    std::vector<Tree>& own = answer.emplace_back();
    for (const std::size_t place : places) own.push_back(trees[place]);
  }
  return answer;
}

}  // namespace capella::syntax
