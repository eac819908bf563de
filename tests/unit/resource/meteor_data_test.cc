#include "resource/meteor_data.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/meteor_convert.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "support/touch.h"

namespace capella::resource {
namespace {

class MeteorDataFile : public ::testing::Test {
 protected:
  MeteorDataFile() {
    const MeteorSources sources{.synsets = "dog\n02084071 00010435\n",
                                .exceptions = "mouse\nmice\n",
                                .function_words = "the\n",
                                .prefixes = "Mr\nNo #NUMERIC_ONLY#\n",
                                .paraphrases = "0.5\non top of\nabove\n0.1\nabove\nover\n"};
    convert_meteor(sources, path(), {});
  }
  std::string path() const { return (folder_.path() / "data").string(); }
  // Opens the file and looks all kinds of things up; nothing but a FileError may come of it.
  static void use(const std::string& path) {
    const MeteorData data(path);
    for (const char* word : {"dog", "mice", "the", "Mr", "No", "cat"}) {
      data.synsets(word_key(word));
      data.bases(word_key(word));
      data.is_function_word(word_key(word));
      data.abbreviation(word_key(word));
    }
    for (const char* phrase : {"on", "on top of", "above", "over"}) data.paraphrases(phrase_key(phrase));
    data.check_content();
  }

  test::TempDir folder_;
};

TEST_F(MeteorDataFile, CanBeUsedAndCopied) {
  use(path());
  use(folder_.write("copy", read_file(path())));
}

TEST_F(MeteorDataFile, IsRefusedWithEveryChangedByte) {
  const std::string good = read_file(path());
  for (std::size_t place = 0; place < good.size(); ++place) {
    std::string changed = good;
    changed[place] = static_cast<char>(~changed[place]);
    EXPECT_THROW(use(test::write_unnoticed(folder_, "damaged", changed, path())), FileError) << place;
  }
}

TEST_F(MeteorDataFile, IsRefusedWhenItsKeysAreMadeInAnotherWay) {
  std::string changed = read_file(path());
  const PhraseKey sample = phrase_key("key sample");
  const std::size_t place = changed.find({reinterpret_cast<const char*>(&sample), sizeof sample});
  ASSERT_NE(place, std::string::npos);
  changed[place] ^= 1;
  const std::string other = test::write_unnoticed(folder_, "other", changed, path());
  EXPECT_EQ(
      test::message_of<FileError>([&] { const MeteorData data(other); }),
      other + ": damaged: its keys are made in another way; get it again with: capella data get meteor");
}

TEST_F(MeteorDataFile, SaysHowToGetWhatIsNotThere) {
  const std::string absent = (folder_.path() / "absent").string();
  EXPECT_EQ(
      test::message_of<FileError>([&] { const MeteorData data(absent); }),
      absent + ": cannot be opened: No such file or directory; get it again with: capella data get meteor");
}

}  // namespace
}  // namespace capella::resource
