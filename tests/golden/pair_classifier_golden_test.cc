// Pairs of sentences against Hugging Face transformers 5.22.2 on PyTorch 2.15.0 (CPU, 32-bit floats):
// BertForSequenceClassification and RobertaForSequenceClassification with three labels, hidden_size 32, 2
// layers, 4 heads, intermediate_size 48, and as below. There: of the state's tensors in alphabetical order,
// number i of tensor k is ((37 i^2 + 7919 i + 101 k) mod 2003 - 1001) / 1001, then v -> 1 + v / 2 for weights
// of layer norms, v / 2 for biases and 0.3 v for all other weights but those of embeddings;
// tokenizer(first, second, truncation="longest_first", max_length=N) with the fast tokenizers; logits.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "encoder/pair_classifier.h"
#include "support/memory_weights.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::test {
namespace {

using Logits = std::vector<std::vector<double>>;

constexpr std::size_t kWidth = 32, kInner = 48;

const std::vector<std::string_view> kFirst = {
    "a man is riding a bike .",
    "a dog runs on the grass",
    "two red dog , not in grass",
    "",
    "a man is riding a red bike on the grass and a dog runs , a woman is holding a ball in the grass .",
    "a man",
    "a man is riding a red bike on the grass and a dog runs in"};
const std::vector<std::string_view> kSecond = {
    "a man is on a bike",
    "a woman is holding a ball",
    "a dog is not in the grass",
    "a man",
    "the dog is on the bike",
    "a man is riding a red bike on the grass and a dog runs , a woman is holding a ball in the grass .",
    "a woman is holding a ball and a dog runs on the red grass"};

const Logits kBert = {{0.644402027130127, -0.08445560932159424, -0.01630374789237976},
                      {0.4203125238418579, -0.003148108720779419, 0.0030623674392700195},
                      {0.515056848526001, 0.06129246950149536, -0.0467296838760376},
                      {0.6884709596633911, -0.08119750022888184, -0.0411221981048584},
                      {0.5205717086791992, 0.004298388957977295, 0.011896610260009766},
                      {0.4805639386177063, 0.05227711796760559, 0.09694382548332214},
                      {0.49206700921058655, -0.06143379211425781, 0.08766040205955505}};
const Logits kRoberta = {{0.07246649265289307, 0.12471345067024231, -0.6724289655685425},
                         {-0.08523261547088623, 0.22846552729606628, -0.5305132865905762},
                         {-0.08615908026695251, 0.1677481234073639, -0.3890487551689148},
                         {-0.29799458384513855, 0.26145437359809875, -0.4676979184150696},
                         {0.10122042894363403, 0.10273155570030212, -0.6722278594970703},
                         {0.022865235805511475, 0.10122248530387878, -0.5448633432388306},
                         {0.09078490734100342, 0.11649331450462341, -0.6008352041244507}};

using Shapes = std::map<std::string, tensor::Shape>;

void add_linear(Shapes& shapes, const std::string& name, std::size_t outputs, std::size_t inputs) {
  shapes[name + ".weight"] = {outputs, inputs};
  shapes[name + ".bias"] = {outputs};
}

void add_norm(Shapes& shapes, const std::string& name) {
  shapes[name + ".weight"] = shapes[name + ".bias"] = {kWidth};
}

Shapes body(const std::string& prefix, std::size_t pieces, std::size_t positions, std::size_t kinds) {
  Shapes shapes;
  shapes[prefix + "embeddings.word_embeddings.weight"] = {pieces, kWidth};
  shapes[prefix + "embeddings.position_embeddings.weight"] = {positions, kWidth};
  shapes[prefix + "embeddings.token_type_embeddings.weight"] = {kinds, kWidth};
  add_norm(shapes, prefix + "embeddings.LayerNorm");
  for (const char* number : {"0.", "1."}) {
    const std::string layer = prefix + "encoder.layer." + number;
    for (const char* part :
         {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"})
      add_linear(shapes, layer + part, kWidth, kWidth);
    add_norm(shapes, layer + "attention.output.LayerNorm");
    add_linear(shapes, layer + "intermediate.dense", kInner, kWidth);
    add_linear(shapes, layer + "output.dense", kWidth, kInner);
    add_norm(shapes, layer + "output.LayerNorm");
  }
  return shapes;
}

std::string drawn_weights(const Shapes& shapes) {
  MemoryWeights weights;
  std::uint64_t k = 0;
  for (const auto& [name, shape] : shapes) {
    std::vector<float> values(shape[0] * (shape.size() == 2 ? shape[1] : 1));
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      const std::uint64_t drawn = (37 * i * i + 7919 * i + 101 * k) % 2003;
      double value = (static_cast<double>(drawn) - 1001) / 1001;
      if (name.ends_with("LayerNorm.weight")) {
        value = 1 + value / 2;
      } else if (name.ends_with("bias")) {
        value /= 2;
      } else if (name.find("embeddings") == name.npos) {
        value *= 0.3;
      }
      values[i] = static_cast<float>(value);
    }
    weights.set(name, shape, values);
    ++k;
  }
  return weights.bytes();
}

nlohmann::json config(const char* kind, double epsilon) {
  return {{"model_type", kind},          {"hidden_size", kWidth},
          {"num_hidden_layers", 2},      {"num_attention_heads", 4},
          {"intermediate_size", kInner}, {"hidden_act", "gelu"},
          {"layer_norm_eps", epsilon},   {"pad_token_id", kind == std::string("bert") ? 0 : 1}};
}

// Positions: 24.
void write_bert(const TempDir& folder) {
  folder.write("vocab.txt",
               word_lines({"a",  "the",   "man", "woman", "dog", "bike", "ball", "is", "riding", "holding",
                           "on", "grass", "in",  "red",   "two", "not",  ",",    ".",  "run",    "##s"}));
  Shapes shapes = body("bert.", 25, 24, 2);
  add_linear(shapes, "bert.pooler.dense", kWidth, kWidth);
  add_linear(shapes, "classifier", 3, kWidth);
  folder.write("model.safetensors", drawn_weights(shapes));
  folder.write("config.json", config("bert", 1e-12).dump());
}

// Positions: 66, of which 64 are for tokens. Pieces: five special ones, all bytes, then the merges.
void write_roberta(const TempDir& folder) {
  const std::string space = encoder::in_byte_alphabet(" ");
  const MergePairs merges = {{"a", "n"}, {"m", "an"},   {space, "a"}, {space, "man"},
                             {"i", "s"}, {space, "is"}, {"i", "n"},   {"in", "g"}};
  nlohmann::json pieces = nlohmann::json::object();
  for (const char* special : {"<s>", "<pad>", "</s>", "<unk>", "<mask>"}) pieces[special] = pieces.size();
  for (int byte = 0; byte < 256; ++byte)
    pieces[encoder::in_byte_alphabet(std::string(1, static_cast<char>(byte)))] = 5 + byte;
  for (const auto& [left, right] : merges) pieces[left + right] = pieces.size();
  folder.write("vocab.json", pieces.dump());
  folder.write("merges.txt", merge_lines(merges));
  Shapes shapes = body("roberta.", 269, 66, 1);
  add_linear(shapes, "classifier.dense", kWidth, kWidth);
  add_linear(shapes, "classifier.out_proj", 3, kWidth);
  folder.write("model.safetensors", drawn_weights(shapes));
  folder.write("config.json", config("roberta", 1e-5).dump());
}

void expect_answers(const encoder::PairClassifier& classifier, const Logits& expected) {
  ThreadPool pool(2);
  const encoder::PairAnswers found = classifier.answers(kFirst, kSecond, {&pool, {}});
  ASSERT_EQ(found.labels, 3u);
  EXPECT_EQ(found.distinct, kFirst.size());
  EXPECT_EQ(found.cut, (std::vector<std::size_t>{4, 5, 6}));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    for (std::size_t label = 0; label < 3; ++label)
      EXPECT_NEAR(found.row(k)[label], expected[k][label], 2e-6) << k << ' ' << label;
  }
}

TEST(PairClassifierGolden, BertForSequenceClassification) {
  const TempDir folder;
  write_bert(folder);
  expect_answers(encoder::PairClassifier(folder.path().string()), kBert);
}

TEST(PairClassifierGolden, RobertaForSequenceClassification) {
  const TempDir folder;
  write_roberta(folder);
  expect_answers(encoder::PairClassifier(folder.path().string()), kRoberta);
}

}  // namespace
}  // namespace capella::test
