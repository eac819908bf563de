// Vocabularies, recipes, and what generators are given.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/pregen/caption_data.h"
#include "support/message_of.h"

namespace capella::method::pregen {
namespace {

using test::message_of;
using Words = std::vector<std::string>;
using Places = std::vector<std::size_t>;

// Images by their captions, each a list of places in `words`.
io::CaptionSets sets_of(Words words, const std::vector<std::vector<std::vector<std::uint32_t>>>& images) {
  io::CaptionSets sets;
  sets.source = "d.json";
  sets.words = std::move(words);
  sets.splits = {"train", "val"};
  for (std::size_t i = 0; i < images.size(); ++i) {
    sets.images.push_back("image" + std::to_string(i));
    sets.numbered.push_back(false);
    sets.split.push_back(i % 2);
    for (const auto& caption : images[i]) {
      sets.ids.insert(sets.ids.end(), caption.begin(), caption.end());
      sets.tokens.push_back(sets.ids.size());
    }
    sets.captions.push_back(sets.tokens.size() - 1);
  }
  return sets;
}

TEST(Recipe, HasThePublishedNumberOfParameters) {
  struct Case {
    std::size_t vocabulary;
    std::size_t init, pre, par, merge;
  };
  for (const Case& data : {Case{2539, 6274539, 6274539, 2942187, 1600747},       // Flickr8k
                           Case{7415, 11272439, 11272439, 5443575, 3478007},     // Flickr30k
                           Case{8792, 12683864, 12683864, 6149976, 4008152}}) {  // COCO
    const auto count = [&](Architecture architecture) {
      return parameter_count(recipe(architecture, data.vocabulary, 4096));
    };
    EXPECT_EQ(count(Architecture::init), data.init);
    EXPECT_EQ(count(Architecture::pre), data.pre);
    EXPECT_EQ(count(Architecture::par), data.par);
    EXPECT_EQ(count(Architecture::merge), data.merge);
  }
}

TEST(Recipe, IsTheAuthors) {
  const Recipe init = recipe(Architecture::init, 10, 4);
  EXPECT_TRUE(init.xavier);
  EXPECT_EQ(init.clip, .01);
  EXPECT_EQ(init.batch, 128u);
  const Recipe pre = recipe(Architecture::pre, 10, 4);
  EXPECT_FALSE(pre.xavier);
  EXPECT_EQ(pre.batch, 32u);
  EXPECT_EQ(pre.beam, 3u);
  const Recipe par = recipe(Architecture::par, 10, 4);
  EXPECT_EQ(par.image_dropout, .5);
  EXPECT_EQ(par.l2, 1e-8);
  EXPECT_EQ(par.beam, 5u);
  EXPECT_EQ(par.batch, 64u);
  const Recipe merge = recipe(Architecture::merge, 10, 4);
  EXPECT_EQ(merge.embedding_dropout, 0);
  EXPECT_EQ(merge.state_dropout, .5);
  EXPECT_EQ(merge.batch, 128u);
  EXPECT_EQ(merge.size, 128u);
}

TEST(Vocabulary, KeepsFrequentWordsSorted) {
  // dog twice, a three times, <UNK> and cat once, the é of the second image twice in one caption.
  const io::CaptionSets sets =
      sets_of({"dog", "a", "<UNK>", "cat", "é"}, {{{1, 0}, {1, 2}, {0, 3}}, {{1, 4, 4}}});
  const Places all = {0, 1};
  EXPECT_EQ(make_vocabulary(sets, all, 2).words(), (Words{"<EDG>", "<UNK>", "a", "dog", "é"}));
  const Places first = {0};
  EXPECT_EQ(make_vocabulary(sets, first, 2).words(), (Words{"<EDG>", "<UNK>", "a", "dog"}));
  EXPECT_EQ(make_vocabulary(sets, all, 1).words(), (Words{"<EDG>", "<UNK>", "a", "cat", "dog", "é"}));
  EXPECT_EQ(make_vocabulary(sets, first, 0).words(), (Words{"<EDG>", "<UNK>", "a", "cat", "dog"}));
  EXPECT_NE(message_of<DataError>([&] { make_vocabulary(sets, all, 9); }).find("no word stands 9 times"),
            std::string::npos);
}

TEST(Vocabulary, KnowsIds) {
  const Vocabulary vocabulary({"<EDG>", "<UNK>", "a", "b"});
  EXPECT_EQ(vocabulary.id("a"), 2);
  EXPECT_EQ(vocabulary.id("b"), 3);
  for (const char* word : {"c", "", "<EDG>", "<UNK>"}) EXPECT_EQ(vocabulary.id(word), kUnknown);
}

TEST(Vocabulary, RefusesOtherLists) {
  for (const Words& words :
       {Words{}, Words{"<EDG>"}, Words{"<UNK>", "<EDG>"}, Words{"<EDG>", "<UNK>", "b", "a"},
        Words{"<EDG>", "<UNK>", "a", "a"}, Words{"<EDG>", "<UNK>", "<UNK>"}})
    message_of<DataError>([&] { Vocabulary{words}; });
}

class CaptionDataTest : public ::testing::Test {
 protected:
  io::CaptionSets sets_ = sets_of({"dog", "a", "cat"}, {{{1, 0}, {1}}, {{1, 2, 2}}, {{}}, {{0}}});
  io::Matrix features_{"f.npy", 4, 2, {1, 2, 3, 4, 5, 6, 7, 8}};
  Vocabulary vocabulary_{{"<EDG>", "<UNK>", "a", "dog"}};
};

TEST_F(CaptionDataTest, TakesTheImagesOfASplit) {
  EXPECT_EQ(images_of_split(sets_, "train"), (Places{0, 2}));
  EXPECT_EQ(images_of_split(sets_, "val"), (Places{1, 3}));
  EXPECT_EQ(message_of<DataError>([&] { images_of_split(sets_, "test"); }),
            "d.json: there is no split 'test'; the file has: train (2 images), val (2 images)");
}

TEST_F(CaptionDataTest, HasFeaturesAndIds) {
  const CaptionData data = caption_data(sets_, features_, vocabulary_, images_of_split(sets_, "val"));
  EXPECT_EQ(data.features, (std::vector<float>{3, 4, 7, 8}));
  EXPECT_EQ(data.width, 2u);
  EXPECT_EQ(data.captions, (Places{0, 1, 2}));
  EXPECT_EQ(data.words, (Places{0, 3, 4}));
  EXPECT_EQ(data.ids, (std::vector<std::int32_t>{2, kUnknown, kUnknown, 3}));
  EXPECT_EQ(longest_caption(data), 4u);
}

TEST_F(CaptionDataTest, FirstCaptions) {
  const CaptionData data = first_captions(caption_data(sets_, features_, vocabulary_, Places{0, 2, 3}));
  EXPECT_EQ(data.captions, (Places{0, 1, 2, 3}));
  EXPECT_EQ(data.words, (Places{0, 2, 2, 3}));
  EXPECT_EQ(data.ids, (std::vector<std::int32_t>{2, 3, 3}));
  EXPECT_EQ(data.features, (std::vector<float>{1, 2, 5, 6, 7, 8}));
}

TEST_F(CaptionDataTest, NamesTheImageOfABadFeature) {
  const auto problem = [&](float value) {
    io::Matrix features = features_;
    features.values[4] = features.values[5] = value;
    caption_data(sets_, features, vocabulary_, Places{0, 1, 3});  // others are not looked at
    return message_of<DataError>([&] { caption_data(sets_, features, vocabulary_, Places{0, 2}); });
  };
  EXPECT_EQ(problem(std::numeric_limits<float>::quiet_NaN()),
            "f.npy: row 3 (image image2), number 1: found nan, expected a finite number");
  EXPECT_NE(problem(std::numeric_limits<float>::infinity()).find("found inf"), std::string::npos);
  EXPECT_EQ(problem(0),
            "f.npy: row 3 (image image2): all numbers are 0, expected some that are not; features "
            "are scaled to length 1");
  EXPECT_NE(problem(1e30f).find("too large"), std::string::npos);
  EXPECT_NE(problem(1e-30f).find("too small"), std::string::npos);
}

TEST_F(CaptionDataTest, NeedsARowForEachImage) {
  features_.rows = 3;
  features_.values.resize(6);
  EXPECT_EQ(message_of<DataError>([&] { check_rows(sets_, features_); }),
            "f.npy: features of 3 images, expected 4, one per image of d.json");
}

TEST(TakeShare, IsEvenlySpread) {
  const Places images = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(take_share(images, 1), images);
  EXPECT_EQ(take_share(images, .5), (Places{0, 2, 4, 6, 8}));
  EXPECT_EQ(take_share(images, 1e-9), Places{0});
  for (const double share : {0.0, -1.0, 1.1, std::nan("")})
    message_of<UsageError>([&] { take_share(images, share); });
}

TEST_F(CaptionDataTest, FingerprintsDiffer) {
  const CaptionData data = caption_data(sets_, features_, vocabulary_, Places{0, 1});
  CaptionData other = data;
  EXPECT_EQ(fingerprint(data), fingerprint(other));
  other.ids[0] = 1;
  EXPECT_NE(fingerprint(data), fingerprint(other));
  other = data;
  other.features[1] += 1;
  EXPECT_NE(fingerprint(data), fingerprint(other));
  other = data;
  --other.words[1];
  EXPECT_NE(fingerprint(data), fingerprint(other));
}

}  // namespace
}  // namespace capella::method::pregen
