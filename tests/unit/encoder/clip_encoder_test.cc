// Lists of texts and pictures give the vectors of single ones, whatever the threads, the cache and the
// company.
#include "encoder/clip_encoder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_clip.h"
#include "support/small_pictures.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::SmallClip;
using Texts = std::vector<std::string_view>;
using Paths = std::vector<std::string>;

const SmallClip& model() {
  static const SmallClip model;
  return model;
}

std::vector<float> row(const Features& features, std::size_t i) {
  return {features.row(i).begin(), features.row(i).end()};
}

Texts many_texts() {
  return {"a dog", "", "the cat", "a dog", "two dogs in a park", "a", "dog", "cat on a mat, with a hat",
          "a dog"};
}

TEST(ClipEncoder, TextsAreEncodedAsIfAlone) {
  const ClipEncoder encoder(model().path());
  EXPECT_EQ(encoder.width(), SmallClip::kWidth);
  EXPECT_EQ(encoder.most_tokens(), SmallClip::kTokens);
  const Texts texts = many_texts();
  const auto features = encoder.texts(texts, "so: ");
  ASSERT_EQ(features->size(), texts.size());
  EXPECT_TRUE(features->cut.empty());
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(row(*features, i), model().text("so: " + std::string(texts[i]))) << texts[i];
  EXPECT_NE(row(*features, 0), row(*features, 2));
}

TEST(ClipEncoder, ThreadsChangeNothing) {
  std::vector<std::string> stored;
  for (int i = 0; i < 700; ++i)
    stored.push_back(std::string(static_cast<std::size_t>(i % 37), 'a') + std::to_string(i));
  const Texts texts(stored.begin(), stored.end());
  const auto alone = ClipEncoder(model().path()).texts(texts, "");
  for (const std::size_t threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::size_t told = 0;
    const EncodeWork work{&pool, [&](std::string_view, std::size_t, std::size_t) { ++told; }};
    EXPECT_EQ(ClipEncoder(model().path()).texts(texts, "", work)->values, alone->values);
    EXPECT_GT(told, 3u);
  }
}

TEST(ClipEncoder, LongTextsAreCutAndCounted) {
  const ClipEncoder encoder(model().path());
  const std::string fits(SmallClip::kTokens - 2, '7');  // a digit is a token
  const std::string longer = fits + "7";
  const auto features = encoder.texts(Texts{"a", longer, fits, longer + "89"}, "");
  EXPECT_EQ(features->cut, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(row(*features, 1), row(*features, 2));
  EXPECT_EQ(row(*features, 3), row(*features, 2));
}

TEST(ClipEncoder, ListsThatAreStillHeldAreNotMadeAgain) {
  const ClipEncoder encoder(model().path());
  const auto first = encoder.texts(Texts{"a", "b"}, "");
  EXPECT_EQ(encoder.texts(Texts{"a", "b"}, ""), first);
  EXPECT_NE(encoder.texts(Texts{"a", "b"}, "x "), first);
  EXPECT_NE(encoder.texts(Texts{"ab", ""}, ""), first);
  for (int i = 0; i < 200; ++i) encoder.texts(Texts{std::to_string(i)}, "");
  EXPECT_EQ(encoder.texts(Texts{"a", "b"}, ""), first);
}

TEST(ClipEncoder, NoTextsAreNoVectors) {
  EXPECT_EQ(ClipEncoder(model().path()).texts({}, "")->size(), 0u);
  EXPECT_EQ(ClipEncoder(model().path()).images({})->size(), 0u);
}

class ClipEncoderPictures : public ::testing::Test {
 protected:
  ClipEncoderPictures() {
    for (std::uint64_t seed = 0; seed < 21; ++seed)
      paths_.push_back(
          folder_.write(std::to_string(seed) + ".png", test::random_picture(seed, 12 + seed, 30 - seed)));
    paths_.push_back(paths_[3]);
  }

  test::TempDir folder_;
  Paths paths_;
  std::string cache_ = (folder_.path() / "cache").string();
};

TEST_F(ClipEncoderPictures, AreEncodedAsIfAlone) {
  const auto alone = ClipEncoder(model().path()).images(paths_);
  ASSERT_EQ(alone->size(), paths_.size());
  for (const std::size_t i :
       {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{20}, std::size_t{21}})
    EXPECT_EQ(row(*alone, i), model().picture(paths_[i]));
  ThreadPool pool(3);
  EXPECT_EQ(ClipEncoder(model().path()).images(paths_, {&pool, {}})->values, alone->values);
}

TEST_F(ClipEncoderPictures, ThoseThatEndEarlyAreMarked) {
  const std::string whole = test::random_picture(1);
  const Paths paths = {paths_[0], folder_.write("half.png", whole.substr(0, whole.size() / 2)), paths_[1]};
  for (int run = 0; run < 2; ++run) {  // the second time from the cache
    const auto features = ClipEncoder(model().path(), cache_).images(paths);
    EXPECT_EQ(features->cut, std::vector<std::size_t>{1});
    EXPECT_EQ(row(*features, 1), model().picture(paths[1]));
  }
}

TEST_F(ClipEncoderPictures, OneThatIsDamagedIsNamed) {
  paths_.push_back(folder_.write("bad.jpg", "no picture"));
  const auto message = message_of<FileError>([&] { ClipEncoder(model().path()).images(paths_); });
  EXPECT_TRUE(message.starts_with(paths_.back() + ": ")) << message;
}

std::uintmax_t bytes_in(const std::string& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(folder)) bytes += file.file_size();
  return bytes;
}

