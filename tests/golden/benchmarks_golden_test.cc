// Rows of two benchmarks of human judgement; CIDEr counts the references of a repeated image every time.
#include <map>
#include <sstream>

#include "golden/golden_scores.h"
#include "support/corpus.h"
#include "support/shared.h"

namespace capella::test {
namespace {

// "IMAGE#k TAB caption" lines: the captions of each image.
std::map<std::string, std::vector<std::string>> read_flickr8k(const std::filesystem::path& path) {
  std::map<std::string, std::vector<std::string>> captions;
  std::istringstream lines(read_file(path.string()));
  for (std::string line; std::getline(lines, line);) {
    captions[line.substr(0, line.find('#'))].push_back(line.substr(line.find('\t') + 1));
  }
  return captions;
}

// Three rows, one per judge, for each pair whose caption is not one of the image's own.
std::vector<Item> read_expert_rows(const std::filesystem::path& annotations,
                                   const std::filesystem::path& tokens) {
  const auto captions = read_flickr8k(tokens);
  std::vector<Item> rows;
  std::istringstream lines(read_file(annotations.string()));
  for (std::string image, caption, votes; lines >> image >> caption && std::getline(lines, votes);) {
    const std::size_t hash = caption.find('#');
    if (caption.substr(0, hash) == image) continue;
    const std::string& text = captions.at(caption.substr(0, hash)).at(std::stoul(caption.substr(hash + 1)));
    rows.insert(rows.end(), 3, Item{text, captions.at(image)});
  }
  return rows;
}

TEST(BenchmarksGolden, Flickr8kExpert) {
  CAPELLA_NEED_SHARED(path, "golden/golden_flickr8k_expert.json");
  CAPELLA_NEED_SHARED(annotations, "data/flickr8k/ExpertAnnotations.txt");
  CAPELLA_NEED_SHARED(tokens, "data/flickr8k/Flickr8k.token.txt");
  const Json golden = read_json(path);
  const Json& rows = golden.at("rows");
  const Dataset dataset = make_dataset(read_expert_rows(annotations, tokens));
  ASSERT_EQ(dataset.size(), 16992u);
  ASSERT_EQ(rows.size(), 16992u);
  const Result result = score_golden(dataset, {"bleu", "rouge-l", "cider-d"}, "ptb");
  const auto of = [&](const std::string& key) {
    return [&rows, key](std::size_t row) { return rows[row].at(key).get<double>(); };
  };
  expect_items(result, "BLEU-1", kExact, of("BLEU-1"));
  expect_items(result, "BLEU-4", kExact, of("BLEU-4"));
  expect_items(result, "ROUGE-L", kExact, of("ROUGE_L"));
  expect_items(result, "CIDEr-D", kCider, of("CIDEr"));
}

TEST(BenchmarksGolden, Pascal50s) {
  CAPELLA_NEED_SHARED(path, "golden/golden_pascal50s.json");
  const Json golden = read_json(path);
  const Json& pairs = golden.at("rows");
  std::vector<Item> items;
  for (const Json& pair : pairs) {
    for (const std::string candidate : pair.at("cands")) items.push_back({candidate, pair.at("refs")});
  }
  ASSERT_EQ(items.size(), 8000u);
  const Result result = score_golden(make_dataset(items), {"bleu", "rouge-l", "cider-d"}, "none");
  const auto of = [&](const std::string& key) {
    return [&pairs, key](std::size_t row) { return pairs[row / 2].at(key).at(row % 2).get<double>(); };
  };
  expect_items(result, "BLEU-4", kExact, of("BLEU-4"));
  expect_items(result, "ROUGE-L", kExact, of("ROUGE_L"));
  expect_items(result, "CIDEr-D", kCider, of("CIDEr"));
}

}  // namespace
}  // namespace capella::test
