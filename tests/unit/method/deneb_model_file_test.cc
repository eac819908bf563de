// Files of learned metrics: reading back what was written, a clear word on everything that can be wrong, and
// files of the authors' program.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/deneb/model_file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::method::deneb {
namespace {

using test::message_of;

// Two encoders of widths 2 and 1, the second with 3 layers; no numbers of DENEB's are as small as these.
Recipe small_recipe() {
  Recipe made = recipe(Architecture::polos);
  made.clip_width = 2;
  made.sentence_width = 1;
  made.sentence_layers = 3;
  made.hidden = {2, 1};
  return made;
}

Model small_model() {
  Model model;
  model.recipe = small_recipe();
  model.encoders.clip = EncoderFacts{"clip-\"tiny\"", "0123456789abcdef"};
  model.encoders.sentence = EncoderFacts{"röberta", "fedcba9876543210"};
  model.encoders.prompt = kPolosPrompt;
  model.encoders.image = ImageFacts{8, {.5f, .1f, 1.0f / 3}, {.25f, .5f, 1}};
  model.facts.training_data = "train.csv";
  model.facts.validation_data = "valid.csv";
  model.facts.training_rows = 7;
  model.facts.most_references = 5;
  model.facts.fingerprint = 0xfedcba9876543210u;
  model.facts.seed = std::numeric_limits<std::uint64_t>::max();
  model.facts.patience = 4;
  model.facts.epochs = {{std::nan(""), -.25}, {0.1, std::nan("")}, {.05, 1.0 / 3}};
  model.facts.best_epoch = 2;
  model.facts.version = "0";
  // The mix 3 + 1; 4 x 1 + 6 x 2 inputs to 2, 2 to 1, 1 to 1: 34 + 3 + 2. Statistics of 3 layers: 6.
  model.arrays = {{"scalar_mix.mean", {3}, {1, 2, 3}},
                  {"rest", {36}, std::vector<float>(36, .5f)},
                  {"scalar_mix.variance", {3}, {4, 5, 6}},
                  {"ff.linear_3.weight", {1, 2}, {-1, 1e-30f}},
                  {"others", {5}, std::vector<float>(5)}};
  return model;
}

class DenebModelFileTest : public ::testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "m.safetensors").string(); }

  std::string deneb_model_file_problem(const std::string& bytes,
                                       NetworkFile kind = NetworkFile::model) const {
    const std::string file = folder_.write("m", bytes);
    const std::string message =
        message_of<FileError>([&] { kind == NetworkFile::model ? read_model(file) : read_checkpoint(file); });
    EXPECT_TRUE(message.starts_with(file + ": ")) << message;
    return message;
  }

  // The same length, so that the header's is right.
  std::string changed(std::string_view from, std::string_view to) const {
    std::string bytes = model_bytes(small_model(), NetworkFile::model);
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    EXPECT_EQ(from.size(), to.size());
    return at == std::string::npos ? bytes : bytes.replace(at, from.size(), to);
  }

  test::TempDir folder_;
};

TEST_F(DenebModelFileTest, ReadsWhatWasWritten) {
  const Model model = small_model();
  for (const NetworkFile kind : {NetworkFile::model, NetworkFile::checkpoint}) {
    write_model(path(), model, kind);
    const Model read = kind == NetworkFile::model ? read_model(path()) : read_checkpoint(path());
    EXPECT_EQ(read.recipe.architecture, Architecture::polos);
    EXPECT_EQ(read.recipe.references, References::best);
    EXPECT_EQ(read.recipe.loss, Loss::squared);
    EXPECT_EQ(read.recipe.hidden, (std::array<std::size_t, 2>{2, 1}));
    EXPECT_EQ(read.recipe.rate, 3e-5);
    EXPECT_EQ(read.recipe.accumulation, 4u);
    EXPECT_EQ(read.encoders, model.encoders);
    EXPECT_EQ(read.facts.fingerprint, model.facts.fingerprint);
    EXPECT_EQ(read.facts.seed, model.facts.seed);
    EXPECT_EQ(read.facts.most_references, 5u);
    EXPECT_TRUE(std::isnan(read.facts.epochs.at(0).loss));
    EXPECT_EQ(read.facts.epochs[0].agreement, -.25);
    EXPECT_TRUE(std::isnan(read.facts.epochs.at(1).agreement));
    EXPECT_EQ(read.facts.epochs.at(2).agreement, 1.0 / 3);
    ASSERT_EQ(read.arrays.size(), 5u);
    EXPECT_EQ(read.arrays[0].name, "ff.linear_3.weight");
    EXPECT_EQ(read.arrays[0].values, model.arrays[3].values);
    EXPECT_TRUE(read.best.empty());
    EXPECT_EQ(model_bytes(read, kind), model_bytes(model, kind));
    EXPECT_EQ(fingerprint(read), fingerprint(model));
  }
}

