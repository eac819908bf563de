// CIDEr with the document frequencies of all COCO val2014 references (golden_cider_cocodf.json).
#include <memory>

#include "golden/golden_scores.h"
#include "resource/df_table.h"
#include "resource/find.h"
#include "support/corpus.h"
#include "support/shared.h"
#include "support/temp_dir.h"
#include "text/text_set.h"

namespace capella::test {
namespace {

void expect_fakecap_scores(const Json& golden, const Json& fakecap, const std::string& df) {
  std::vector<Item> items;
  for (const Json& image : fakecap.at("per_image")) items.push_back({image.at("cand"), image.at("refs")});
  const Result result = score_golden(make_dataset(items), {"cider-d", "cider-plain"}, "none", {}, df);
  const auto compare = [&](const std::string& score, const Json& expected) {
    expect_value(corpus_value(result, score), expected.at("corpus"), kCider, "corpus " + score);
    for (std::size_t item = 0; item < 20; ++item) {
      expect_value(result.item_value(0, item, column_of(result, score)), expected.at("first20").at(item), kCider,
                   score + " of item " + std::to_string(item));
    }
  };
  compare("CIDEr-D", golden.at("D"));
  compare("CIDEr-plain", golden.at("plain"));
}

std::uint64_t hash_of(const std::string& ngram) {
  text::StringColumn column;
  column.push_back(ngram);
  const text::TextSet set(std::move(column));
  return set.ngram_hash(set.ngrams(0).order(set.words(0).size())[0].id);
}

TEST(CiderDfGolden, TableMadeFromAllReferences) {
  CAPELLA_NEED_SHARED(references, "data/coco/val2014_refs.json");
  CAPELLA_NEED_SHARED(expected, "golden/golden_cider_cocodf.json");
  CAPELLA_NEED_SHARED(fakecap, "golden/golden_coco_fakecap.json");
  const Json golden = read_json(expected);
  const TempDir folder;
  const std::string path = (folder.path() / "val.df").string();
  const std::size_t entries = write_document_frequencies(read_dataset(references.string(), {}, {}), "ptb", path);
  EXPECT_GT(entries, 100'000u);
  EXPECT_LT(entries, golden.at("df_entries").get<std::size_t>());  // n-grams of a single image are left out

  const resource::DfTable table(path, "val");
  EXPECT_EQ(table.documents(), 40504u);
  for (const auto& [ngram, count] : golden.at("samples").items()) {
    EXPECT_EQ(table.frequency(hash_of(ngram)), count.get<std::uint32_t>()) << ngram;
  }
  expect_fakecap_scores(golden, read_json(fakecap), path);
}

TEST(CiderDfGolden, ShippedTable) {
  CAPELLA_NEED_SHARED(expected, "golden/golden_cider_cocodf.json");
  CAPELLA_NEED_SHARED(fakecap, "golden/golden_coco_fakecap.json");
  if (!resource::find("models/coco-val.df")) GTEST_SKIP() << "models/coco-val.df is not here";
  expect_fakecap_scores(read_json(expected), read_json(fakecap), "coco-val");
}

}  // namespace
}  // namespace capella::test