TEST_F(ClipEncoderPictures, TheCacheGivesTheSameBits) {
  const Texts texts = many_texts();
  const auto texts_without = ClipEncoder(model().path()).texts(texts, "p ");
  const auto images_without = ClipEncoder(model().path()).images(paths_);
  std::uintmax_t size = 0;
  for (int run = 0; run < 3; ++run) {
    const ClipEncoder encoder(model().path(), cache_);
    std::size_t encoded = 0;
    const EncodeWork work{nullptr, [&](std::string_view, std::size_t, std::size_t) { ++encoded; }};
    EXPECT_EQ(encoder.texts(texts, "p ", work)->values, texts_without->values);
    EXPECT_EQ(encoded > 0, run == 0);  // later runs find all texts
    EXPECT_EQ(encoder.images(paths_)->values, images_without->values);
    EXPECT_EQ(encoder.cache_problem(), "");
    EXPECT_TRUE(run == 0 || bytes_in(cache_) == size);
    size = bytes_in(cache_);
  }
}

TEST_F(ClipEncoderPictures, TheCacheGoesByContentAndModel) {
  const std::string path = folder_.write("changing.png", test::random_picture(50));
  const auto before = ClipEncoder(model().path(), cache_).images(Paths{path})->values;
  folder_.write("changing.png", test::random_picture(51));
  const auto after = ClipEncoder(model().path(), cache_).images(Paths{path})->values;
  EXPECT_NE(after, before);
  EXPECT_EQ(after, model().picture(path));
  const SmallClip other(9);
  EXPECT_EQ(ClipEncoder(other.path(), cache_).texts(Texts{"a dog"}, "")->values, other.text("a dog"));
  EXPECT_EQ(ClipEncoder(model().path(), cache_).texts(Texts{"a dog"}, "")->values, model().text("a dog"));
}

TEST_F(ClipEncoderPictures, HowPicturesArePreparedIsPartOfTheKey) {
  const SmallClip own;
  const auto before = ClipEncoder(own.path(), cache_).images(Paths{paths_[0]})->values;
  own.folder().write("preprocessor_config.json", R"({"image_mean": [0, 0.5, 1], "image_std": [1, 2, 0.5]})");
  const auto after = ClipEncoder(own.path(), cache_).images(Paths{paths_[0]})->values;
  EXPECT_NE(after, before);
  EXPECT_EQ(after, own.picture(paths_[0]));
}

TEST_F(ClipEncoderPictures, ACacheThatCannotBeWrittenIsToldAndNoReasonToStop) {
  const ClipEncoder encoder(model().path(), cache_);
  for (const auto& file : fs::directory_iterator(cache_)) fs::remove_all(file.path());
  fs::remove(cache_);
  std::ofstream(cache_) << "in the way";
  EXPECT_EQ(encoder.texts(Texts{"a dog"}, "")->values, model().text("a dog"));
  EXPECT_TRUE(encoder.cache_problem().starts_with("vectors are not kept: ")) << encoder.cache_problem();
}

TEST(ClipEncoder, ATokenizerOfAnotherModelIsRefused) {
  const SmallClip own;
  nlohmann::json config = test::small_clip_config();
  config["text_config"]["eos_token_id"] = 17;
  own.folder().write("config.json", config.dump());
  const auto message = message_of<FileError>([&] { ClipEncoder encoder(own.path()); });
  EXPECT_NE(message.find("does not belong to the weights"), std::string::npos) << message;
}

}  // namespace
}  // namespace capella::encoder