// What came after the first version: files that do without it are as they were, and are read.
TEST_F(DenebModelFileTest, KnowsLaterFields) {
  Model model = small_model();
  const std::string before = model_bytes(model, NetworkFile::model);
  for (const char* key :
       {"scale_vectors", "without", "held_out", "dropped_rows", "rows_per_epoch", "measure"})
    EXPECT_EQ(before.find(key), std::string::npos) << key;
  write_model(path(), model, NetworkFile::model);
  EXPECT_EQ(read_model(path()).facts.measure, Measure::tau_c);
  model.recipe.scale_vectors = true;
  model.facts.without = {"flickr8k"};
  model.facts.held_out = {"nebula:test.json", "flickr8k-cf:Flickr8k"};
  model.facts.dropped_rows = 806;
  model.facts.rows_per_epoch = 2048;
  model.facts.measure = Measure::accuracy;
  write_model(path(), model, NetworkFile::model);
  const Model read = read_model(path());
  EXPECT_TRUE(read.recipe.scale_vectors);
  EXPECT_EQ(read.facts.without, model.facts.without);
  EXPECT_EQ(read.facts.held_out, model.facts.held_out);
  EXPECT_EQ(read.facts.dropped_rows, 806u);
  EXPECT_EQ(read.facts.rows_per_epoch, 2048u);
  EXPECT_EQ(read.facts.measure, Measure::accuracy);
  EXPECT_EQ(model_bytes(read, NetworkFile::model), model_bytes(model, NetworkFile::model));
  const auto wrong = [&](std::string_view from, std::string_view to) {
    std::string bytes = model_bytes(model, NetworkFile::model);
    return deneb_model_file_problem(bytes.replace(bytes.find(from), from.size(), to));
  };
  EXPECT_NE(wrong(R"(\"accuracy\")", R"(\"acuracyy\")").find("expected one of tau-c, accuracy"),
            std::string::npos);
  EXPECT_NE(wrong(R"([\"flickr8k\"])", R"({\"lickr8\":1})").find("'without' is not a list of texts"),
            std::string::npos);
  EXPECT_NE(wrong(R"(\"dropped_rows\":806)", R"(\"dropped_rows\":-06)").find("JSON"), std::string::npos);
}

TEST_F(DenebModelFileTest, KeepsTheBestEpochOfACheckpointApart) {
  Model model = small_model();
  model.best = model.arrays;
  model.best[1].values[7] = -3;
  model.arrays.push_back({"adam/steps", {1}, {12}});
  write_model(path(), model, NetworkFile::checkpoint);
  const Model read = read_checkpoint(path());
  ASSERT_EQ(read.arrays.size(), 6u);
  ASSERT_EQ(read.best.size(), 5u);
  for (const NetworkArray& array : read.best) {
    if (array.name == "rest") {
      EXPECT_EQ(array.values[7], -3);
    }
  }
  model.best.pop_back();
  EXPECT_NE(
      message_of<DataError>([&] { model_bytes(model, NetworkFile::checkpoint); }).find("have 44 numbers"),
      std::string::npos);
}

