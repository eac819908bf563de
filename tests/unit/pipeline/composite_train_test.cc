// Networks trained from tables of one score that are made up here.
#include "pipeline/composite_train.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "capella/composite.h"
#include "capella/error.h"

#include "io/feature_table.h"
#include "method/composite/model.h"
#include "support/message_of.h"

namespace capella {
namespace {

using test::message_of;

// A table of one score, an image for each row.
io::FeatureTable one_score(const std::string& images, std::vector<double> values, std::vector<double> targets,
                           io::Targets targets_are) {
  io::FeatureTable table;
  table.source = "made up";
  table.tokenizer = "ptb";
  table.targets_are = targets_are;
  table.columns = {{"ROUGE-L", "rouge-l", {}, "beta:1.2|ref:max"}};
  for (std::size_t k = 0; k < values.size(); ++k) {
    table.ids.push_back(std::to_string(k));
    table.images.push_back(fmt::format("{}{}", images, k));
    table.systems.push_back("x");
    table.lengths.push_back(3);
  }
  table.targets = std::move(targets);
  table.values = std::move(values);
  return table;
}

io::FeatureTable rising_ratings(double sign = 1) {
  std::vector<double> values, ratings;
  for (int k = 0; k < 20; ++k) {
    values.push_back(k / 20.0);
    ratings.push_back(sign * k);
  }
  return one_score("rated", values, ratings, io::Targets::ratings);
}

pipeline::TrainedComposite train_line(const io::FeatureTable& training, const io::FeatureTable& validation,
                                      CompositeTraining options = {}) {
  options.seeds = 1;
  options.most_epochs = 10;
  options.batch = 1;
  options.rate = 0.5;
  return pipeline::train_design({"line", {{"ROUGE-L", 1.0}}, {}}, training, validation, options);
}

TEST(CompositeTrain, StandardizesByTheTrainingCaptions) {
  // The mean is 5; the squares of the distances are 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, so that the
  // deviation is sqrt(32 / 8) = 2.
  const io::FeatureTable training =
      one_score("i", {2, 4, 4, 4, 5, 5, 7, 9}, {0, 0, 0, 0, 1, 1, 1, 1}, io::Targets::human);
  CompositeTraining options;
  options.held_out = 0;
  const auto plain = train_line(training, rising_ratings(), options).models[0];
  EXPECT_EQ(plain.inputs[0].mean, 5.0);
  EXPECT_EQ(plain.inputs[0].shift, 0.0);
  EXPECT_EQ(plain.inputs[0].scale, 1.0);
  options.standardize = true;
  const auto model = train_line(training, rising_ratings(), options).models[0];
  EXPECT_EQ(model.inputs[0].mean, 5.0);
  EXPECT_EQ(model.inputs[0].shift, 5.0);
  EXPECT_EQ(model.inputs[0].scale, 0.5);
  double sum = 0, squares = 0;
  for (const double value : training.values) {
    const double input = method::composite::network_inputs(model, std::vector{value})[0];
    sum += input;
    squares += input * input;
  }
  EXPECT_EQ(sum, 0.0);
  EXPECT_EQ(squares / 8, 1.0);
}

TEST(CompositeTrain, RefusesToStandardizeWhatIsAlwaysTheSame) {
  // The mean of ten times 0.1 is not 0.1 in floating point.
  const io::FeatureTable training =
      one_score("i", std::vector<double>(10, 0.1), {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, io::Targets::human);
  CompositeTraining options;
  options.held_out = 0;
  options.standardize = true;
  const std::string problem = message_of<DataError>([&] { train_line(training, rising_ratings(), options); });
  EXPECT_NE(problem.find("the same ROUGE-L, 0.1"), std::string::npos) << problem;
}

TEST(CompositeTrain, HoldsWholeImagesOut) {
  io::FeatureTable table =
      one_score("", std::vector<double>(60), std::vector<double>(60), io::Targets::human);
  for (std::size_t k = 0; k < 60; ++k) table.images[k] = fmt::format("image {}", k % 20);
  const std::vector<bool> held_out = pipeline::draw_held_out(table, 0.25, 3);
  ASSERT_EQ(held_out.size(), 60u);
  EXPECT_EQ(std::ranges::count(held_out, true), 15);  // three rows of each of five images
  for (std::size_t k = 20; k < 60; ++k) EXPECT_EQ(held_out[k], held_out[k % 20]) << k;
  EXPECT_EQ(pipeline::draw_held_out(table, 0.25, 3), held_out);
  EXPECT_NE(pipeline::draw_held_out(table, 0.25, 4), held_out);
  EXPECT_EQ(std::ranges::count(pipeline::draw_held_out(table, 0, 3), true), 0);
  for (std::string& image : table.images) image = "one";
  EXPECT_NE(message_of<DataError>([&] { pipeline::draw_held_out(table, 0.9, 3); }).find("all 1 images"),
            std::string::npos);
}

TEST(CompositeTrain, RefusesImagesThatAreRatedToo) {
  const io::FeatureTable training =
      one_score("COCO_val2014_00000000000", {0, 1, 0, 1}, {0, 1, 0, 1}, io::Targets::human);
  io::FeatureTable ratings = rising_ratings();
  ratings.images[4] = "2";
  const std::string problem = message_of<DataError>([&] { train_line(training, ratings); });
  EXPECT_NE(problem.find("1 of its images"), std::string::npos) << problem;
  EXPECT_NE(problem.find("--leave-out"), std::string::npos) << problem;
}

TEST(CompositeTrain, WarnsOfNetworksOfNoUse) {
  std::vector<double> values, rising, mostly_human;
  for (int k = 0; k < 40; ++k) {
    values.push_back((k % 20) / 20.0);
    rising.push_back(k % 20 >= 10);
    mostly_human.push_back(k % 10 != 0);
  }
  CompositeTraining options;
  const auto warnings = [&](const std::vector<double>& targets, const std::vector<double>& scores,
                            double sign) {
    const auto training = one_score("i", scores, targets, io::Targets::human);
    const CompositeTrained trained = train_line(training, rising_ratings(sign), options).summary;
    return fmt::format("{}", fmt::join(trained.warnings, "\n"));
  };
  EXPECT_EQ(warnings(rising, values, 1), "");
  const std::string contrary = warnings(rising, values, -1);
  EXPECT_NE(contrary.find("line: the network disagrees with people"), std::string::npos) << contrary;
  EXPECT_NE(contrary.find("-1.0000"), std::string::npos) << contrary;
  // Nine of ten are people's, and the score says nothing.
  std::vector<double> nothing;
  for (int k = 0; k < 40; ++k) nothing.push_back(0.5 + 0.001 * (k % 2));
  const std::string one_class = warnings(mostly_human, nothing, 1);
  EXPECT_NE(one_class.find("all training captions into one class"), std::string::npos) << one_class;
}

}  // namespace
}  // namespace capella
