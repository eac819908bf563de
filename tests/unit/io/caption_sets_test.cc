// Data sets for training: every split, every word.
#include "io/caption_sets.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using Words = std::vector<std::string>;

// For texts without tokens: as they are.
void keep(std::string_view text, std::string& out) {
  out += text;
}

class CaptionSetsTest : public ::testing::Test {
 protected:
  CaptionSets read(const std::string& text) const {
    return read_caption_sets(folder_.write("d.json", text), keep);
  }

  std::string problem(const std::string& text) const {
    const std::string message = message_of<DataError>([&] { read(text); });
    const std::size_t at = message.find("d.json");
    return at == std::string::npos ? message : message.substr(at);
  }

  static Words words(const CaptionSets& sets, std::size_t caption) {
    Words all;
    for (const std::uint32_t id : sets.caption(caption)) all.push_back(sets.words[id]);
    return all;
  }

  test::TempDir folder_;
};

constexpr const char* kTwo = R"({"images": [
{"cocoid": 7, "filename": "x.jpg", "split": "train", "sentences": [
   {"tokens": ["a", "dog"], "raw": "A dog."}, {"raw": "a  dog runs "}]},
{"filename": "y.jpg", "split": "restval", "sentences": [{"tokens": []}]},
{"filename": "z.jpg", "split": "train", "sentences": [{"tokens": ["runs"]}]}], "dataset": "d"})";

TEST_F(CaptionSetsTest, HasAllSplitsAndWords) {
  const CaptionSets sets = read(kTwo);
  EXPECT_EQ(sets.images, (Words{"7", "y.jpg", "z.jpg"}));
  EXPECT_EQ(sets.numbered, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(sets.splits, (Words{"train", "restval"}));
  EXPECT_EQ(sets.split, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(sets.words, (Words{"a", "dog", "runs"}));
  EXPECT_EQ(sets.captions, (std::vector<std::size_t>{0, 2, 3, 4}));
  EXPECT_EQ(words(sets, 0), (Words{"a", "dog"}));
  EXPECT_EQ(words(sets, 1), (Words{"a", "dog", "runs"}));
  EXPECT_EQ(words(sets, 2), Words{});
  EXPECT_EQ(words(sets, 3), Words{"runs"});
}

TEST_F(CaptionSetsTest, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(problem(R"({"images": [
{"filename": "x", "split": "train", "sentences": [{"tokens": ["a"]}]},
{"filename": "y", "sentences": [{"tokens": ["a"]}]},
{"filename": "x", "split": "train", "sentences": [{"tokens": ["a"]}]},
{"split": "train", "sentences": [{"tokens": ["a"]}]},
{"filename": "u", "split": "train", "sentences": []},
{"filename": "v", "split": "train"},
{"filename": "w", "split": "train", "sentences": [{"tokens": ["a"]}, {"tokens": ["a", 5]}]}]})"),
            "d.json:3: id y: the image has no split, expected train, val, test or restval\n" +
                folder_.path().string() + "/d.json:4: id x: the image is there twice, expected once\n" +
                folder_.path().string() + "/d.json:5: the image has no id, expected cocoid or filename\n" +
                folder_.path().string() +
                "/d.json:6: id u: the list of sentences is empty, expected at least one\n" +
                folder_.path().string() + "/d.json:7: id v: the image has no list of sentences\n" +
                folder_.path().string() +
                "/d.json:8: id w: sentence 2 has no words, expected tokens (a list of strings) or raw (a "
                "string)\ncorrect the file");
}

TEST_F(CaptionSetsTest, RefusesOtherFiles) {
  for (const char* text : {"[]", "{}", R"({"images": []})", R"({"images": 5})", "a caption", R"([{"a": 1}])"})
    EXPECT_NE(problem(text).find("expected Karpathy's dataset.json"), std::string::npos) << text;
  EXPECT_NE(problem("").find("empty"), std::string::npos);
  EXPECT_NE(problem(R"({"images": [{"filename")").find("cut short"), std::string::npos);
  EXPECT_NE(problem(R"({"images": [5]})").find("d.json:1"), std::string::npos);
}

}  // namespace
}  // namespace capella::io
