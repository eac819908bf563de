#include "resource/word_vectors.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/word_vectors_check.h"
#include "resource/word_vectors_file.h"
#include "resource/word_vectors_writer.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "support/touch.h"

namespace capella::resource {
namespace {

using test::message_of;
using Words = std::vector<std::pair<std::string, std::vector<float>>>;

std::string write(const test::TempDir& folder, const Words& words, bool eight_bit,
                  const std::string& name = "vectors") {
  const std::string path = (folder.path() / name).string();
  WordVectorsWriter writer(path, words[0].second.size(), eight_bit);
  for (const auto& [word, numbers] : words) writer.add(word, numbers);
  writer.finish();
  return path;
}

std::vector<float> read(const WordVectors& vectors, std::uint32_t number) {
  std::vector<float> numbers(vectors.dimensions());
  vectors.read(number, numbers);
  return numbers;
}

const Words kThree = {{"dog", {1.5F, -2.0F, 0.25F}}, {"Dog", {0, 0, 0}}, {"two words", {1e-30F, 1e17F, 3}}};

TEST(WordVectors, GiveWordsAndNumbersBack) {
  const test::TempDir folder;
  const WordVectors vectors(write(folder, kThree, false), "three");
  EXPECT_EQ(vectors.size(), 3u);
  EXPECT_EQ(vectors.dimensions(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(vectors.word(i), kThree[i].first);
    EXPECT_EQ(vectors.find(kThree[i].first), i);
    EXPECT_EQ(read(vectors, i), kThree[i].second);
  }
  for (const char* absent : {"", "do", "dogs", "DOG", "two"}) {
    EXPECT_EQ(vectors.find(absent), WordVectors::kNone) << absent;
  }
  vectors.check_content();
}

TEST(WordVectors, FindEachOfManyWords) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {1, 2, 15, 16, 17, 1000, 20'000}) {
    const test::TempDir folder;
    Words words;
    std::set<std::string> known;
    while (words.size() < count) {
      std::string word(random() % 12, 'a');
      for (char& letter : word) letter = static_cast<char>('a' + random() % 4);
      if (!known.insert(word).second) word += std::to_string(words.size());
      known.insert(word);
      words.push_back({word, {static_cast<float>(words.size())}});
    }
    const WordVectors vectors(write(folder, words, false), "many");
    ASSERT_EQ(vectors.size(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(vectors.find(words[i].first), i) << words[i].first;
      ASSERT_EQ(read(vectors, i), words[i].second);
      const std::string other = words[i].first + "#";
      ASSERT_EQ(vectors.find(other), WordVectors::kNone) << other;
    }
  }
}

TEST(WordVectors, InEightBitsAreOffByHalfAStepAtMost) {
  std::mt19937_64 random(2);
  std::normal_distribution<float> normal;
  const test::TempDir folder;
  Words words;
  for (int i = 0; i < 100; ++i) {
    std::vector<float> numbers(50);
    for (float& number : numbers) number = normal(random) * static_cast<float>(i);
    words.push_back({"w" + std::to_string(i), numbers});
  }
  const WordVectors vectors(write(folder, words, true), "few");
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const std::vector<float>& exact = words[i].second;
    float largest = 0;
    for (const float number : exact) largest = std::max(largest, std::abs(number));
    const std::vector<float> found = read(vectors, i);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      ASSERT_NEAR(found[k], exact[k], largest / 127 * 0.50001F) << i << " " << k;
    }
  }
}

TEST(WordVectors, InEightBitsKeepWholeSteps) {
  const test::TempDir folder;
  const Words words = {{"a", {127, -127, 0, 3}}, {"zero", {0, 0, 0, 0}}, {"tiny", {1e-45F, 0, -1e-45F, 0}}};
  const WordVectors vectors(write(folder, words, true), "steps");
  EXPECT_EQ(read(vectors, 0), words[0].second);
  EXPECT_EQ(read(vectors, 1), words[1].second);
  for (const float number : read(vectors, 2)) EXPECT_LE(std::abs(number), 127 * 1e-45F);
}

TEST(WordVectors, OfAWordThatComesTwiceAreTheFirst) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "vectors").string();
  WordVectorsWriter writer(path, 1, false);
  EXPECT_TRUE(writer.add("dog", std::array{1.0F}));
  EXPECT_TRUE(writer.add("cat", std::array{2.0F}));
  EXPECT_FALSE(writer.add("dog", std::array{3.0F}));
  writer.finish();
  const WordVectors vectors(path, "twice");
  EXPECT_EQ(vectors.size(), 2u);
  EXPECT_EQ(read(vectors, vectors.find("dog")), (std::vector<float>{1}));
}

