#include "resource/meteor_convert.h"

#include <set>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/meteor_data.h"
#include "support/message_of.h"
#include "support/shared.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

using Abbreviation = MeteorData::Abbreviation;
using test::message_of;

MeteorSources tiny_sources() {
  return {.synsets = "dog\n02084071 00010435 02084071\nhot_dog\n07676602\nmouse\n2330245\n",
          .exceptions = "good\nbetter best\nwell\nbetter\nmouse\nmice\n",
          .function_words = "the\n of \n\n,\n",
          .prefixes = "# No #NUMERIC_ONLY#: a comment\n\nMr\nNo #NUMERIC_ONLY# \nMrs\t\nMr #NUMERIC_ONLY#",
          .paraphrases =
              "0.5\non top of\nabove\n0.1\nabove\nover\n0.2\non top of\nupon the top of\n"
              "0.2\non top of\nabove\n"};
}

std::vector<std::uint32_t> list(std::span<const std::uint32_t> numbers) {
  return {numbers.begin(), numbers.end()};
}
std::vector<std::uint64_t> list(std::span<const std::uint64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

class MeteorConvert : public ::testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "meteor").string(); }
  void convert(const MeteorSources& sources) const { convert_meteor(sources, path(), {}); }
  // The message when one of the files is this text and the others are empty.
  std::string complaint(std::string MeteorSources::*file, const char* text) const {
    MeteorSources sources;
    sources.*file = text;
    return message_of<DataError>([&] { convert(sources); });
  }

 private:
  test::TempDir folder_;
};

TEST_F(MeteorConvert, KeepsSynsetsInOrderAndOnce) {
  convert(tiny_sources());
  const MeteorData data(path());
  EXPECT_EQ(list(data.synsets(word_key("dog"))), (std::vector<std::uint32_t>{10435, 2084071}));
  EXPECT_EQ(list(data.synsets(word_key("hot_dog"))), (std::vector<std::uint32_t>{7676602}));
  EXPECT_TRUE(data.has_synsets(word_key("mouse")));
  EXPECT_FALSE(data.has_synsets(word_key("Dog")));
  EXPECT_TRUE(data.synsets(word_key("cat")).empty());
}

TEST_F(MeteorConvert, FindsBasesByIrregularForm) {
  convert(tiny_sources());
  const MeteorData data(path());
  EXPECT_EQ(list(data.bases(word_key("better"))), (std::vector<WordKey>{word_key("good"), word_key("well")}));
  EXPECT_EQ(list(data.bases(word_key("mice"))), (std::vector<WordKey>{word_key("mouse")}));
  EXPECT_TRUE(data.bases(word_key("good")).empty());
}

TEST_F(MeteorConvert, KnowsFunctionWordsAndAbbreviations) {
  convert(tiny_sources());
  const MeteorData data(path());
  for (const char* word : {"the", "of", ","}) EXPECT_TRUE(data.is_function_word(word_key(word))) << word;
  EXPECT_FALSE(data.is_function_word(word_key("")));
  EXPECT_FALSE(data.is_function_word(word_key("dog")));
  EXPECT_EQ(data.abbreviation(word_key("Mr")), Abbreviation::always);
  EXPECT_EQ(data.abbreviation(word_key("Mrs")), Abbreviation::always);
  EXPECT_EQ(data.abbreviation(word_key("No")), Abbreviation::before_number);
  EXPECT_EQ(data.abbreviation(word_key("mr")), Abbreviation::no);
}

TEST_F(MeteorConvert, KeepsParaphrasesInTheOrderOfTheFile) {
  convert(tiny_sources());
  const MeteorData data(path());
  EXPECT_EQ(
      list(data.paraphrases(phrase_key("on top of")).value()),
      (std::vector<PhraseKey>{phrase_key("above"), phrase_key("upon the top of"), phrase_key("above")}));
  EXPECT_EQ(list(data.paraphrases(phrase_key("above")).value()),
            (std::vector<PhraseKey>{phrase_key("over")}));
  EXPECT_FALSE(data.paraphrases(phrase_key("over")));
  EXPECT_EQ(data.longest_phrase(), 4u);
}

