// Correlations as scipy computes them, and sacreBLEU's paired tests of two systems on 300 images.
#include <numeric>
#include <regex>

#include "golden/golden_scores.h"
#include "pipeline/finisher.h"
#include "pipeline/rows.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/paired_tests.h"
#include "support/corpus.h"
#include "support/shared.h"
#include "support/swap_sides.h"

namespace capella::test {
namespace {

constexpr double kScipy = 1e-12;

using Numbers = std::vector<double>;

// JSON has no NaN; scipy's values do.
Json read_with_nan(const std::filesystem::path& path) {
  return Json::parse(std::regex_replace(read_file(path.string()), std::regex("\\bNaN\\b"), "null"));
}

void expect_golden(double found, const Json& expected, const std::string& what) {
  if (expected.is_null()) {
    EXPECT_TRUE(std::isnan(found)) << what << ": found " << found << ", expected NaN";
  } else {
    expect_value(found, expected, kScipy, what);
  }
}

void expect_coefficients(const Json& golden, const std::string& name) {
  const Numbers x = golden.at("x");
  const Numbers y = golden.at("y");
  const stats::KendallResult kendall = stats::kendall(x, y);
  expect_golden(kendall.tau_b, golden.at("tau_b"), name + ": tau-b");
  expect_golden(kendall.tau_c, golden.at("tau_c"), name + ": tau-c");
  expect_golden(kendall.p_asymptotic, golden.at("p_asymptotic"), name + ": asymptotic p");
  expect_golden(stats::pearson(x, y).value, golden.at("pearson"), name + ": Pearson");
  expect_golden(stats::spearman(x, y).value, golden.at("spearman"), name + ": Spearman");
  const stats::Correlations once =
      stats::ResampledCorrelation(x, y).of(std::vector<std::uint32_t>(x.size(), 1));
  expect_golden(once.kendall_b, golden.at("tau_b"), name + ": tau-b, each row once");
  expect_golden(once.kendall_c, golden.at("tau_c"), name + ": tau-c, each row once");
  expect_golden(once.pearson, golden.at("pearson"), name + ": Pearson, each row once");
  expect_golden(once.spearman, golden.at("spearman"), name + ": Spearman, each row once");
}

TEST(StatsGolden, SmallCases) {
  CAPELLA_NEED_SHARED(path, "golden/golden_stats.json");
  for (const auto& [name, golden] : read_with_nan(path).at("small").items()) {
    expect_coefficients(golden, name);
    const Numbers x = golden.at("x");
    const Numbers y = golden.at("y");
    const stats::KendallResult kendall = stats::kendall(x, y);
    expect_golden(kendall.p, golden.at("p_auto"), name + ": p");
    expect_golden(stats::pearson(x, y).p, golden.at("pearson_p"), name + ": Pearson's p");
    expect_golden(stats::spearman(x, y).p, golden.at("spearman_p"), name + ": Spearman's p");
    const Json& parts = golden.at("parts_con_dis_xtie_ytie_joint_minclasses");
    if (parts.is_null()) continue;
    const stats::KendallCounts& counts = kendall.counts;
    EXPECT_EQ(counts.surplus() + counts.discordant, parts[0]) << name;
    EXPECT_EQ(counts.discordant, parts[1]) << name;
    EXPECT_EQ(counts.x_ties, parts[2]) << name;
    EXPECT_EQ(counts.y_ties, parts[3]) << name;
    EXPECT_EQ(counts.both_ties, parts[4]) << name;
    EXPECT_EQ(std::min(counts.x_classes, counts.y_classes), parts[5]) << name;
  }
}

TEST(StatsGolden, RandomRowsWithTies) {
  CAPELLA_NEED_SHARED(path, "golden/golden_stats.json");
  const Json cases = read_with_nan(path).at("random");
  EXPECT_EQ(cases.size(), 40u);
  for (std::size_t i = 0; i < cases.size(); ++i) expect_coefficients(cases[i], "case " + std::to_string(i));
}

TEST(StatsGolden, Williams) {
  CAPELLA_NEED_SHARED(path, "golden/golden_stats.json");
  for (const Json& golden : read_with_nan(path).at("williams")) {
    const stats::WilliamsResult found =
        stats::williams(golden.at("r12"), golden.at("r13"), golden.at("r23"), golden.at("n"));
    expect_golden(found.t, golden.at("t"), "t");
    expect_golden(found.p, golden.at("p_two_sided"), "p");
    EXPECT_NEAR(found.p / golden.at("p_two_sided").get<double>(), 1, 1e-10);  // 1e-44 is far from 0, too
  }
}

TEST(StatsGolden, Flickr8kExpert) {
  CAPELLA_NEED_SHARED(path, "golden/golden_flickr8k_expert.json");
  const Json golden = read_json(path);
  Numbers ratings;
  for (const Json& row : golden.at("rows")) ratings.push_back(row.at("rating"));
  ASSERT_EQ(ratings.size(), 16992u);
  for (const auto& [name, expected] : golden.at("results").items()) {
    Numbers scores;
    for (const Json& row : golden.at("rows")) scores.push_back(row.at(name));
    const stats::KendallResult kendall = stats::kendall(scores, ratings);
    expect_golden(kendall.tau_b, expected.at("tau_b"), name + ": tau-b");
    expect_golden(kendall.tau_c, expected.at("tau_c"), name + ": tau-c");
    expect_golden(stats::pearson(scores, ratings).value, expected.at("pearson"), name + ": Pearson");
    expect_golden(stats::spearman(scores, ratings).value, expected.at("spearman"), name + ": Spearman");
  }
}

// Captions of the coco-caption demo and, as the other system, the last of the five human ones; the first four
// are the references.
Dataset read_two_systems(const std::filesystem::path& path) {
  constexpr std::size_t kImages = 300;
  constexpr std::size_t kReferences = 4;
  const Json images = read_json(path).at("per_image");
  std::vector<Item> items;
  NamedCaptions human = {"human", {}};
  for (std::size_t i = 0; i < kImages; ++i) {
    const std::vector<std::string> captions = images[i].at("refs_raw");
    items.push_back({images[i].at("cand_raw"), {captions.begin(), captions.begin() + kReferences}});
    human.captions.push_back(captions.back());
  }
  return make_dataset(items, {human});
}

class PairedGolden : public ::testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  std::string metric() const { return GetParam().first; }
  std::string key() const { return GetParam().second; }

