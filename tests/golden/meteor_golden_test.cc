// METEOR against the program's own output on 12,072 captions with several references each, without
// paraphrases and with a small table: words, alignment, statistics and scores to the last bit.
#include "golden/meteor_golden.h"

#include <cmath>

#include "aggregate/row_block.h"
#include "metric/meteor_comparison.h"
#include "support/meteor_rows.h"

namespace capella::test {
namespace {

using Json = nlohmann::json;
using metric::MeteorComparison;
using metric::MeteorValue;

struct Case {
  reference::Item item;
  Json expected;
};

/// Captions that were scored together, and what their sums gave.
struct Corpus {
  std::vector<Case> cases;
  Json expected;
};

std::vector<Corpus> read_corpora(const std::filesystem::path& path) {
  std::vector<Corpus> corpora(1);
  for_each_line(path, [&](const std::string& line) {
    Json row = Json::parse(line);
    if (row.contains("corpus")) {
      corpora.back().expected = std::move(row);
      corpora.emplace_back();
    } else {
      reference::Item item{row.at("hyp"), row.at("refs")};
      corpora.back().cases.push_back({std::move(item), std::move(row)});
    }
  });
  corpora.pop_back();
  return corpora;
}

/// Equal, or both no number.
void expect_same(double found, const Json& expected, const char* what) {
  const double value = std::stod(expected.get<std::string>());
  EXPECT_TRUE(found == value || (std::isnan(found) && std::isnan(value)))
      << what << ": found " << found << ", expected " << value;
}

void expect_values(const MeteorValue& value, const Json& expected) {
  expect_same(value.precision, expected.at("P"), "precision");
  expect_same(value.recall, expected.at("R"), "recall");
  expect_same(value.f_mean, expected.at("Fmean"), "mean");
  expect_same(value.penalty, expected.at("frag_penalty"), "penalty");
  EXPECT_EQ(value.score, expected.at("score").get<double>());
}

std::string align_text(const std::vector<metric::MeteorMatch>& matches) {
  std::vector<std::string> parts;
  for (const metric::MeteorMatch& match : matches) {
    std::ostringstream part;
    part << match.reference_start << ':' << match.reference_length << ':' << match.caption_start << ':'
         << match.caption_length << ':' << static_cast<int>(match.module);
    parts.push_back(part.str());
  }
  return joined(parts);
}

void expect_case(const Case& given, const resource::MeteorData& data, bool paraphrases) {
  const Json& expected = given.expected;
  const std::vector<std::string_view> references(given.item.references.begin(), given.item.references.end());
  const std::vector<MeteorComparison> found =
      metric::compare_by_meteor(given.item.caption, references, data, paraphrases);
  ASSERT_EQ(found.size(), references.size());
  std::size_t best = 0;
  double best_score = -1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double score = metric::meteor_value(found[i].statistics).score;
    EXPECT_EQ(score, expected.at("ref_scores").at(i).get<double>()) << "reference " << i;
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  EXPECT_EQ(best, expected.at("best_ref").get<std::size_t>());
  EXPECT_EQ(joined(found[best].caption), expected.at("hyp_norm").get<std::string>());
  EXPECT_EQ(joined(found[best].reference), expected.at("ref_norm").get<std::string>());
  EXPECT_EQ(align_text(found[best].matches), expected.at("align").get<std::string>());
  EXPECT_EQ(found[best].statistics, parse_statistics(expected.at("stats")));
  expect_values(metric::meteor_value(found[best].statistics), expected);
}

/// Rows, their sums and the scores of both, as a run has them.
void expect_corpus(const Corpus& corpus, const resource::MeteorData& data, const metric::Metric& metric) {
  std::vector<reference::Item> items;
  for (const Case& given : corpus.cases) items.push_back(given.item);
  const std::vector<double> rows = meteor_rows(metric, items, data);
  const std::size_t width = metric.info().row_width;
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(finish_meteor(metric, std::span(rows).subspan(i * width, width)),
              corpus.cases[i].expected.at("score").get<double>())
        << corpus.cases[i].expected.dump();
  }
  const std::vector<double> sums = aggregate::sum_rows(rows, width);
  EXPECT_EQ(finish_meteor(metric, sums), corpus.expected.at("score").get<double>());
  const metric::MeteorStatistics expected = parse_statistics(corpus.expected.at("stats"));
  EXPECT_TRUE(holds_statistics(sums, expected));
  expect_values(metric::meteor_value(expected), corpus.expected);
}

TEST(MeteorGolden, EveryCaption) {
  CAPELLA_NEED_SHARED(path, "golden/golden_meteor.jsonl");
  CAPELLA_NEED_SHARED(toy, "golden/toy_paraphrase-en.gz");
  CAPELLA_NEED_SHARED(resources, "data/meteor-1.5/resources");
  const resource::MeteorData& without = meteor_table(resources, "");
  const resource::MeteorData& with = meteor_table(resources, toy);
  std::size_t compared = 0;
  for (const Corpus& corpus : read_corpora(path)) {
    for (const Case& given : corpus.cases) {
      SCOPED_TRACE(given.expected.dump());
      const bool paraphrases = given.expected.at("table") == "toy";
      expect_case(given, with, paraphrases);
      if (!paraphrases) expect_case(given, without, true);
      if (HasFailure()) return;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 12072u);
}

TEST(MeteorGolden, EveryCorpus) {
  CAPELLA_NEED_SHARED(path, "golden/golden_meteor.jsonl");
  CAPELLA_NEED_SHARED(toy, "golden/toy_paraphrase-en.gz");
  CAPELLA_NEED_SHARED(resources, "data/meteor-1.5/resources");
  const std::vector<Corpus> corpora = read_corpora(path);
  ASSERT_EQ(corpora.size(), 14u);
  for (const Corpus& corpus : corpora) {
    SCOPED_TRACE(corpus.expected.dump());
    const bool paraphrases = corpus.expected.at("table") == "toy";
    expect_corpus(corpus, meteor_table(resources, toy), *make_meteor(paraphrases));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace capella::test
