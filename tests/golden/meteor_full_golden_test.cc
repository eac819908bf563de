// METEOR with its full paraphrase table: captions of three systems, and the example that comes with the
// program.
//
// The example's scores (METEOR 1.5, `-norm -sgml`, task rank, full table) were written by a Java whose pow()
// rounds otherwise than ours: 2,394 of the 2,525 are equal to the last bit, the other 131 are so once
// pow(fragmentation, 0.2) is moved by one unit in the last place. No option differs, and no statistics.
#include <cmath>
#include <map>
#include <utility>

#include "aggregate/row_block.h"
#include "golden/golden_scores.h"
#include "golden/meteor_golden.h"
#include "metric/meteor_comparison.h"
#include "support/meteor_rows.h"

namespace capella::test {
namespace {

TEST(MeteorFullGolden, EveryCaption) {
  CAPELLA_NEED_SHARED(path, "golden/golden_meteor_full.jsonl.gz");
  CAPELLA_NEED_METEOR_DATA(installed);
  const resource::MeteorData data(installed);
  std::vector<reference::Item> items;
  std::vector<Json> expected;
  for_each_line(path, [&](const std::string& line) {
    const Json row = Json::parse(line);
    if (row.contains("corpus")) return;
    items.push_back({row.at("hyp"), row.at("refs")});
    expected.push_back(row);
  });
  ASSERT_EQ(items.size(), 3000u);
  const auto meteor = make_meteor(true);
  const std::vector<double> rows = meteor_rows(*meteor, items, data);
  const std::size_t width = meteor->info().row_width;
  for (std::size_t i = 0; i < items.size() && !HasFailure(); ++i) {
    SCOPED_TRACE(expected[i].dump());
    const auto row = std::span(rows).subspan(i * width, width);
    EXPECT_EQ(finish_meteor(*meteor, row), expected[i].at("score").get<double>());
    EXPECT_TRUE(holds_statistics(row, parse_statistics(expected[i].at("stats"))));
  }
}

TEST(MeteorFullGolden, ThreeSystems) {
  CAPELLA_NEED_SHARED(path, "golden/golden_karpathy.json");
  CAPELLA_NEED_SHARED(each, "golden/golden_karpathy_gat.jsonl.gz");
  CAPELLA_NEED_SHARED(references, "data/coco/karpathy_test_refs.json");
  CAPELLA_NEED_SHARED(folder, "data/coco/systems");
  CAPELLA_NEED_METEOR_DATA(installed);
  const Json golden = read_json(path).at("systems");
  std::vector<std::string> systems;
  for (const auto& [name, unused] : golden.items()) systems.push_back((folder / (name + ".json")).string());
  const Result result = score_golden(read_dataset(references.string(), systems, {}), {"meteor"}, "ptb");
  ASSERT_EQ(result.ids.size(), 5000u);
  ASSERT_EQ(result.systems.size(), 3u);
  for (std::size_t system = 0; system < result.systems.size(); ++system) {
    SCOPED_TRACE(result.systems[system].name);
    EXPECT_EQ(corpus_value(result, "METEOR", system),
              golden.at(result.systems[system].name).at("METEOR").get<double>());
  }
  ASSERT_EQ(result.systems[0].name, "gat");
  std::size_t item = 0;
  for_each_line(each, [&](const std::string& line) {
    const Json expected = Json::parse(line);
    ASSERT_LT(item, result.ids.size());
    ASSERT_EQ(result.ids[item], std::to_string(expected.at("image_id").get<long>()));
    EXPECT_EQ(result.item_value(0, item, 0), expected.at("METEOR").get<double>()) << result.ids[item];
    ++item;
  });
  EXPECT_EQ(item, 5000u);
}

/// Document and number of a segment.
using SegmentId = std::pair<std::string, std::string>;

std::string between(const std::string& line, const std::string& begin, const std::string& end) {
  const std::size_t from = line.find(begin);
  if (from == std::string::npos) return "";
  return line.substr(from + begin.size(), line.find(end, from + begin.size()) - from - begin.size());
}

std::map<SegmentId, std::string> read_sgml(const std::filesystem::path& path) {
  std::map<SegmentId, std::string> segments;
  std::string document;
  for_each_line(path, [&](const std::string& line) {
    if (line.starts_with("<doc ")) document = between(line, "docid=\"", "\"");
    if (line.starts_with("<seg "))
      segments[{document, between(line, "id=\"", "\"")}] = between(line, ">", "</seg>");
  });
  return segments;
}

/// Whether the score is the expected one with the fragmentation's power one unit higher or lower.
bool is_equal_but_for_pow(const metric::MeteorStatistics& statistics, double expected) {
  const double matched = statistics[metric::kCaptionMatched] + statistics[metric::kReferenceMatched];
  const double power = std::pow(statistics[metric::kChunks] / (matched / 2), 0.2);
  const double mean = metric::meteor_value(statistics).f_mean;
  return mean * (1 - 0.6 * std::nextafter(power, 0.0)) == expected ||
         mean * (1 - 0.6 * std::nextafter(power, 2.0)) == expected;
}

TEST(MeteorFullGolden, TheExampleOfTheProgram) {
  CAPELLA_NEED_SHARED(folder, "data/meteor-1.5/example");
  CAPELLA_NEED_METEOR_DATA(installed);
  const resource::MeteorData data(installed);
  const std::map<SegmentId, std::string> captions = read_sgml(folder / "test.sgm");
  const std::map<SegmentId, std::string> references = read_sgml(folder / "ref.sgm");
  std::vector<reference::Item> items;
  std::size_t equal = 0, but_for_pow = 0;
  for_each_line(folder / "meteor-seg.scr", [&](const std::string& line) {
    std::istringstream fields(line);
    std::string set, system, document, segment;
    double expected = 0;
    fields >> set >> system >> document >> segment >> expected;
    items.push_back({captions.at({document, segment}), {references.at({document, segment})}});
    const std::string_view reference = items.back().references[0];
    const auto found = metric::compare_by_meteor(items.back().caption, {&reference, 1}, data, true);
    ASSERT_EQ(found.size(), 1u);
    if (metric::meteor_value(found[0].statistics).score == expected) {
      ++equal;
    } else {
      ++but_for_pow;
      EXPECT_TRUE(is_equal_but_for_pow(found[0].statistics, expected)) << line;
    }
  });
  EXPECT_EQ(equal, 2394u);
  EXPECT_EQ(but_for_pow, 131u);
  const auto meteor = make_meteor(true);
  const std::vector<double> rows = meteor_rows(*meteor, items, data);
  const std::string total = read_file((folder / "meteor-sys.scr").string());
  EXPECT_EQ(finish_meteor(*meteor, aggregate::sum_rows(rows, meteor->info().row_width)),
            std::stod(total.substr(total.rfind('\t') + 1)));
}

}  // namespace
}  // namespace capella::test
