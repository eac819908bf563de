#include "resource/word_vectors_convert.h"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/word_vectors_source.h"
#include "support/message_of.h"
#include "support/shared.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

using test::message_of;
using Row = std::vector<float>;

std::string floats(const Row& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

std::string packed(const std::string& bytes) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "packed").string();
  gzFile file = ::gzopen(path.c_str(), "wb");
  ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  ::gzclose(file);
  return read_file_as_is(path);
}

class Convert : public ::testing::Test {
 protected:
  std::string made() const { return (folder_.path() / "made.vectors").string(); }
  ConvertedVectors convert(std::string_view bytes, VectorConversion options = {}) const {
    return convert_word_vectors(folder_.write("in", bytes), made(), options);
  }
  // What is wrong with these bytes, without the file's path; nothing may be left behind.
  std::string complaint(std::string_view bytes) const {
    const std::string message = message_of<DataError>([&] { convert(bytes); });
    EXPECT_FALSE(std::filesystem::exists(made()));
    const std::string path = (folder_.path() / "in").string();
    EXPECT_TRUE(message.starts_with(path + ":")) << message;
    return message.substr(std::min(path.size(), message.size()));
  }
  Row numbers(std::string_view word) const {
    const WordVectors vectors(made(), "x");
    const std::uint32_t number = vectors.find(word);
    if (number == WordVectors::kNone) return {};
    Row row(vectors.dimensions());
    vectors.read(number, row);
    return row;
  }
  void expect_dog_and_cat() const {
    EXPECT_EQ(WordVectors(made(), "x").size(), 2u);
    EXPECT_EQ(numbers("dog"), (Row{0.5F, -1.25F, 3}));
    EXPECT_EQ(numbers("cat"), (Row{1e-3F, 0, -2}));
  }

  test::TempDir folder_;
};

const std::string kText = "2 3\ndog 0.5 -1.25 3\ncat 1e-3 0 -2\n";
const std::string kBinary =
    "2 3\ndog " + floats({0.5F, -1.25F, 3}) + "\ncat " + floats({1e-3F, 0, -2}) + "\n";

TEST_F(Convert, ReadsTextOfWord2vec) {
  const ConvertedVectors result = convert(kText);
  EXPECT_EQ(result.words, 2u);
  EXPECT_EQ(result.dimensions, 3u);
  EXPECT_EQ(result.repeated, 0u);
  expect_dog_and_cat();
}

TEST_F(Convert, ReadsTextAsProgramsWriteIt) {
  // word2vec and fastText put a space at the end of a line; a file may come from Windows or lack the last
  // "\n".
  for (const char* text :
       {"2 3 \ndog 0.5 -1.25 3 \ncat 1e-3 0 -2 \n", "2 3\r\ndog 0.5 -1.25 3\r\ncat 1E-3 0 -2\r\n",
        "2 3\ndog\t0.5\t-1.25\t3\ncat\t.001\t0\t-2",
        "\xEF\xBB\xBF"
        "2 3\ndog 0.5 -1.25 3\ncat .001 0 -2\n",
        "\xEF\xBB\xBF"
        "dog 0.5 -1.25 3\ncat .001 0 -2\n",
        "2 3\ndog 0.5 -1.25 +3\ncat 1e-03 -0 -2\n\n"}) {
    convert(text);
    expect_dog_and_cat();
  }
}

TEST_F(Convert, ReadsTextWithTabsWhoseWordsHaveSpaces) {
  convert("2 3\ndog\t0.5\t-1.25\t3\nice cream\t1\t2\t3\n");
  EXPECT_EQ(numbers("dog"), (Row{0.5F, -1.25F, 3}));
  EXPECT_EQ(numbers("ice cream"), (Row{1, 2, 3}));
}

TEST_F(Convert, TakesAByteOrderMarkThatIsAWordAsOne) {
  convert("\xEF\xBB\xBF 1 2\ndog 3 4\n");
  EXPECT_EQ(numbers("\xEF\xBB\xBF"), (Row{1, 2}));
}

