// Files of caption generators: reading back what was written, and a clear word on everything that can be
// wrong.
#include "method/pregen/generator_file.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::method::pregen {
namespace {

using test::message_of;

GeneratorModel small_model() {
  GeneratorModel model;
  model.vocabulary = Vocabulary({"<EDG>", "<UNK>", "a", "dög\"s"});
  model.recipe = recipe(Architecture::par, 4, 3);
  model.recipe.size = 2;
  model.facts.data_set = "d.json";
  model.facts.fingerprint = 0xfedcba9876543210u;
  model.facts.seed = std::numeric_limits<std::uint64_t>::max();
  model.facts.epochs = {{std::nan(""), std::numeric_limits<double>::infinity()}, {0.1, 1.0 / 3}};
  model.facts.best_epoch = 1;
  model.facts.version = "0";
  // Image 3 x 2 + 2, words 4 x 2, first state 2, cell 3 x (6 x 2 + 2), output 3 x 4: 72 numbers.
  model.arrays = {{"nn/out/b", {4}, {1, 2, 3, 4}},
                  {"nn/image/W", {3, 2}, {1, 2, 3, 4, 5, -6.5f}},
                  {"nn/others", {62}, std::vector<float>(62, .5f)}};
  return model;
}

class GeneratorFileTest : public ::testing::Test {
 protected:
  std::string problem(const std::string& bytes, GeneratorFile kind = GeneratorFile::model) const {
    const std::string path = folder_.write("m", bytes);
    const std::string message = message_of<FileError>([&] { read_generator(path, kind); });
    EXPECT_TRUE(message.starts_with(path + ": ")) << message;
    return message;
  }

  // The same length, so that the header's is right.
  std::string changed(std::string_view from, std::string_view to) const {
    std::string bytes = generator_bytes(small_model(), GeneratorFile::model);
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    EXPECT_EQ(from.size(), to.size());
    return at == std::string::npos ? bytes : bytes.replace(at, from.size(), to);
  }