TEST_F(DenebModelFileTest, TellsModelsFromCheckpointsAndOthers) {
  EXPECT_NE(
      deneb_model_file_problem(model_bytes(small_model(), NetworkFile::checkpoint)).find("has not ended"),
      std::string::npos);
  EXPECT_NE(deneb_model_file_problem(model_bytes(small_model(), NetworkFile::model), NetworkFile::checkpoint)
                .find("no 'capella.deneb.checkpoint'"),
            std::string::npos);
  EXPECT_NE(deneb_model_file_problem("nothing").find("expected a file that 'capella deneb train' wrote"),
            std::string::npos);
}

TEST_F(DenebModelFileTest, AChangedTextOfACheckpointIsDamage) {
  std::string bytes = model_bytes(small_model(), NetworkFile::checkpoint);
  bytes[bytes.find("-0.25") + 3] = '3';
  EXPECT_NE(deneb_model_file_problem(bytes, NetworkFile::checkpoint).find("is damaged"), std::string::npos);
}

TEST_F(DenebModelFileTest, NamesWhatIsWrong) {
  const auto has = [&](std::string_view from, std::string_view to, std::string_view part) {
    const std::string message = deneb_model_file_problem(changed(from, to));
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has(R"(\"polos\")", R"(\"palos\")", "'architecture' is 'palos', expected one of released, paper, polos");
  has(R"(\"format\":1)", R"(\"format\":2)", "format 2, expected 1");
  has(R"(\"best_epoch\":2)", R"(\"best_epoch\":3)", "the best epoch is 3 of 3");
  has(R"(\"batch\")", R"(\"batck\")", "has no 'batch'");
  has(R"(\"sentence_layers\":3)", R"(\"sentence_layers\":4)",
      "arrays have 49 numbers, but its recipe is one for 52");
  has(R"(\"clip_width\":2)", R"(\"clip_width\":0)", "images need the encoder");
  has(R"(\"dropout\":0.1)", R"(\"dropout\":1.1)", "the dropout (--dropout) is 1.1, expected");
  has(R"(\"hidden\":[2,1])", R"(\"hidden\":[-,1])", "is not JSON");
  has(R"(\"hidden\":[2,1])", R"(\"hidden\":12345)", "'hidden' is not a pair");
}

TEST_F(DenebModelFileTest, FindsChangedNumbersAndCutFiles) {
  const std::string bytes = model_bytes(small_model(), NetworkFile::model);
  std::string other = bytes;
  other[other.size() - 3] ^= 1;
  EXPECT_NE(deneb_model_file_problem(other).find("changed after it was written"), std::string::npos);
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{100}, bytes.size() - 1})
    deneb_model_file_problem(bytes.substr(0, size));
}

TEST_F(DenebModelFileTest, WritesNothingThatCannotBeRead) {
  const auto refused = [](auto change) {
    Model model = small_model();
    change(model);
    return message_of<DataError>([&] { model_bytes(model, NetworkFile::model); });
  };
  EXPECT_NE(refused([](Model& m) { m.arrays[1].values[0] = std::nanf(""); }).find("'rest' has a number"),
            std::string::npos);
  EXPECT_NE(refused([](Model& m) { m.encoders.sentence.reset(); }).find("other encoders"), std::string::npos);
  EXPECT_NE(refused([](Model& m) { m.encoders.image.reset(); }).find("images"), std::string::npos);
  EXPECT_NE(refused([](Model& m) { m.facts.epochs.clear(); }).find("best epoch"), std::string::npos);
}

// The authors' names, with their own shapes for the rest: widths 3 and 5, tokens of 8, 2 layers of 6, head
// 7, 4.
class ReleasedLayoutTest : public DenebModelFileTest {
 protected:
  void add(const std::string& name, const std::vector<std::size_t>& shape) {
    std::size_t size = 1;
    for (const std::size_t axis : shape) size *= axis;
    arrays_.push_back({name, shape, std::vector<float>(size, .25f)});
  }

  void add_linear(const std::string& name, std::size_t outputs, std::size_t inputs) {
    add(name + ".weight", {outputs, inputs});
    add(name + ".bias", {outputs});
  }

