#include <set>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/npy.h"
#include "method/mln/attention/bags.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::method::mln {
namespace {

using test::message_of;

// An image with one object of each label; a man is a person as well.
io::ImageObjects image(const std::string& id, const std::vector<std::string>& labels) {
  io::ImageObjects out{id, 10, 10, {}, ""};
  for (const std::string& label : labels) {
    io::DetectedObject object{label, {}, {0, 0, 1, 1}, 1};
    if (label == "man") object.aliases = {"person"};
    out.objects.push_back(object);
  }
  return out;
}

struct Fixture {
  std::vector<io::ImageObjects> images = {image("1", {"man", "bike", "dog"}), image("2", {"man", "bike"}),
                                          image("3", {"dog", "bike"}), image("4", {"man", "bike", "dog"}),
                                          image("5", {"man", "dog"})};
  std::vector<io::TripletRow> rows = {
      {"1", "train", "a", {{"man", "ride", "bike"}, {"dog", "near", "bike"}, {"cat", "near", "bike"}}},
      {"1", "train", "b", {{"man", "ride", "bike"}}},
      {"2", "restval", "", {{"man", "near", "bike"}, {"bike", "near", "bike"}}},
      {"3", "train", "", {{"dog", "ride", "bike"}}},
      {"4", "val", "", {{"person", "ride", "bike"}, {"man", "near", "dog"}}},
      {"5", "test", "", {{"man", "ride", "dog"}}},
      {"6", "train", "", {{"man", "ride", "bike"}}}};
};

// Pairs as "image subject object", by the words' objects (one each).
std::set<std::string> names(const ToldImages& told, const std::vector<PairPlace>& pairs) {
  std::set<std::string> out;
  for (const PairPlace& pair : pairs) {
    const io::ImageObjects& image = told.image(pair.image);
    out.insert(image.image + " " + image.objects[told.objects(pair.image, pair.subject)[0]].label + " " +
               image.objects[told.objects(pair.image, pair.object)[0]].label);
  }
  EXPECT_EQ(out.size(), pairs.size());
  return out;
}
using Names = std::set<std::string>;

TEST(Bags, CountPredicatesOfTrainingImagesWhoseObjectsAreDetected) {
  const Fixture data;
  const ToldImages told(data.images, data.rows);
  EXPECT_EQ(told.predicates(1), (std::vector<std::string>{"near", "ride"}));
  EXPECT_EQ(told.predicates(3), (std::vector<std::string>{}));  // each pair counts once
  EXPECT_EQ(told.used_images().size(), 4u);
}

TEST(Bags, NegativesOfOtherPredicates) {
  const Fixture data;
  const ToldImages told(data.images, data.rows);
  const PlacedPairs ride = told.pairs("ride", Part::train, Negatives::other_predicates);
  EXPECT_EQ(names(told, ride.told), (Names{"1 man bike", "3 dog bike"}));
  EXPECT_EQ(names(told, ride.others), (Names{"1 dog bike", "2 man bike"}));
}

TEST(Bags, NegativesThatLackALabel) {
  const Fixture data;
  const ToldImages told(data.images, data.rows);
  const PlacedPairs ride = told.pairs("ride", Part::train, Negatives::mismatch);
  EXPECT_EQ(names(told, ride.others),
            (Names{"1 man dog", "1 dog man", "1 bike man", "1 bike dog", "1 dog bike", "3 bike dog"}));
}

TEST(Bags, PossibleAndMentionedNegatives) {
  const Fixture data;
  const ToldImages told(data.images, data.rows);
  EXPECT_EQ(names(told, told.pairs("ride", Part::train, Negatives::possible).others),
            (Names{"1 dog bike", "2 man bike"}));
  // In validation a person rides, which is the man: its pair is no negative one, as it has the same objects.
  const PlacedPairs held = told.pairs("ride", Part::held_out, Negatives::possible);
  EXPECT_EQ(names(told, held.told), (Names{"4 man bike"}));
  EXPECT_EQ(names(told, held.others), (Names{"4 dog bike"}));
  EXPECT_TRUE(told.pairs("ride", Part::held_out, Negatives::mentioned).others.empty());
  EXPECT_EQ(names(told, told.pairs("near", Part::train, Negatives::mentioned).others),
            (Names{"1 man bike", "3 dog bike"}));
  EXPECT_TRUE(told.pairs("fly", Part::train, Negatives::possible).told.empty());
}

TEST(Bags, AnImageHasOneSplit) {
  Fixture data;
  data.rows.push_back({"1", "val", "", {}});
  EXPECT_NE(message_of<DataError>([&] { ToldImages(data.images, data.rows); }).find("image 1: its triplets"),
            std::string::npos);
}

TEST(Bags, FeaturesAreKeptOrReadAgainAlike) {
  const test::TempDir folder;
  std::vector<io::ImageObjects> images = {image("1", {"man", "bike"}), image("2", {"dog"})};
  images[0].features = folder.write("1.npy", io::npy_bytes(std::vector<float>{1, 2, 3, 4}, 2, 2));
  images[1].features = folder.write("2.npy", io::npy_bytes(std::vector<float>{5, 6}, 1, 2));
  const std::vector<std::uint32_t> places = {0, 1};
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, FeatureStore::kBytes}) {
    const FeatureStore store(images, places, bytes);
    EXPECT_EQ(store.width(), 2u);
    EXPECT_EQ(store.of(0)->values, (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(store.of(1)->values, (std::vector<float>{5, 6}));
  }
  folder.write("2.npy", io::npy_bytes(std::vector<float>{5, 6, 7}, 1, 3));
  EXPECT_NE(message_of<DataError>([&] { FeatureStore(images, places); }).find("3 numbers for each object"),
            std::string::npos);
}

TEST(ObjectsCalled, NumbersOfObjectsHaveABound) {
  io::ImageObjects image;
  image.image = "17";
  image.objects.resize(65'536);
  image.objects.back().label = "man";
  image.objects.back().score = 1;
  EXPECT_EQ(objects_called(image, "man"), std::vector<std::uint16_t>{65'535});
  image.objects.emplace_back();
  EXPECT_EQ(
      message_of<DataError>([&] { objects_called(image, "man"); }),
      "image 17: 65537 objects, expected 65536 or fewer; leave out those that the detector is least sure "
      "of");
}

}  // namespace
}  // namespace capella::method::mln
