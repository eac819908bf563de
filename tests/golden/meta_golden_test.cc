// Agreement with people against golden coefficients and accuracies of the reference programs.
#include <gtest/gtest.h>

#include "capella/meta.h"

#include "golden/golden_scores.h"
#include "support/shared.h"

namespace capella::test {
namespace {

MetaResult evaluate(const std::string& benchmark, const std::filesystem::path& path,
                    std::vector<std::string> metrics, bool as_published = false) {
  MetaOptions options;
  options.as_published = as_published;
  options.benchmark = benchmark;
  options.path = path.string();
  options.score.metrics = std::move(metrics);
  options.resamples = 40;
  return evaluate_metrics(options);
}

const Agreement& metric_of(const MetaResult& result, const std::string& name) {
  for (const Agreement& agreement : result.metrics) {
    if (agreement.metric == name) return agreement;
  }
  throw std::out_of_range(name);
}

TEST(MetaGolden, Flickr8kExpert) {
  CAPELLA_NEED_SHARED(path, "golden/golden_flickr8k_expert.json");
  CAPELLA_NEED_SHARED(folder, "data/flickr8k");
  const Json golden = read_json(path).at("results");
  const MetaResult result = evaluate("flickr8k-expert", folder, {"bleu", "rouge-l", "cider-d"});
  EXPECT_EQ(result.rows, 16992u);
  EXPECT_EQ(result.images, 1000u);
  const std::pair<const char*, const char*> names[] = {
      {"BLEU-1", "BLEU-1"}, {"BLEU-4", "BLEU-4"}, {"ROUGE_L", "ROUGE-L"}, {"CIDEr", "CIDEr-D"}};
  const char* keys[] = {"tau_b", "tau_c", "pearson", "spearman"};
  for (const auto& [theirs, ours] : names) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(metric_of(result, ours).estimates[i].value, golden.at(theirs).at(keys[i]).get<double>(),
                  1e-12)
          << ours << " " << keys[i];
    }
  }
}

TEST(MetaGolden, Pascal50s) {
  CAPELLA_NEED_SHARED(path, "golden/golden_pascal50s.json");
  CAPELLA_NEED_SHARED(file, "data/pascal50s/pascal_50s.json");
  const Json golden = read_json(path).at("results");
  const MetaResult result = evaluate("pascal50s", file, {"bleu", "rouge-l", "cider-d"});
  EXPECT_EQ(result.measures, (std::vector<std::string>{"HC", "HI", "HM", "MM", "mean"}));
  const std::pair<const char*, const char*> names[] = {
      {"BLEU-1", "BLEU-1"}, {"BLEU-4", "BLEU-4"}, {"ROUGE_L", "ROUGE-L"}, {"CIDEr", "CIDEr-D"}};
  for (const auto& [theirs, ours] : names) {
    const Agreement& agreement = metric_of(result, ours);
    for (std::size_t i = 0; i < 4; ++i) {
      const Json& category = golden.at(theirs).at(result.measures[i]);
      EXPECT_NEAR(100 * agreement.estimates[i].value, category.at("strict").get<double>(), 1e-10);
      EXPECT_EQ(agreement.ties[i], category.at("ties").get<std::size_t>());
    }
    EXPECT_NEAR(100 * agreement.estimates[4].value, golden.at(theirs).at("mean_strict").get<double>(), 1e-10);
  }
}

// pycocoevalcap's scores of the same rows, with scipy's tau-b.
TEST(MetaGolden, Flickr8kCrowdFlower) {
  CAPELLA_NEED_SHARED(folder, "data/flickr8k");
  const MetaResult result = evaluate("flickr8k-cf", folder, {"bleu", "rouge-l", "cider-d"});
  EXPECT_EQ(result.rows, 47830u);
  const std::pair<const char*, double> expected[] = {
      {"BLEU-1", .179532}, {"BLEU-4", .168819}, {"ROUGE-L", .199057}, {"CIDEr-D", .246149}};
  for (const auto& [name, tau_b] : expected)
    EXPECT_NEAR(metric_of(result, name).estimates[0].value, tau_b, 1e-5) << name;
}

// tau-b and tau-c, times 100, as PAC-S prints them.
TEST(MetaGolden, Flickr8kCrowdFlowerHasPublishedCorrelations) {
  CAPELLA_NEED_SHARED(folder, "data/flickr8k");
  const MetaResult result = evaluate("flickr8k-cf", folder, {"bleu", "rouge-l", "cider-d"}, true);
  struct Printed {
    const char* metric;
    double tau_b;
    double tau_c;
  };
  const Printed expected[] = {{"BLEU-1", 17.946, 9.256},
                              {"BLEU-4", 16.863, 8.710},
                              {"ROUGE-L", 19.903, 10.274},
                              {"CIDEr-D", 24.619, 12.724}};
  for (const auto& [name, tau_b, tau_c] : expected) {
    EXPECT_NEAR(100 * metric_of(result, name).estimates[0].value, tau_b, 5e-4) << name;
    EXPECT_NEAR(100 * metric_of(result, name).estimates[1].value, tau_c, 5e-4) << name;
  }
}

// FLEUR's scores came with the file, and DENEB's table prints 63.5 for them; tau-c of the metrics was
// published with arXiv:2512.21582.
TEST(MetaGolden, CompositeHasPublishedCorrelations) {
  CAPELLA_NEED_SHARED(file, "data/composite/composite.jsonl");
  const MetaResult result = evaluate("composite", file, {"bleu", "rouge-l", "cider-d"});
  EXPECT_EQ(result.rows, 11985u);
  EXPECT_NEAR(metric_of(result, "FLEUR").estimates[1].value, 0.6345, 5e-5);
  const std::pair<const char*, double> expected[] = {{"BLEU-4", .306}, {"ROUGE-L", .324}, {"CIDEr-D", .377}};
  for (const auto& [name, tau_c] : expected)
    EXPECT_NEAR(metric_of(result, name).estimates[1].value, tau_c, 5e-4) << name;
}

}  // namespace
}  // namespace capella::test