TEST_F(Convert, ReadsBinaryOfWord2vecWithAndWithoutLineEnds) {
  convert(kBinary);
  expect_dog_and_cat();
  convert("2 3\ndog " + floats({0.5F, -1.25F, 3}) + "cat " + floats({1e-3F, 0, -2}));
  expect_dog_and_cat();
}

TEST_F(Convert, TellsBinaryFromTextByContent) {
  // Random numbers, some of whose bytes are spaces, line ends and digits.
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  for (int dimensions = 4; dimensions < 60; ++dimensions) {
    std::string file = "3 " + std::to_string(dimensions) + "\n";
    std::vector<Row> rows(3, Row(dimensions));
    for (int i = 0; i < 3; ++i) {
      for (float& number : rows[i]) number = normal(random);
      file += "w" + std::to_string(i) + " " + floats(rows[i]);
    }
    convert(file);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(numbers("w" + std::to_string(i)), rows[i]);
  }
}

TEST_F(Convert, ReadsGlove) {
  convert("dog 0.5 -1.25 3\ncat 1e-3 0 -2\n");
  expect_dog_and_cat();
}

TEST_F(Convert, ReadsWordsWithSpacesAndWordsThatAreNumbers) {
  convert(". . . 0.5 1 2\n7 1 2 3\nat name@domain.com 1 1 1\n. . 2 2 2\n\xC2\xA0 4 4 4\n1e3 5 5 5\n");
  EXPECT_EQ(numbers(". . ."), (Row{0.5F, 1, 2}));
  EXPECT_EQ(numbers("7"), (Row{1, 2, 3}));
  EXPECT_EQ(numbers("at name@domain.com"), (Row{1, 1, 1}));
  EXPECT_EQ(numbers(". ."), (Row{2, 2, 2}));
  EXPECT_EQ(numbers("\xC2\xA0"), (Row{4, 4, 4}));
  EXPECT_EQ(numbers("1e3"), (Row{5, 5, 5}));
}

TEST_F(Convert, TakesAFirstWordThatIsANumber) {
  convert("7 1 2 3\n8 4 5 6\n");
  EXPECT_EQ(numbers("7"), (Row{1, 2, 3}));
}

TEST_F(Convert, UnpacksGzip) {
  for (const std::string& bytes : {kText, kBinary, std::string("dog 0.5 -1.25 3\ncat 1e-3 0 -2\n")}) {
    convert(packed(bytes));
    expect_dog_and_cat();
  }
  convert(packed("2 3\ndog 0.5 -1.25 3\n") + packed("cat 1e-3 0 -2\n"));  // gzip files may follow each other
  expect_dog_and_cat();
}

TEST_F(Convert, TakesTheFirstOfRepeatedWordsAndLeavesOutNamelessOnes) {
  const ConvertedVectors result = convert("5 1\ndog 1\ncat 2\ndog 3\n 4\ndog 5\n");
  EXPECT_EQ(result.words, 2u);
  EXPECT_EQ(result.repeated, 2u);
  EXPECT_EQ(result.nameless, 1u);
  EXPECT_EQ(numbers("dog"), (Row{1}));
  EXPECT_TRUE(numbers("").empty());
}

TEST_F(Convert, StopsAfterTheWordsAskedFor) {
  EXPECT_EQ(convert("dog 1 2\ncat 2 3\ndog 3 4\nhorse 4 5\nwrong\n", {.most_words = 3}).words, 3u);
  EXPECT_EQ(numbers("horse"), (Row{4, 5}));
}

TEST_F(Convert, RoundsNumbersCorrectly) {
  convert("a 1e-50 1e17 1.17549435e-38 0.1\nb 1e-400 -1e-46 16777217 0.30000001192092896\n");
  EXPECT_EQ(numbers("a"), (Row{0, 99999998430674944.0F, std::numeric_limits<float>::min(), 0.1F}));
  EXPECT_EQ(numbers("b"), (Row{0, 0, 16777216, 0.3F}));
}