  void add_transformer(const std::string& name) {
    for (const std::string layer : {".layers.0.", ".layers.1."}) {
      add(name + layer + "self_attn.in_proj_weight", {24, 8});
      add(name + layer + "self_attn.in_proj_bias", {24});
      add_linear(name + layer + "self_attn.out_proj", 8, 8);
      add_linear(name + layer + "linear1", 6, 8);
      add_linear(name + layer + "linear2", 8, 6);
      for (const std::string norm : {"norm1", "norm2"}) {
        add(name + layer + norm + ".weight", {8});
        add(name + layer + norm + ".bias", {8});
      }
    }
  }

  void add_all() {
    for (int i = 0; i < 3; ++i) add("scalar_mix.scalar_parameters." + std::to_string(i), {1});
    add("scalar_mix.gamma", {1});
    add_linear("upsampler", 4, 3);
    add_linear("upsampler2", 4, 5);
    add("cls_token1", {1, 1, 8});
    add("cls_token2", {1, 1, 8});
    add_transformer("transformer");
    add_transformer("transformer2");
    add_linear("ff.0.ff.linear_1", 7, 24);
    add_linear("ff.0.ff.linear_2", 4, 7);
    add_linear("ff.0.ff.linear_3", 1, 4);
    add("pos_encoder.pe", {1000, 1, 8});
    add("encoder.model.embeddings.word_embeddings.weight", {9, 5});
    add("pacs_clip.visual.proj", {4, 3});
  }

  Model read(std::size_t heads = 8) {
    write_network_file(path(), arrays_, {});
    return read_model(path(), {heads});
  }

  std::vector<NetworkArray> arrays_;
};

TEST_F(ReleasedLayoutTest, TakesSizesFromShapes) {
  add_all();
  const Model model = read(4);
  EXPECT_EQ(model.recipe.architecture, Architecture::released);
  EXPECT_EQ(model.recipe.heads, 4u);
  EXPECT_EQ(model.recipe.clip_width, 3u);
  EXPECT_EQ(model.recipe.sentence_width, 5u);
  EXPECT_EQ(model.recipe.sentence_layers, 3u);
  EXPECT_EQ(model.recipe.width, 4u);
  EXPECT_EQ(model.recipe.layers, 2u);
  EXPECT_EQ(model.recipe.feed_forward, 6u);
  EXPECT_EQ(model.recipe.hidden, (std::array<std::size_t, 2>{7, 4}));
  EXPECT_TRUE(model.recipe.image);
  EXPECT_EQ(model.recipe.mix, MixStatistics::batch);  // there are no others
  EXPECT_FALSE(model.is_stable());
  EXPECT_FALSE(model.has_facts());
  EXPECT_EQ(model.encoders.prompt, "In the image, ");
  const auto named = [&](const std::string& name) {
    return std::ranges::count(model.arrays, name, &NetworkArray::name);
  };
  EXPECT_EQ(named("ff.linear_1.weight"), 1);
  EXPECT_EQ(named("pos_encoder.pe") + named("pacs_clip.visual.proj"), 0);
}

TEST_F(ReleasedLayoutTest, WithStatisticsOrWithoutLayersItIsStable) {
  add_all();
  add(kMixMean, {3});
  add(kMixVariance, {3});
  EXPECT_TRUE(read().is_stable());
  std::erase_if(arrays_, [](const NetworkArray& array) { return array.name.starts_with("scalar_mix"); });
  EXPECT_TRUE(read().is_stable());
  EXPECT_EQ(read().recipe.sentence_layers, 1u);
}

TEST_F(ReleasedLayoutTest, NamesWhatIsMissing) {
  add_all();
  EXPECT_NE(message_of<FileError>([&] { read(3); }).find("cannot be shared among 3 heads"),
            std::string::npos);
  add("more", {2});
  EXPECT_NE(message_of<FileError>([&] { read(); }).find("numbers, but its recipe is one for"),
            std::string::npos);
  std::erase_if(arrays_, [](const NetworkArray& array) { return array.name == "upsampler.weight"; });
  EXPECT_NE(message_of<FileError>([&] { read(); }).find("numbers, but its recipe is one for"),
            std::string::npos);  // now it looks like a network without images
  arrays_.clear();
  EXPECT_NE(message_of<FileError>([&] { read(); }).find("m.safetensors: "), std::string::npos);
}

}  // namespace
}  // namespace capella::method::deneb