TEST_F(MeteorConvert, KnowsTheBeginningsOfPhrasesThatHaveParaphrases) {
  convert(tiny_sources());
  const MeteorData data(path());
  for (const char* beginning : {"on", "on top"}) {
    const auto paraphrases = data.paraphrases(phrase_key(beginning));
    ASSERT_TRUE(paraphrases) << beginning;
    EXPECT_TRUE(paraphrases->empty()) << beginning;
  }
  EXPECT_FALSE(data.paraphrases(phrase_key("top")));
  EXPECT_FALSE(data.paraphrases(phrase_key("upon the")));
}

TEST_F(MeteorConvert, BuildsPhraseKeysWordByWord) {
  const PhraseKey on = extend_phrase(kEmptyPhrase, word_key("on"));
  EXPECT_EQ(phrase_key("on"), on);
  EXPECT_EQ(phrase_key("on top"), extend_phrase(on, word_key("top")));
  EXPECT_NE(phrase_key("on top"), phrase_key("top on"));
}

TEST_F(MeteorConvert, MayBeEmpty) {
  convert({});
  const MeteorData data(path());
  EXPECT_TRUE(data.synsets(word_key("dog")).empty());
  EXPECT_FALSE(data.paraphrases(phrase_key("on top of")));
  EXPECT_EQ(data.longest_phrase(), 0u);
  data.check_content();
}

TEST_F(MeteorConvert, NamesFileAndLineOfWhatIsMalformed) {
  EXPECT_EQ(complaint(&MeteorSources::synsets, "dog\n12\ncat\n1x\n"),
            "english.synsets:4: found '1x', expected a synset's number; get the original file of METEOR 1.5");
  EXPECT_TRUE(complaint(&MeteorSources::synsets, "dog\n99999999999\n")
                  .starts_with("english.synsets:2: found '99999"));
  EXPECT_TRUE(
      complaint(&MeteorSources::synsets, "dog\n12\ncat\n").starts_with("english.synsets:3: the file ends"));
  EXPECT_TRUE(
      complaint(&MeteorSources::synsets, "\n12\n").starts_with("english.synsets:1: found an empty line"));
  EXPECT_TRUE(
      complaint(&MeteorSources::exceptions, "mouse").starts_with("english.exceptions:1: the file ends"));
  EXPECT_TRUE(
      complaint(&MeteorSources::paraphrases, "0.5\nabove\n").starts_with("paraphrase-en:2: the file ends"));
  EXPECT_TRUE(complaint(&MeteorSources::paraphrases, "0.5\non  top\nabove\n")
                  .starts_with("paraphrase-en:2: found no"));
  EXPECT_TRUE(
      complaint(&MeteorSources::paraphrases, "0.5\nabove\n\n").starts_with("paraphrase-en:3: found no"));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(MeteorConvert, TellsHowFarItIs) {
  std::set<std::size_t> steps;
  convert_meteor(tiny_sources(), path(), [&](std::string_view, std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 100u);
    EXPECT_TRUE(steps.insert(done).second) << done;
  });
  EXPECT_EQ(steps.size(), 100u);
  EXPECT_EQ(*steps.begin(), 1u);
}

TEST_F(MeteorConvert, HoldsEverySynsetOfTheRealFile) {
  CAPELLA_NEED_SHARED(synsets, "data/meteor-1.5/resources/synonym/english.synsets");
  CAPELLA_NEED_SHARED(exceptions, "data/meteor-1.5/resources/synonym/english.exceptions");
  const std::string text = read_file(synsets.string());
  MeteorSources sources;
  sources.synsets = text;
  sources.exceptions = read_file(exceptions.string());
  convert(sources);
  const MeteorData data(path());
  std::size_t words = 0;
  for (std::size_t begin = 0; begin < text.size(); ++words) {
    const std::size_t middle = text.find('\n', begin);
    const std::size_t end = text.find('\n', middle + 1);
    const std::string word = text.substr(begin, middle - begin);
    const std::string numbers = text.substr(middle + 1, end - middle - 1);
    const auto found = data.synsets(word_key(word));
    ASSERT_FALSE(found.empty()) << word;
    for (const std::uint32_t synset : found) {
      ASSERT_NE(numbers.find(std::to_string(synset)), std::string::npos) << word;
    }
    begin = end + 1;
  }
  EXPECT_EQ(words, 147'306u);
  EXPECT_EQ(data.bases(word_key("better")).size(), 3u);
}

}  // namespace
}  // namespace capella::resource
