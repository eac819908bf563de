#include "io/token_probabilities.h"

#include <cstring>

#include <gtest/gtest.h>
#include <zlib.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

// Two images with two and one captions.
TokenProbabilities small_table() {
  TokenProbabilities table;
  table.captions = {0, 2, 3};
  table.words = {0, 2, 3, 5};
  table.probabilities = {.5, 1, 1e-5, 0, 2. / 3};
  table.ranks = {0, 3, 70000, 4'000'000'000, 1};
  return table;
}

void expect_same(const TokenProbabilities& a, const TokenProbabilities& b) {
  EXPECT_EQ(a.captions, b.captions);
  EXPECT_EQ(a.words, b.words);
  EXPECT_EQ(a.probabilities, b.probabilities);
  EXPECT_EQ(a.ranks, b.ranks);
}

// What is wrong with a file called p.json.
std::string token_probabilities_problem(const std::string& content) {
  const TempDir folder;
  const std::string path = folder.write("p.json", content);
  const std::string message = message_of<DataError>([&] { read_token_probabilities(path); });
  EXPECT_TRUE(message.starts_with(path)) << message;
  return message.substr(path.size() - std::strlen("p.json"));
}

void token_probabilities_expect_problem(const std::string& content, const std::string& begin) {
  const std::string message = token_probabilities_problem(content);
  EXPECT_TRUE(message.starts_with(begin)) << message;
}

std::string binary(const TokenProbabilities& table) {
  const TempDir folder;
  const std::string path = (folder.path() / "p").string();
  write_token_probabilities(path, table, ProbabilityLayout::binary);
  return read_file_as_is(path);
}

TEST(TokenProbabilities, AreReadAsTheAuthorsWroteThem) {
  const TempDir folder;
  const std::string path = folder.write("p.json",
                                        "[[[[0.5, 0], [1, 3]], [[1e-05, 70000]]],\n [[[0.0, 4000000000], "
                                        "[0.6666666666666666, 1]]]]");
  const TokenProbabilities read = read_token_probabilities(path);
  expect_same(read, small_table());
  EXPECT_EQ(read.image_count(), 2u);
  EXPECT_EQ(read.caption_count(), 3u);
}

TEST(TokenProbabilities, AreWrittenAsTheAuthorsWriteThem) {
  const TempDir folder;
  const std::string path = (folder.path() / "p.json").string();
  write_token_probabilities(path, small_table(), ProbabilityLayout::json);
  EXPECT_EQ(read_file(path),
            "[[[[0.5, 0], [1.0, 3]], [[1e-05, 70000]]], [[[0.0, 4000000000], [0.6666666666666666, 1]]]]\n");
}

TEST(TokenProbabilities, ComeBackFromTheBinaryLayout) {
  const TempDir folder;
  expect_same(read_token_probabilities(folder.write("p", binary(small_table()))), small_table());
}

TEST(TokenProbabilities, MayBePacked) {
  const TempDir folder;
  for (const std::string& content : {std::string("[[[[0.5, 0]]]]"), binary(small_table())}) {
    const std::string path = (folder.path() / "p.gz").string();
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    expect_same(read_token_probabilities(path), read_token_probabilities(folder.write("p", content)));
  }
}

TEST(TokenProbabilities, BadProbabilitiesAreNamed) {
  token_probabilities_expect_problem("[[[[1.5, 0]]]]",
                                     "p.json: image 1, caption 1, word 1: the probability 1.5 ");
  token_probabilities_expect_problem("[[[[1, 0]]], [[[1, 0]], [[1, 0], [-0.25, 0]]]]",
                                     "p.json: image 2, caption 2, word 2: the probability -0.25 ");
  token_probabilities_expect_problem("[[[[\"a\", 0]]]]",
                                     "p.json: image 1, caption 1, word 1: found the text \"a\"");
  TokenProbabilities table = small_table();
  table.probabilities[4] = 2;
  token_probabilities_expect_problem(binary(table), "p.json: image 2, caption 1, word 2: the probability 2 ");
  table.probabilities[4] = std::numeric_limits<double>::quiet_NaN();
  token_probabilities_expect_problem(binary(table),
                                     "p.json: image 2, caption 1, word 2: the probability nan ");
}

TEST(TokenProbabilities, BadRanksAreNamed) {
  const std::string place = "p.json: image 1, caption 1, word 1: found ";
  token_probabilities_expect_problem("[[[[1, 0.5]]]]", place + "the number 0.5 as the rank");
  token_probabilities_expect_problem("[[[[1, -1]]]]", place + "the number -1 as the rank");
  token_probabilities_expect_problem("[[[[1, 4294967296]]]]", place + "the number 4294967296 as the rank");
  token_probabilities_expect_problem("[[[[1, null]]]]", place + "null as the rank");
}

TEST(TokenProbabilities, BadListsAreNamed) {
  token_probabilities_expect_problem("", "p.json: the file is empty");
  token_probabilities_expect_problem("a dog", "p.json:1: no token probabilities");
  token_probabilities_expect_problem("{\"a\": 1}", "p.json:1: no token probabilities");
  token_probabilities_expect_problem("[[[[1, 0]]]", "p.json:1: not JSON");
  token_probabilities_expect_problem("[]", "p.json: no images");
  token_probabilities_expect_problem("[[]]", "p.json: image 1: no captions");
  token_probabilities_expect_problem("[[[[1, 0]]], {}]", "p.json: image 2: found an object");
  token_probabilities_expect_problem("[[[]]]", "p.json: image 1, caption 1: no words");
  token_probabilities_expect_problem("[[[[1, 0]], \"a\"]]",
                                     "p.json: image 1, caption 2: found the text \"a\"");
  token_probabilities_expect_problem("[[[[1, 0], [1]]]]",
                                     "p.json: image 1, caption 1, word 2: found a list of 1");
  token_probabilities_expect_problem("[[[[1, 0], 1]]]",
                                     "p.json: image 1, caption 1, word 2: found the number 1");
}

TEST(TokenProbabilities, DamagedBinaryFilesAreRefused) {
  const std::string good = binary(small_table());
  for (std::size_t length = 28; length < good.size(); ++length)
    token_probabilities_problem(good.substr(0, length));
  token_probabilities_expect_problem(good + '\0', "p.json: 81 bytes after the header");
  std::string other = good;
  other[28] = 2;
  token_probabilities_expect_problem(other, "p.json: token probabilities of version 2, expected 1");
  other = good;
  other[39] = '\x7f';  // very many images
  token_probabilities_expect_problem(other, "p.json: 80 bytes after the header");
  other = good;
  other[good.size() - 4] = 1;  // the last caption has one word, not two
  token_probabilities_expect_problem(
      other, "p.json: its images have 3 captions and its captions 4 words, but the header says");
  TokenProbabilities table = small_table();
  table.captions = {0, 3, 3};
  token_probabilities_expect_problem(binary(table), "p.json: image 2: no captions");
  table.captions = {0, 2, 3};
  table.words = {0, 2, 2, 5};
  token_probabilities_expect_problem(binary(table), "p.json: image 1, caption 2: no words");
}

// What is wrong with a small table in memory, after a change.
template <class Change>
std::string problem_of(Change change) {
  TokenProbabilities table = small_table();
  change(table);
  return message_of<DataError>([&] { check_token_probabilities(table, "memory"); });
}

TEST(TokenProbabilities, InMemoryAreCheckedLikeFiles) {
  EXPECT_NO_THROW(check_token_probabilities(small_table(), "memory"));
  EXPECT_TRUE(problem_of([](auto& table) {
                table.probabilities[4] = 2;
              }).starts_with("memory: image 2, caption 1, word 2: the probability 2 "));
  EXPECT_TRUE(problem_of([](auto& table) {
                table.captions = {0, 3, 3};
              }).starts_with("memory: image 2: no captions"));
  EXPECT_TRUE(problem_of([](auto& table) { table = {}; }).starts_with("memory: no images"));
}

TEST(TokenProbabilities, ListsMustFitTogether) {
  const std::string expected = "memory: the lists do not fit together";
  EXPECT_TRUE(problem_of([](auto& table) { table.ranks.pop_back(); }).starts_with(expected));
  EXPECT_TRUE(problem_of([](auto& table) { table.words = {}; }).starts_with(expected));
  EXPECT_TRUE(problem_of([](auto& table) { table.captions = {}; }).starts_with(expected));
  EXPECT_TRUE(problem_of([](auto& table) { table.words = {0, 3, 2, 5}; }).starts_with(expected));
  EXPECT_TRUE(problem_of([](auto& table) { table.words.back() = 6; }).starts_with(expected));
  EXPECT_TRUE(problem_of([](auto& table) { table.captions.front() = 1; }).starts_with(expected));
}

TEST(TokenProbabilities, AbsentFiles) {
  EXPECT_THROW(read_token_probabilities("/nowhere/p.json"), FileError);
}

}  // namespace
}  // namespace capella::io
