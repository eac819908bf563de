// The authors' published networks: what was counted and computed of them by other programs.
#include <cmath>

#include <gtest/gtest.h>

#include "capella/logic.h"

#include "io/published_rules.h"
#include "support/shared.h"

namespace capella {
namespace {

TEST(PublishedNetworksGolden, CountsOfTheFiles) {
  CAPELLA_NEED_SHARED(rules, "data/mln/allrules_cmnsense.txt");
  CAPELLA_NEED_SHARED(weights, "data/mln/rule_parameters_CS_val.txt");
  const io::PublishedParameters read = io::read_published_rules(rules.string(), weights.string());
  EXPECT_EQ(read.rules, 5738u);
  EXPECT_EQ(read.unknown_rules, 0u);
  ASSERT_EQ(read.images.size(), 5000u);
  std::size_t entries = 0, empty = 0, not_zero = 0;
  for (const io::PublishedImage& image : read.images) {
    entries += image.rules.size();
    empty += image.rules.empty() ? 1 : 0;
    for (const io::PublishedRule& rule : image.rules) not_zero += rule.w0 != 0 ? 1 : 0;
  }
  EXPECT_EQ(entries, 38644u);
  EXPECT_EQ(empty, 2033u);
  EXPECT_EQ(not_zero, 14275u);
}

TEST(PublishedNetworksGolden, EveryNetworkIsSolvedAndTheAuthorsFormulaDiffers) {
  CAPELLA_NEED_SHARED(rules, "data/mln/allrules_cmnsense.txt");
  CAPELLA_NEED_SHARED(weights, "data/mln/rule_parameters_CS_val.txt");
  InferenceOptions options;
  options.sum_exp = true;
  const PublishedNetworks exact = infer_published(rules.string(), weights.string(), options);
  EXPECT_EQ(exact.networks, 5000u);
  EXPECT_EQ(exact.images.size(), 2788u);
  EXPECT_EQ(exact.methods, (std::vector<std::pair<std::string, std::size_t>>{{"exact", 2788}}));
  EXPECT_EQ(exact.most_atoms, 35u);
  EXPECT_NEAR(exact.mean_difference, 0.072, 0.0005);
  EXPECT_NEAR(exact.most_difference, 0.359, 0.001);
  for (const PublishedNetworks::Image& image : exact.images) {
    for (const double p : image.sum_exp) {  // the range that the authors' formula can give
      EXPECT_GE(p, 0.5);
      EXPECT_LE(p, 0.880798);
    }
  }
  options.method = "ptp";
  const PublishedNetworks counted = infer_published(rules.string(), weights.string(), options);
  ASSERT_EQ(counted.images.size(), exact.images.size());
  for (std::size_t k = 0; k < exact.images.size(); ++k) {
    EXPECT_NEAR(counted.images[k].log_z, exact.images[k].log_z, 1e-9);
    for (std::size_t atom = 0; atom < exact.images[k].marginals.size(); ++atom)
      EXPECT_NEAR(counted.images[k].marginals[atom].second, exact.images[k].marginals[atom].second, 1e-10);
  }
}

}  // namespace
}  // namespace capella
