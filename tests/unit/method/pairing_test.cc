#include "method/composite/pairing.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/corpus.h"
#include "support/message_of.h"

namespace capella::method::composite {
namespace {

using test::Item;
using test::message_of;

std::vector<std::string> five(const std::string& word) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5; ++i) texts.push_back(word + " " + std::to_string(i));
  return texts;
}

// Ten images with five human captions each, and two machines.
Dataset ten_images() {
  std::vector<Item> items;
  test::NamedCaptions second{"second", {}};
  for (int i = 0; i < 10; ++i) {
    items.push_back({"first says " + std::to_string(i), five("human " + std::to_string(i))});
    second.captions.push_back("second says " + std::to_string(i));
  }
  return test::make_dataset(items, {second});
}

std::set<std::string> references_of(const Dataset& dataset, std::size_t item) {
  const auto references = dataset.references(item);
  return {references.begin(), references.end()};
}

TEST(Pairing, GivesEachClassItsCandidates) {
  const PairedCaptions paired = pair_captions(ten_images(), {});
  EXPECT_EQ(paired.image_count, 10u);
  EXPECT_EQ(paired.dataset.size(), 50u);  // 3 of people and 2 of machines for each image
  EXPECT_EQ(std::ranges::count(paired.human, 1.0), 30);
  EXPECT_EQ(std::ranges::count(paired.systems, "first"), 10);
  EXPECT_EQ(std::ranges::count(paired.systems, "second"), 10);
}

TEST(Pairing, TakesACandidateOutOfItsReferences) {
  const PairedCaptions paired = pair_captions(ten_images(), {});
  std::map<std::string, std::set<std::string>> candidates;
  for (std::size_t k = 0; k < paired.dataset.size(); ++k) {
    const std::string caption(paired.dataset.systems()[0].captions[k]);
    const auto references = references_of(paired.dataset, k);
    ASSERT_EQ(references.size(), 4u);  // the same for people and machines
    std::set<std::string> all;
    for (const std::string& text : five("human " + paired.images[k])) all.insert(text);
    EXPECT_TRUE(std::ranges::includes(all, references));
    if (paired.human[k] == 0.0) continue;
    EXPECT_FALSE(references.contains(caption));
    EXPECT_TRUE(all.contains(caption));
    EXPECT_TRUE(candidates[paired.images[k]].insert(caption).second) << "one candidate twice";
  }
}

TEST(Pairing, DrawsAMachinesReferencesAnew) {
  const PairedCaptions paired = pair_captions(ten_images(), {});
  std::size_t equal = 0;
  for (std::size_t image = 0; image < 10; ++image)
    equal += references_of(paired.dataset, 5 * image + 3) == references_of(paired.dataset, 5 * image + 4);
  EXPECT_LT(equal, 8u);  // of 10; two of 10 by chance
}

TEST(Pairing, DependsOnTheSeedAlone) {
  const auto texts = [](std::uint64_t seed) {
    const PairedCaptions paired = pair_captions(ten_images(), {.seed = seed});
    const auto captions = paired.dataset.systems()[0].captions;
    return std::vector<std::string>(captions.begin(), captions.end());
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

TEST(Pairing, LeavesOutImagesAndThoseWithFewCaptions) {
  std::vector<Item> items(3, {"a machine", five("human")});
  items[2].references.pop_back();
  PairingOptions options;
  options.leaves_out = [](std::string_view image) { return image == "0"; };
  const PairedCaptions paired = pair_captions(test::make_dataset(items), options);
  EXPECT_EQ(paired.image_count, 1u);
  EXPECT_EQ(paired.left_out, 1u);
  EXPECT_EQ(paired.too_few, 1u);
  EXPECT_EQ(paired.images, std::vector<std::string>(4, "1"));
}

TEST(Pairing, TakesFiveOfManyCaptions) {
  Item item{"a machine", five("human")};
  item.references.insert(item.references.end(), {"sixth", "seventh"});
  const PairedCaptions paired = pair_captions(test::make_dataset({item}), {});
  for (std::size_t k = 0; k < paired.dataset.size(); ++k) EXPECT_EQ(paired.dataset.references(k).size(), 4u);
}

// Thirty images in fifteen pairs: the two of a pair share a word that no other has. Each machine says which
// image it saw.
Dataset twins() {
  std::vector<Item> items;
  test::NamedCaptions second{"second", {}};
  for (int i = 0; i < 30; ++i) {
    const std::string word(4, static_cast<char>('a' + i / 2));
    items.push_back({std::to_string(i), five("a picture of " + word)});
    second.captions.push_back(std::to_string(i));
  }
  return test::make_dataset(items, {second});
}

TEST(Pairing, OtherMachinesSawAnotherImage) {
  const PairedCaptions paired = pair_captions(twins(), {.machines = Machines::other});
  ASSERT_EQ(paired.dataset.size(), 150u);
  // How often the machine saw the twin: the most alike of 1, 10 or 100 images drawn from 29. The chance is
  // 1/29 = .03, 1 - (28/29)^10 = .30, 1 - (28/29)^100 = .97; each is tried 20 times.
  std::map<std::size_t, int> seen_twin;
  for (std::size_t k = 0; k < paired.dataset.size(); ++k) {
    if (paired.human[k] == 1.0) continue;
    const auto image = static_cast<std::size_t>(std::stoi(paired.images[k]));
    const auto seen =
        static_cast<std::size_t>(std::stoi(std::string(paired.dataset.systems()[0].captions[k])));
    EXPECT_NE(seen, image);
    EXPECT_EQ(paired.dataset.references(k).size(), 4u);
    const std::string word(4, static_cast<char>('a' + image / 2));  // references are the image's own
    EXPECT_NE(paired.dataset.references(k)[0].find(word), std::string_view::npos);
    const std::size_t system = paired.systems[k] == "second";
    seen_twin[(image + system) % 3] += (seen ^ 1) == image;
  }
  EXPECT_LE(seen_twin[0], 4);
  EXPECT_GE(seen_twin[1], 1);
  EXPECT_LE(seen_twin[1], 13);
  EXPECT_GE(seen_twin[2], 16);
}

TEST(Pairing, OtherMachinesNeedTwoImages) {
  const Dataset one = test::make_dataset({{"a machine", five("human")}});
  EXPECT_NE(
      message_of<DataError>([&] { pair_captions(one, {.machines = Machines::other}); }).find("2 or more"),
      std::string::npos);
}

TEST(Pairing, RefusesWhatCannotBe) {
  const Dataset one = test::make_dataset({{"a machine", {"a", "b"}}});
  EXPECT_NE(message_of<DataError>([&] { pair_captions(one, {}); }).find("fewer than 5"), std::string::npos);
  EXPECT_THROW(pair_captions(one, {.captions = 1, .humans = 1}), UsageError);
  EXPECT_THROW(pair_captions(one, {.captions = 2, .humans = 3}), UsageError);
}

TEST(ImageKey, KnowsCocosSpellings) {
  EXPECT_EQ(image_key("val2014/COCO_val2014_000000391895.jpg"), "391895");
  EXPECT_EQ(image_key("COCO_train2014_000000000007.jpg"), "7");
  EXPECT_EQ(image_key("391895"), "391895");
  EXPECT_EQ(image_key("000000391895.jpg"), "391895");
  EXPECT_EQ(image_key("Flickr8k_Dataset/909191414_1cf5d85821.jpg"), "909191414_1cf5d85821");
  EXPECT_EQ(image_key("0"), "0");
  EXPECT_EQ(image_key(""), "");
}

}  // namespace
}  // namespace capella::method::composite
