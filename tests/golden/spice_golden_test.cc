// SPICE against the official program (spice-1.0.jar with CoreNLP 3.6.0): from the official parser's trees,
// where nothing may differ, and from text, where our parser takes the place of theirs.
#include <algorithm>
#include <cmath>

#include "capella/parse.h"
#include "capella/pipeline.h"

#include "golden/meteor_golden.h"
#include "scene/match.h"
#include "support/corpus.h"
#include "support/known_facts.h"
#include "support/spice_rows.h"
#include "syntax/conll.h"

namespace capella {
namespace {

using nlohmann::json;
using Tuples = std::vector<std::vector<std::string>>;

std::vector<json> read_rows(const std::filesystem::path& path) {
  std::vector<json> rows;
  test::for_each_line(path, [&](const std::string& line) { rows.push_back(json::parse(line)); });
  return rows;
}

std::vector<test::Item> items_of(const std::vector<json>& rows, const char* caption, const char* references) {
  std::vector<test::Item> items;
  for (const json& row : rows) items.push_back({row.at(caption), row.at(references)});
  return items;
}

TEST(SpiceGolden, CountsFromTheOfficialTreesAreTheOfficialOnes) {
  CAPELLA_NEED_SHARED(trees, "golden/golden_spice_trees.conll.gz");
  CAPELLA_NEED_SHARED(golden, "golden/golden_spice_coco.jsonl.gz");
  std::map<std::string, std::vector<scene::Fact>> said;
  for (const syntax::ParsedCaption& caption : syntax::read_trees(trees.string()))
    said[caption.text] = scene::extract_facts(caption.sentences);
  const test::KnownFacts facts(said);
  const resource::MeteorData data(data_path("meteor"));
  const auto metric = test::make_spice("yes");
  const std::vector<json> rows = read_rows(golden);
  const std::vector<double> ours =
      test::spice_rows(*metric, items_of(rows, "test", "refs"), data, facts.get());
  const std::size_t width = metric->info().row_width;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool same = true;
    for (std::size_t category = 0; category < scene::kCategories; ++category) {
      const double* own = &ours[i * width + category * width / scene::kCategories];
      const json& counts = rows[i].at("counts").at(std::string(scene::kCategoryNames[category]));
      same = same && own[2] == counts[0] && own[3] == counts[1] && own[4] == counts[2];
    }
    equal += same && std::abs(ours[i * width] - rows[i].at("f").get<double>()) < 1e-12;
  }
  EXPECT_EQ(rows.size(), 1000u);
  EXPECT_EQ(equal, rows.size());
}

TEST(SpiceGolden, TuplesFromTheOfficialTreesAreTheOfficialOnes) {
  CAPELLA_NEED_SHARED(trees, "golden/golden_spice_trees.conll.gz");
  CAPELLA_NEED_SHARED(golden, "golden/golden_spice_coco.jsonl.gz");
  std::map<std::string, Tuples> ours;
  for (ParsedCaption& caption : parse_trees_file(trees.string(), {}))
    ours[caption.text] = std::move(caption.tuples);
  const std::vector<json> rows = read_rows(golden);
  for (const json& row : rows) {
    Tuples want = row.at("test_tuples");
    Tuples& own = ours.at(row.at("test"));
    std::ranges::sort(want);
    std::ranges::sort(own);
    EXPECT_EQ(own, want) << row.at("test");
  }
}

double pearson(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i];
    sb += b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    ab += a[i] * b[i];
  }
  return (n * ab - sa * sb) / std::sqrt((n * aa - sa * sa) * (n * bb - sb * sb));
}

// Scores from text; our parser errs in other places than the official one.
void check_text(const std::vector<json>& rows, const char* caption, const char* references) {
  ScoreOptions options;
  options.metrics = {"spice"};
  options.tokenizer = "none";
  const Result result = score(test::make_dataset(items_of(rows, caption, references)), options);
  std::vector<double> want;
  for (const json& row : rows) want.push_back(row.at("f"));
  const std::vector<double>& ours = result.systems[0].item_values;
  double bias = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    bias += (ours[i] - want[i]) / static_cast<double>(want.size());
  EXPECT_GE(pearson(ours, want), 0.98);
  EXPECT_LE(std::abs(bias), 0.002);
}

TEST(SpiceGolden, TextOfCocoScoresNearlyAsOfficially) {
  CAPELLA_NEED_SHARED(golden, "golden/golden_spice_coco.jsonl.gz");
  std::map<std::string, std::vector<json>> sets;
  for (const json& row : read_rows(golden)) sets[row.at("set")].push_back(row);
  for (const auto& [name, rows] : sets) {
    SCOPED_TRACE(name);
    check_text(rows, "test", "refs");
  }
}

TEST(SpiceGolden, RawTextScoresNearlyAsOfficially) {
  CAPELLA_NEED_SHARED(golden, "golden/golden_spice_flickr8k.jsonl.gz");
  check_text(read_rows(golden), "test", "refs");
}

TEST(SpiceGolden, LowerCaseTextOfFlickrScoresNearlyAsOfficially) {
  CAPELLA_NEED_SHARED(golden, "golden/golden_spice_expert.jsonl.gz");
  check_text(read_rows(golden), "test", "refs");
}

}  // namespace
}  // namespace capella