// The description as it would be with the same name, size and dimensions.
std::string described(const Words& words, bool eight_bit) {
  const test::TempDir folder;
  return WordVectors(write(folder, words, eight_bit), "x").description();
}

TEST(WordVectors, AreDescribedByTheirContent) {
  const std::string three = described(kThree, false);
  EXPECT_EQ(three.size(), std::string("x(3x3,#01234567)").size());
  EXPECT_TRUE(three.starts_with("x(3x3,#")) << three;
  EXPECT_EQ(described(kThree, false), three);
  Words other = kThree;
  other[2].second[2] = 3.5F;
  EXPECT_NE(described(other, false), three);
  other = kThree;
  other[1].first = "dig";
  EXPECT_NE(described(other, false), three);
  other = kThree;
  std::swap(other[0], other[1]);
  EXPECT_NE(described(other, false), three);
  EXPECT_NE(described(kThree, true), three);
}

TEST(WordVectors, AppearWholeOrNotAtAll) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "vectors").string();
  {
    WordVectorsWriter writer(path, 1, false);
    writer.add("dog", std::array{1.0F});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write(folder, kThree, false);
  write(folder, {{"one", {1.0F}}}, false);  // takes the other's place
  EXPECT_EQ(WordVectors(path, "x").size(), 1u);
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(WordVectors, AreRefusedWhereTheyCannotBeWritten) {
  EXPECT_THROW(WordVectorsWriter("/nowhere/vectors", 1, false), FileError);
  for (const std::string path : {"/dev/null", "/dev/stdout", "/proc/self/fd/1", "-"}) {
    EXPECT_EQ(message_of<FileError>([&] { WordVectorsWriter(path, 1, false); }),
              path + ": is not a regular file; give the path of a file that can be written");
  }
}

TEST(WordVectors, InEightBitsMayBeLongerThanTheyWere) {
  const test::TempDir folder;
  std::vector<float> numbers(65'536, 0.501F);  // half a step, which becomes a whole one
  numbers[0] = 127;
  const auto length = [](const std::vector<float>& vector) {
    double square = 0;
    for (const float number : vector) square += double{number} * double{number};
    return std::sqrt(square);
  };
  const auto scale = static_cast<float>(0.9999 * kLongestVector / length(numbers));
  for (float& number : numbers) number *= scale;
  ASSERT_EQ(vector_problem(numbers, kLongestVector), "");
  const WordVectors vectors(write(folder, {{"dog", numbers}}, true), "x");
  EXPECT_GT(length(read(vectors, 0)), 1.5 * kLongestVector);
}

TEST(WordVectors, CanBeComputedWith) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(vector_problem(std::vector<float>{}, 1.0), "");
  EXPECT_EQ(vector_problem(std::vector<float>{6e17F, -8e17F}, kLongestVector * 1.000001), "");
  EXPECT_EQ(vector_problem(std::vector<float>{3e19F, -4e19F}, kLongestVector),
            "has a vector of length 5e+19, expected at most 1e+18");
  EXPECT_EQ(vector_problem(std::vector<float>{1, nan, infinite}, kLongestVector),
            "has nan among its numbers, expected finite ones");
  EXPECT_EQ(vector_problem(std::vector<float>{1, -infinite}, kLongestVector),
            "has -inf among its numbers, expected finite ones");
}

TEST(WordVectors, StreamTheBytesOfASectionFile) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "file").string();
  const Section sections[] = {
      {"large", std::string(3'000'000, 'x')}, {"none", ""}, {"odd", "12345"}, {"last", "end"}};
  SectionStream stream(path, "kind", 7, std::size(sections));
  for (const Section& section : sections) {
    stream.begin(section.name);
    for (std::size_t at = 0; at < section.bytes.size(); at += 999)
      stream.append(section.bytes.substr(at, 999));
  }
  stream.finish();
  const std::int64_t modified = MappedFile(path).modified();
  ASSERT_EQ(modified % 1'000'000'000, 0);
  const std::chrono::sys_seconds time{std::chrono::seconds(modified / 1'000'000'000)};
  EXPECT_EQ(read_file_as_is(path), section_file_bytes("kind", 7, sections, time));
}

template <class T>
std::string word_vectors_bytes_of(const std::vector<T>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
}

// A file of one word with sections that can be made wrong.
class DamagedVectors : public ::testing::Test {
 protected:
  std::string open() const {
    const std::vector<Section> sections = {
        {"shape", word_vectors_bytes_of(shape_)},     {"slots", word_vectors_bytes_of(slots_)},
        {"offsets", word_vectors_bytes_of(offsets_)}, {"records", records_},
        {"numbers", word_vectors_bytes_of(numbers_)}, {"scales", word_vectors_bytes_of(scales_)}};
    const std::string path = (folder_.path() / "file").string();
    write_section_file(path, vectors_layout::kKind, vectors_layout::kVersion, sections);
    return path;
  }
  std::string complaint() const {
    return message_of<FileError>([&] {
      const WordVectors vectors(open(), "x");
      vectors.find("ab");
      vectors.word(0);
    });
  }

  using Slot = vectors_layout::Slot;
  test::TempDir folder_;
  std::vector<std::uint64_t> shape_ = {1, 2, 32, 0};
  std::vector<Slot> slots_ =
      std::vector<Slot>(16, {vectors_layout::tag_of(vectors_layout::word_hash("ab")), 0});
  std::vector<std::uint32_t> offsets_ = {0};
  std::string records_ = std::string("\0\0\0\0\2\0ab", 8);
  std::vector<float> numbers_ = {1, 2};
  std::vector<float> scales_;
};

TEST_F(DamagedVectors, AreGoodAtFirst) {
  const WordVectors vectors(open(), "x");
  EXPECT_EQ(vectors.find("ab"), 0u);
  EXPECT_EQ(vectors.word(0), "ab");
  EXPECT_EQ(read(vectors, 0), numbers_);
  EXPECT_EQ(vectors.find("other"), WordVectors::kNone);  // though the table has no free slot
}

TEST_F(DamagedVectors, AreRefusedIfTheirSizesDoNotFit) {
  const auto refused = [this] {
    const std::string message = complaint();
    EXPECT_NE(message.find("damaged"), std::string::npos) << message;
    EXPECT_NE(message.find("capella data vectors"), std::string::npos) << message;
  };
  const std::vector<std::vector<std::uint64_t>> shapes = {{},
                                                          {1, 2, 32},
                                                          {0, 2, 32, 0},
                                                          {1, 0, 32, 0},
                                                          {1, 3, 32, 0},
                                                          {1, 2, 16, 0},
                                                          {1, 2, 8, 0},
                                                          {2, 1, 32, 0},
                                                          {1, std::uint64_t{1} << 63, 32, 0},
                                                          {0xFFFFFFFF, 2, 32, 0},
                                                          {std::uint64_t{1} << 62, 8, 32, 0}};
  for (const auto& shape : shapes) {
    shape_ = shape;
    refused();
  }
  shape_ = {1, 2, 32, 0};
  for (const std::size_t slots : {0, 8, 24}) {
    slots_.resize(slots);
    refused();
  }
}

TEST_F(DamagedVectors, AreRefusedIfARecordIsOutside) {
  const std::vector<Slot> good = slots_;
  for (const std::uint32_t offset : {1u, 7u, 8u, 9u, 0x7FFFFFFFu, 0xFFFFFFFEu}) {
    slots_.assign(16, {good[0].tag, offset});
    EXPECT_NE(complaint().find("outside the table"), std::string::npos) << offset;
  }
  slots_ = good;
  offsets_ = {8};
  EXPECT_NE(complaint().find("outside the table"), std::string::npos);
  offsets_ = {0};
  records_[0] = 1;  // a number beyond the words
  EXPECT_NE(complaint().find("outside the table"), std::string::npos);
  records_.clear();
  EXPECT_NE(complaint().find("outside the table"), std::string::npos);
}

TEST_F(DamagedVectors, AreRefusedIfTheyCannotBeComputedWith) {
  const float most = std::numeric_limits<float>::max();
  const auto complaint = [this](const char* remedy) {
    return message_of<FileError>([&] { read(WordVectors(open(), "x", remedy), 0); });
  };
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), most, 2e19F}) {
    numbers_ = {1, wrong};
    const std::string message = complaint("delete it");
    EXPECT_NE(message.find(": damaged: the word 'ab' has "), std::string::npos) << message;
    EXPECT_TRUE(message.ends_with("; delete it")) << message;
  }
  shape_ = {1, 8, 8, 0};  // the two floats' bytes are eight numbers
  for (const float scale : {std::numeric_limits<float>::quiet_NaN(), most / 127, most}) {
    const std::int8_t steps[] = {127, 0, 0, 0, 0, 0, 0, 0};
    std::memcpy(numbers_.data(), steps, sizeof steps);
    scales_ = {scale};
    EXPECT_NE(complaint("").find("the word 'ab' has "), std::string::npos) << scale;
  }
}

TEST_F(DamagedVectors, AreRefusedIfOfAnotherKind) {
  const std::string path = folder_.write("other", "dog 1 2\n");
  EXPECT_EQ(
      message_of<FileError>([&] { WordVectors(path, "x"); }),
      path + ": not a data file of Capella; make it again with: capella data vectors FILE -o OUT.vectors");
}

}  // namespace
}  // namespace capella::resource