TEST_F(Convert, RefusesWrongNumbersOfFields) {
  EXPECT_EQ(complaint("2 3\ndog 1 2 3\ncat 1 2\n"), ":3: found 3 fields, expected a word and 3 numbers");
  EXPECT_EQ(complaint("2 3\ndog 1 2 3\ncat 1 2 3 4\n"), ":3: found 4 numbers, expected 3");
  EXPECT_EQ(complaint("dog 1 2 3\ncat 1 2\n"), ":2: found 3 fields, expected a word and 3 numbers");
  EXPECT_EQ(complaint("dog 1 2 3\ncat 1 2 3 4\n"), ":2: found 4 numbers, expected 3");
  EXPECT_EQ(complaint("dog 1 2 3\ncat 1 2x 3\n"), ":2: found '2x', expected a number");
  EXPECT_EQ(complaint("dog 1 2 3\n\ncat 1 2 3\n"),
            ":3: found a line behind an empty one, expected the end of the file");
}

TEST_F(Convert, NamesWhatIsNoNumberInTheFirstLine) {
  EXPECT_EQ(complaint("dog 1 2x 3\ncat 1 2 3\n"), ":1: found '2x', expected a number");
  EXPECT_EQ(complaint("dog 1 2 3,\ncat 1 2 3\n"), ":1: found '3,', expected a number");
}