  test::TempDir folder_;
};

TEST_F(GeneratorFileTest, ReadsWhatWasWritten) {
  const GeneratorModel model = small_model();
  const std::string path = (folder_.path() / "m").string();
  for (const GeneratorFile kind : {GeneratorFile::model, GeneratorFile::checkpoint}) {
    write_generator(path, model, kind);
    const GeneratorModel read = read_generator(path, kind);
    EXPECT_EQ(read.vocabulary.words(), model.vocabulary.words());
    EXPECT_EQ(read.recipe.architecture, Architecture::par);
    EXPECT_EQ(read.recipe.size, 2u);
    EXPECT_EQ(read.recipe.l2, 1e-8);
    EXPECT_EQ(read.recipe.beam, 5u);
    EXPECT_EQ(read.facts.fingerprint, model.facts.fingerprint);
    EXPECT_EQ(read.facts.seed, model.facts.seed);
    EXPECT_TRUE(std::isnan(read.facts.epochs.at(0).loss));
    EXPECT_TRUE(std::isinf(read.facts.epochs[0].log2_perplexity));
    EXPECT_EQ(read.facts.epochs.at(1).log2_perplexity, 1.0 / 3);
    ASSERT_EQ(read.arrays.size(), 3u);
    EXPECT_EQ(read.arrays[0].name, "nn/image/W");
    EXPECT_EQ(read.arrays[0].shape, (std::vector<std::size_t>{3, 2}));
    EXPECT_EQ(read.arrays[0].values, model.arrays[1].values);
    EXPECT_EQ(generator_bytes(read, kind), generator_bytes(model, kind));
  }
}

TEST_F(GeneratorFileTest, TellsModelsFromCheckpoints) {
  EXPECT_NE(problem(generator_bytes(small_model(), GeneratorFile::checkpoint)).find("has not ended"),
            std::string::npos);
  EXPECT_NE(problem(generator_bytes(small_model(), GeneratorFile::model), GeneratorFile::checkpoint)
                .find("no 'capella.checkpoint'"),
            std::string::npos);
}

TEST_F(GeneratorFileTest, AChangedTextOfACheckpointIsDamage) {
  std::string bytes = generator_bytes(small_model(), GeneratorFile::checkpoint);
  bytes[bytes.find("0.333") + 2] = '4';
  EXPECT_NE(problem(bytes, GeneratorFile::checkpoint).find("is damaged"), std::string::npos);
}

TEST_F(GeneratorFileTest, NamesWhatIsWrong) {
  EXPECT_NE(problem("nothing").find("expected a file that 'capella pregen train' wrote"), std::string::npos);
  EXPECT_NE(problem(changed(R"(\"par\")", R"(\"pur\")")).find("architecture 'pur'"), std::string::npos);
  EXPECT_NE(problem(changed(R"(\"format\":1)", R"(\"format\":2)")).find("format 2, expected 1"),
            std::string::npos);
  EXPECT_NE(problem(changed(R"(\"vocabulary\":4)", R"(\"vocabulary\":5)"))
                .find("the network has 5 words and the vocabulary 4"),
            std::string::npos);
  EXPECT_NE(problem(changed(R"([\"<EDG>\")", R"([\"<EDH>\")")).find("expected <EDG> and <UNK>"),
            std::string::npos);
  EXPECT_NE(problem(changed(R"(\"a\",)", R"(\"x\",)")).find("rising"), std::string::npos);
  EXPECT_NE(problem(changed(R"(\"size\":2)", R"(\"size\":0)")).find("the size 0"), std::string::npos);
  EXPECT_NE(problem(changed(R"(\"best_epoch\":1)", R"(\"best_epoch\":9)")).find("best epoch is 9 of 2"),
            std::string::npos);
  EXPECT_NE(problem(changed(R"(\"batch\")", R"(\"batck\")")).find("has no 'batch'"), std::string::npos);
}

// A network of these sizes would have to be allocated before its arrays could be found wanting.
TEST_F(GeneratorFileTest, SizesAreThoseOfTheArrays) {
  EXPECT_NE(problem(changed(R"(\"size\":2)", R"(\"size\":3)"))
                .find("the network's arrays have 72 numbers, but its recipe is one for 133"),
            std::string::npos);
  EXPECT_NE(problem(changed(R"(\"image\":3)", R"(\"image\":9)")).find("72 numbers"), std::string::npos);
  GeneratorModel model = small_model();
  model.arrays.push_back({"adam/m/nn/out/b", {4}, {1, 2, 3, 4}});
  model.arrays.push_back({"adam/steps", {1}, {7}});
  EXPECT_NO_THROW(generator_bytes(model, GeneratorFile::checkpoint));
  model.arrays.erase(model.arrays.begin());
  EXPECT_NE(message_of<DataError>([&] {
              generator_bytes(model, GeneratorFile::checkpoint);
            }).find("have 68 numbers, but its recipe is one for 72"),
            std::string::npos);
}

TEST_F(GeneratorFileTest, RecipesHaveBounds) {
  const auto refused = [](auto change) {
    GeneratorModel model = small_model();
    change(model.recipe);
    return message_of<DataError>([&] { generator_bytes(model, GeneratorFile::model); });
  };
  EXPECT_NE(refused([](Recipe& r) { r.beam = kMostBeam + 1; }).find("the beam 1001"), std::string::npos);
  EXPECT_NE(refused([](Recipe& r) { r.batch = kMostBatch + 1; }).find("the batch 1048577"),
            std::string::npos);
  EXPECT_NE(refused([](Recipe& r) { r.size = kMostSize + 1; }).find("the size 16385"), std::string::npos);
  GeneratorModel model = small_model();
  model.recipe.beam = kMostBeam;
  model.recipe.batch = kMostBatch;
  EXPECT_NO_THROW(generator_bytes(model, GeneratorFile::model));
}

TEST_F(GeneratorFileTest, FindsChangedNumbersAndCutFiles) {
  std::string bytes = generator_bytes(small_model(), GeneratorFile::model);
  std::string other = bytes;
  other[other.size() - 3] ^= 1;
  EXPECT_NE(problem(other).find("changed after it was written"), std::string::npos);
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{100}, bytes.size() - 1})
    problem(bytes.substr(0, size));
  EXPECT_NE(problem(changed("nn/out/b", "nn/out/c")).find("changed after it was written"), std::string::npos);
}

TEST_F(GeneratorFileTest, WritesNothingThatCannotBeRead) {
  GeneratorModel model = small_model();
  model.arrays[0].values[0] = std::nanf("");
  EXPECT_NE(message_of<DataError>([&] {
              generator_bytes(model, GeneratorFile::model);
            }).find("'nn/out/b' has a number that is not finite"),
            std::string::npos);
  model = small_model();
  model.recipe.vocabulary = 3;
  message_of<DataError>([&] { generator_bytes(model, GeneratorFile::model); });
}

}  // namespace
}  // namespace capella::method::pregen