  void read(const std::filesystem::path& golden, const std::filesystem::path& captions) {
    golden_ = read_with_nan(golden).at("sacrebleu_paired_300_coco_images");
    ScoreOptions options;
    options.metrics = {metric()};
    const Dataset dataset = read_two_systems(captions);
    block_ = pipeline::compute_rows(dataset, options, 0, dataset.size());
    units_ = dataset.size();
    width_ = block_.metrics[0].row_width;
  }

  stats::RowsView view(std::size_t system) const { return {block_.rows_of(system, 0).data(), width_}; }

  // The score of each row of a matrix of sums; golden values are in percent.
  Numbers scores(std::span<const double> sums) const {
    const pipeline::Finisher finisher(block_, false);
    Numbers out;
    for (std::size_t at = 0; at < sums.size(); at += width_) {
      double score = 0;
      finisher.finish(0, sums.subspan(at, width_), {&score, 1});
      out.push_back(score * finisher.columns()[0].display_scale);
    }
    return out;
  }

  double corpus(std::size_t system) const {
    return scores(aggregate::sum_rows(block_.rows_of(system, 0), width_)).at(0);
  }

  static Numbers differences(const Numbers& first, const Numbers& second) {
    Numbers out(first.size());
    std::transform(first.begin(), first.end(), second.begin(), out.begin(), std::minus<>());
    return out;
  }

  Json golden_;
  aggregate::RowBlock block_;
  std::size_t units_ = 0;
  std::size_t width_ = 0;
};

// sacreBLEU adds statistics as 32-bit floats.
TEST_P(PairedGolden, Bootstrap) {
  CAPELLA_NEED_SHARED(path, "golden/golden_stats.json");
  CAPELLA_NEED_SHARED(captions, "golden/golden_coco_fakecap.json");
  constexpr double kSinglePrecision = 1e-4;
  read(path, captions);
  ThreadPool pool(2);
  const std::vector<stats::RowsView> views = {view(0), view(1)};
  const auto sums = stats::resampled_sums(views, units_, {1000, 12345}, pool);
  std::vector<Numbers> resampled;
  for (std::size_t system = 0; system < 2; ++system) {
    const Json& expected = golden_.at("bs").at(key()).at(system);
    resampled.push_back(scores(sums[system]));
    const Numbers& values = resampled.back();
    const Interval interval = stats::percentile_interval(values);
    expect_value(corpus(system), expected.at("score"), kPercent, "score");
    expect_value(std::accumulate(values.begin(), values.end(), 0.0) / 1000, expected.at("mean"),
                 kSinglePrecision, "mean");
    expect_value((interval.high - interval.low) / 2, expected.at("ci"), kSinglePrecision, "interval");
  }
  EXPECT_EQ(stats::sacrebleu_bootstrap_p(corpus(0) - corpus(1), differences(resampled[0], resampled[1])),
            golden_.at("bs").at(key()).at(1).at("p"));
}

TEST_P(PairedGolden, ApproximateRandomization) {
  CAPELLA_NEED_SHARED(path, "golden/golden_stats.json");
  CAPELLA_NEED_SHARED(captions, "golden/golden_coco_fakecap.json");
  read(path, captions);
  ThreadPool pool(2);
  const Sides sums = swap_sides(view(0), view(1), units_, {10'000, 12345}, pool);
  EXPECT_FALSE(sums.exact);
  EXPECT_EQ(stats::randomization_p(corpus(0) - corpus(1),
                                   differences(scores(sums.first), scores(sums.second)), sums.exact),
            golden_.at("ar").at(key()).at(1).at("p"));
}

INSTANTIATE_TEST_SUITE_P(Metrics, PairedGolden,
                         ::testing::Values(std::pair("sacrebleu", "BLEU"), std::pair("chrf", "chrF2")));

}  // namespace
}  // namespace capella::test