TEST_F(Convert, RefusesWordsThatAreTooLong) {
  convert(std::string(65'535, 'x') + " 1 2\n");
  EXPECT_EQ(numbers(std::string(65'535, 'x')), (Row{1, 2}));
  std::filesystem::remove(made());
  EXPECT_EQ(complaint("dog 1 2\n" + std::string(65'536, 'x') + " 1 2\n"),
            ":2: found a word of 65536 bytes, expected at most 65535; leave it out of the file");
}

TEST_F(Convert, RefusesPipesAndLinkLoopsWithoutWaiting) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message_of<FileError>([&] { convert_word_vectors(pipe, made(), {}); }),
            pipe + ": is a pipe or a device, expected a file; write what comes from it to a file first");
  const std::string in = folder_.write("in", kText);
  EXPECT_EQ(message_of<FileError>([&] { convert_word_vectors(in, pipe, {}); }),
            pipe + ": is not a regular file; give the path of a file that can be written");
  const std::string loop = (folder_.path() / "loop").string();
  std::filesystem::create_symlink(loop, loop);
  EXPECT_NE(message_of<FileError>([&] {
              convert_word_vectors(loop, made(), {});
            }).find(loop + ": cannot be opened"),
            std::string::npos);
  EXPECT_NE(
      message_of<FileError>([&] { convert_word_vectors(in, loop, {}); }).find(loop + ": cannot be opened"),
      std::string::npos);
}

TEST_F(Convert, WritesWhereALinkPoints) {
  const std::string in = folder_.write("in", kText);
  const std::string link = (folder_.path() / "link").string();
  std::filesystem::create_symlink("made.vectors", link);  // which is not there yet
  convert_word_vectors(in, link, {});
  expect_dog_and_cat();
  convert_word_vectors(in, link, {});
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(Convert, RefusesOtherNumbersOfWordsThanTheHeaderSays) {
  EXPECT_EQ(complaint("3 1\ndog 1\ncat 2\n"), ": ends after 2 words, its first line says 3; fetch it again");
  EXPECT_EQ(complaint("1 1\ndog 1\ncat 2\n"), ":3: found more words than the 1 that the first line says");
  EXPECT_EQ(complaint(kBinary + "x"),
            ": goes on behind the 2 words that its first line says; is it damaged? Fetch it again");
}

TEST_F(Convert, RefusesNumbersThatAreNotFinite) {
  EXPECT_EQ(complaint("dog 1 2\ncat nan 3\n"), ":2: 'cat' has nan among its numbers, expected finite ones");
  EXPECT_EQ(complaint("dog 1 2\ncat 1 -inf\n"), ":2: 'cat' has -inf among its numbers, expected finite ones");
  EXPECT_EQ(complaint("dog 1 1e39\n"), ":1: 'dog' has inf among its numbers, expected finite ones");
  EXPECT_EQ(complaint("dog 1 1\ncat 3e19 4e19\n"),
            ":2: 'cat' has a vector of length 5e+19, expected at most 1e+18");
  EXPECT_EQ(complaint("2 1\ndog " + floats({0}) + "cat " + floats({std::numeric_limits<float>::max()})),
            ": word 2: 'cat' has a vector of length 3.4e+38, expected at most 1e+18");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(complaint("2 1\ndog " + floats({0}) + "cat " + floats({nan})),
            ": word 2: 'cat' has nan among its numbers, expected finite ones");
}

TEST_F(Convert, RefusesBinaryFilesThatAreCutOff) {
  for (std::size_t size = 4 + 4 + 2; size < kBinary.size() - 1; ++size) {
    const int word = size < 4 + 4 + 12 ? 1 : 2;
    EXPECT_EQ(complaint(kBinary.substr(0, size)),
              fmt::format(": ends within word {} of 2; the file is cut off, fetch it again", word))
        << size;
  }
}

TEST_F(Convert, RefusesDamagedGzip) {
  const std::string good = packed(kText);
  EXPECT_EQ(complaint(good.substr(0, good.size() - 9)),
            ": the gzip data ends too early; fetch or pack the file again");
  std::string bad = good;
  bad[bad.size() - 6] ^= 1;  // of the checksum
  EXPECT_TRUE(complaint(bad).starts_with(": damaged gzip data"));
}

TEST_F(Convert, RefusesWhatIsNoFileOfVectors) {
  EXPECT_EQ(complaint(""), ": is empty, expected word vectors");
  EXPECT_EQ(complaint("PK\x03\x04zip"), ": is a zip archive; unpack it and give the file inside");
  EXPECT_EQ(complaint("hello world\n"),
            ": found 'hello world' in line 1, expected word vectors of word2vec (text or binary), fastText "
            "(.vec) or "
            "GloVe, plain or gzip");
  EXPECT_TRUE(complaint("3 0\na\nb\nc\n").starts_with(": found '3 0' in line 1"));
  EXPECT_TRUE(complaint("3 99999999\na\nb\nc\n").starts_with(": found '3 99999999' in line 1"));
  EXPECT_EQ(complaint("0 3\n"), ": has no words");
  EXPECT_EQ(message_of<FileError>([&] { convert_word_vectors("/nowhere/x", made(), {}); }),
            "/nowhere/x: cannot be opened: No such file or directory");
  const std::string folder = folder_.path().string();
  EXPECT_EQ(message_of<FileError>([&] { convert_word_vectors(folder, made(), {}); }),
            folder + ": is a folder, expected a file");
}

TEST_F(Convert, TellsHowFarItIs) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += fmt::format("word{} 0.123456 {}\n", i, i);
  std::vector<std::size_t> steps;
  VectorConversion options;
  options.progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
    EXPECT_EQ(stage, "converting word vectors");
    EXPECT_EQ(total, 100u);
    steps.push_back(done);
  };
  convert(text, options);
  ASSERT_EQ(steps.size(), 100u);
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], i + 1);
}

TEST_F(Convert, GivesTheSameBytesTwice) {
  convert(kText);
  const std::string first = WordVectors(made(), "x").description();
  convert(kBinary);
  EXPECT_EQ(WordVectors(made(), "x").description(), first);
  convert(kText, {.eight_bit = true});
  EXPECT_NE(WordVectors(made(), "x").description(), first);
}

TEST_F(Convert, ReadsGloveOfStanford) {
  CAPELLA_NEED_SHARED(glove, "data/embeddings/glove.840B.300d.flickr8k-subset.txt");
  const ConvertedVectors result = convert_word_vectors(glove.string(), made(), {});
  EXPECT_EQ(result.words, 1662u);
  EXPECT_EQ(result.dimensions, 300u);
  const WordVectors vectors(made(), "glove");
  std::ifstream lines(glove);
  std::string line;
  Row row(300);
  for (std::uint32_t number = 0; std::getline(lines, line); ++number) {
    const std::size_t end = line.find(' ');
    ASSERT_EQ(vectors.find(line.substr(0, end)), number);
    vectors.read(number, row);
    const char* rest = line.c_str() + end;
    for (const float found : row) {
      char* next = nullptr;
      ASSERT_EQ(found, std::strtof(rest, &next)) << line.substr(0, end);
      rest = next;
    }
  }
}

}  // namespace
}  // namespace capella::resource
