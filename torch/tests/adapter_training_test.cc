// Training of an adapter: the loss by hand, gradients by small differences, captions in parts, what can be
// learnt, and the folder that the other engine reads.
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/bert.h"
#include "encoder/device_model.h"
#include "encoder/model_folder.h"
#include "method/adapter_training/adapter_folder.h"
#include "method/adapter_training/trainer.h"
#include "reference/lora_reference.h"
#include "support/message_of.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

extern "C" const capella::method::adapter_training::NetworkMaker* capella_torch_adapter_training(int version);
extern "C" const capella::encoder::DeviceEncoders* capella_torch_encoders(int version);

namespace capella::test {
namespace {

using encoder::TokenBatch;
using method::adapter_training::Drawn;
using method::adapter_training::Network;
using method::adapter_training::Precision;
using method::adapter_training::Reading;
using method::adapter_training::Recipe;
using tensor::NetworkArray;

Recipe small_recipe() {
  Recipe recipe;
  recipe.rank = 3;
  recipe.alpha = 6;
  recipe.batch = 6;
  recipe.temperature = .2;
  recipe.warm_up = 1;
  recipe.most_gradient = 0;
  return recipe;
}

// A BERT, or a RoBERTa, whose first position is 2, in a folder.
struct Base {
  explicit Base(const char* kind = "bert") : weights(small_bert()) {
    folder.write("config.json", small_bert_config(kind).dump());
    folder.write("model.safetensors", weights.bytes());
  }
  encoder::BertModel model() const {
    return encoder::read_bert_model(encoder::ModelFolder(folder.path().string()));
  }

  TempDir folder;
  MemoryWeights weights;
};

std::unique_ptr<Network> make(const Recipe& recipe, std::uint64_t seed, const Base& base = Base()) {
  return capella_torch_adapter_training(method::adapter_training::kPluginVersion)
      ->make(base.model(), recipe, "cpu", seed, 1);
}

// Captions of several lengths, and a step that takes all of them.
struct Given {
  TokenBatch captions;
  Drawn drawn;

  Given(std::uint32_t images, std::size_t each, std::uint64_t seed) : random_(seed) {
    for (std::uint32_t k = 0; k < images * each; ++k) {
      drawn.captions.push_back(add());
      if (k % each == 0) drawn.images.push_back(k / static_cast<std::uint32_t>(each));
    }
  }

  /// Rated captions with one, two, three, one ... references.
  void add_rated(std::size_t rows) {
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<std::uint32_t> references;
      for (std::size_t r = 0; r <= row % 3; ++r) references.push_back(add());
      drawn.rated.add(add(), references, static_cast<double>(random_() % 5));
    }
  }

 private:
  std::uint32_t add() {
    std::vector<std::int32_t> ids = {2};
    for (std::size_t w = 1 + random_() % 9; w > 0; --w)
      ids.push_back(static_cast<std::int32_t>(4 + random_() % 56));
    ids.push_back(3);
    captions.add(ids);
    return static_cast<std::uint32_t>(captions.size() - 1);
  }

  std::mt19937_64 random_;
};

const NetworkArray& named(const std::vector<NetworkArray>& arrays, const std::string& name) {
  for (const NetworkArray& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::out_of_range(name);
}

// Without this an adapter's first arrays have no slope.
void move_from_zero(Network& network, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NetworkArray> arrays = network.arrays(false);
  for (NetworkArray& array : arrays) {
    if (!array.name.ends_with("lora_B.weight")) continue;
    for (float& value : array.values) value = static_cast<float>(random() % 2001) / 10000.0f - .1f;
  }
  network.set_arrays(arrays);
}

std::vector<float> texts_of(const Network& network, const TokenBatch& batch) {
  std::vector<float> out(batch.size() * network.width());
  network.texts(batch, out.data());
  return out;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// The cosine of a vector with the sum of others' directions.
double centroid_cosine(const std::vector<float>& vectors, std::size_t width, std::uint32_t candidate,
                       std::span<const std::uint32_t> references) {
  const auto length = [&](std::uint32_t place) {
    double square = 0;
    for (std::size_t i = 0; i < width; ++i) square += std::pow(vectors[place * width + i], 2);
    return std::sqrt(square);
  };
  double product = 0, square = 0;
  for (std::size_t i = 0; i < width; ++i) {
    double sum = 0;
    for (const std::uint32_t place : references) sum += vectors[place * width + i] / length(place);
    product += sum * vectors[candidate * width + i];
    square += sum * sum;
  }
  return product / (length(candidate) * std::sqrt(square));
}

// -log softmax of the right one, in both directions, from the vectors alone; `left_out` are not told apart.
double loss_by_hand(const Network& network, const Given& given, const Pairs& left_out) {
  const std::size_t width = network.width(), each = 1 + network.recipe().references;
  const std::size_t count = given.drawn.images.size();
  const std::vector<float> vectors = texts_of(network, given.captions);
  const auto exponential = [&](std::size_t candidate, std::size_t image) {
    for (const auto& [a, b] : left_out) {
      if ((candidate == a && image == b) || (candidate == b && image == a)) return 0.0;
    }
    const auto references = std::span(given.drawn.captions).subspan(image * each + 1, each - 1);
    const double score = centroid_cosine(vectors, width, given.drawn.captions[candidate * each], references);
    return std::exp(score / network.recipe().temperature);
  };
  double loss = 0;
  for (std::size_t k = 0; k < count; ++k) {
    double of_candidate = 0, of_image = 0;
    for (std::size_t other = 0; other < count; ++other) {
      of_candidate += exponential(k, other);
      of_image += exponential(other, k);
    }
    loss -= (std::log(exponential(k, k) / of_candidate) + std::log(exponential(k, k) / of_image)) / 2;
  }
  return loss / static_cast<double>(count);
}

TEST(AdapterTraining, LossIsThatOfTheVectors) {
  for (const std::size_t references : {1, 2, 3}) {
    Recipe recipe = small_recipe();
    recipe.references = references;
    recipe.reading = references == 3 ? Reading::first : Reading::mean;
    const Given given(7, 1 + references, 3);
    const auto network = make(recipe, 1);
    move_from_zero(*network, 5);
    const double expected = loss_by_hand(*network, given, {});
    EXPECT_GT(expected, .5);
    EXPECT_NEAR(network->step(given.captions, given.drawn), expected, 1e-5);
  }
}

// 1 - Pearson's correlation of scores and ratings, from the vectors alone.
double rated_loss_by_hand(const Network& network, const Given& given) {
  const std::vector<float> vectors = texts_of(network, given.captions);
  const auto& rated = given.drawn.rated;
  const auto count = static_cast<double>(rated.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t row = 0; row < rated.size(); ++row) {
    const double score =
        centroid_cosine(vectors, network.width(), rated.candidates[row], rated.references_of(row));
    const double rating = rated.ratings[row];
    x += score, y += rating, xx += score * score, yy += rating * rating, xy += score * rating;
  }
  return 1 - (xy - x * y / count) / std::sqrt((xx - x * x / count) * (yy - y * y / count));
}

TEST(AdapterTraining, RatedCaptionsAddWhatTheirCorrelationLacks) {
  Given given(7, 3, 3);
  given.add_rated(9);
  for (const double weight : {1.0, 2.5}) {
    Recipe recipe = small_recipe();
    recipe.rated_weight = weight;
    const auto network = make(recipe, 1);
    move_from_zero(*network, 5);
    const double rated = rated_loss_by_hand(*network, given);
    EXPECT_GT(rated, .1);
    const double expected = loss_by_hand(*network, given, {}) + weight * rated;
    EXPECT_NEAR(network->step(given.captions, given.drawn), expected, 2e-5);
  }
}

TEST(AdapterTraining, LearnsToScoreAsPeopleDo) {
  Given given(4, 3, 3);
  given.add_rated(12);
  Recipe recipe = small_recipe();
  recipe.rated_weight = 10;
  recipe.rate = .01;
  recipe.total_steps = 60;
  const auto network = make(recipe, 1);
  const double before = rated_loss_by_hand(*network, given);
  for (std::size_t step = 0; step < recipe.total_steps; ++step) network->step(given.captions, given.drawn);
  EXPECT_LT(rated_loss_by_hand(*network, given), before / 2);
}

TEST(AdapterTraining, EqualRatingsTeachNothing) {
  Given given(7, 3, 3);
  given.add_rated(5);
  for (double& rating : given.drawn.rated.ratings) rating = .5;
  const auto network = make(small_recipe(), 1);
  EXPECT_NEAR(network->step(given.captions, given.drawn),
              loss_by_hand(*make(small_recipe(), 1), given, {}) + 1, 1e-5);
  for (const NetworkArray& array : network->arrays(false)) {
    for (const float value : array.values) ASSERT_TRUE(std::isfinite(value)) << array.name;
  }
}

TEST(AdapterTraining, DoesNotTellApartWhatBelongsTogether) {
  Given given(7, 3, 3);
  given.drawn.captions[3 * 2 + 1] = given.drawn.captions[3 * 5];      // a reference is another's candidate
  given.drawn.captions[3 * 6 + 2] = given.drawn.captions[3 * 1 + 2];  // a reference is another's
  given.drawn.images[4] = 0;                                          // the same image again
  const auto network = make(small_recipe(), 1);
  const double all = loss_by_hand(*network, given, {});
  const double expected = loss_by_hand(*network, given, {{2, 5}, {6, 1}, {0, 4}});
  EXPECT_GT(std::fabs(all - expected), 1e-3);
  EXPECT_NEAR(network->step(given.captions, given.drawn), expected, 1e-5);
}

TEST(AdapterTraining, GradientsAreSlopesOfTheLoss) {
  Given given(6, 3, 3);
  given.add_rated(6);
  for (const std::size_t chunk : {0, 20, 30}) {
    Recipe recipe = small_recipe();
    recipe.chunk = chunk;
    recipe.reading = chunk == 30 ? Reading::first : Reading::mean;
    recipe.temperature = .05;
    const auto network = make(recipe, 1);
    move_from_zero(*network, 5);
    const auto start = network->arrays(false);
    network->step(given.captions, given.drawn);
    const auto after = network->arrays(true);
    const auto moved = make(recipe, 2);
    const auto loss_at = [&](const NetworkArray& array, std::size_t i, float step) {
      std::vector<NetworkArray> arrays = start;
      for (NetworkArray& other : arrays) {
        if (other.name == array.name) other.values[i] += step;
      }
      moved->set_arrays(arrays);
      return moved->step(given.captions, given.drawn);
    };
    std::size_t checked = 0;
    for (const NetworkArray& array : start) {
      const NetworkArray& mean = named(after, "adam/m/" + array.name);
      const auto largest = std::max_element(mean.values.begin(), mean.values.end(),
                                            [](float a, float b) { return std::fabs(a) < std::fabs(b); });
      const auto i = static_cast<std::size_t>(largest - mean.values.begin());
      const double gradient = *largest / .1;
      if (std::fabs(gradient) < 2e-2) continue;
      const auto quotient = [&](float step) {
        return (loss_at(array, i, step) - loss_at(array, i, -step)) / (2 * static_cast<double>(step));
      };
      const double slope = (4 * quotient(1.5e-3f) - quotient(3e-3f)) / 3;  // without the error of 2nd order
      EXPECT_NEAR(gradient, slope, 2e-3 + .02 * std::fabs(slope)) << array.name << " " << chunk;
      ++checked;
    }
    EXPECT_GT(checked, start.size() * 2 / 3);
  }
}

TEST(AdapterTraining, PartsOfABatchGiveWhatTheWholeGives) {
  Given given(9, 3, 7);
  given.add_rated(5);
  Recipe whole = small_recipe(), parts = small_recipe();
  whole.chunk = 100'000;
  parts.chunk = 25;  // two or three captions
  const auto one = make(whole, 1), other = make(parts, 1);
  for (Network* network : {one.get(), other.get()}) move_from_zero(*network, 5);
  EXPECT_NEAR(one->step(given.captions, given.drawn), other->step(given.captions, given.drawn), 1e-5);
  const auto expected = one->arrays(true), found = other->arrays(true);
  for (const NetworkArray& array : one->arrays(false)) {
    const auto& a = named(expected, "adam/m/" + array.name).values;
    const auto& b = named(found, "adam/m/" + array.name).values;
    double largest = 0;
    for (const float value : a) largest = std::max(largest, std::fabs(static_cast<double>(value)));
    ASSERT_GT(largest, 0);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4 * largest) << array.name;
  }
}

// Sixteen bits while it learns: nearly the same loss and the same way down. Vectors that are asked for
// have 32.
TEST(AdapterTraining, LearnsWithSixteenBits) {
  const Given given(9, 3, 7);
  Recipe whole = small_recipe(), short_numbers = small_recipe();
  short_numbers.numbers = method::adapter_training::Numbers::bfloat16;
  for (const std::size_t chunk : {100'000, 25}) {
    whole.chunk = short_numbers.chunk = chunk;
    const auto one = make(whole, 1), other = make(short_numbers, 1);
    for (Network* network : {one.get(), other.get()}) move_from_zero(*network, 5);
    EXPECT_EQ(texts_of(*one, given.captions), texts_of(*other, given.captions));
    const double loss = one->step(given.captions, given.drawn);
    const double found = other->step(given.captions, given.drawn);
    EXPECT_NE(found, loss);
    EXPECT_NEAR(found, loss, .05 * loss);
    const auto expected = one->arrays(true), learnt = other->arrays(true);
    for (const NetworkArray& array : one->arrays(false)) {
      const auto& a = named(expected, "adam/m/" + array.name).values;
      const auto& b = named(learnt, "adam/m/" + array.name).values;
      double ab = 0, aa = 0, bb = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        ab += static_cast<double>(a[i]) * b[i];
        aa += static_cast<double>(a[i]) * a[i];
        bb += static_cast<double>(b[i]) * b[i];
      }
      EXPECT_GT(ab / std::sqrt(aa * bb), .9) << array.name;
    }
  }
}

TEST(AdapterTraining, GivesTheBasesVectorsAtFirst) {
  const Given given(12, 3, 9);
  ASSERT_GT(given.captions.ids.size(), 64u);  // so many that the plug-in's encoder takes lengths one by one
  for (const char* kind : {"bert", "roberta"}) {
    const Base base(kind);
    Recipe recipe = small_recipe();
    recipe.reading = Reading::first;
    encoder::DeviceSettings settings;
    settings.device = "cpu";
    settings.threads = 1;
    const auto bert = capella_torch_encoders(encoder::kDeviceVersion)->bert(base.model(), settings);
    std::vector<float> expected(given.captions.size() * bert->width());
    bert->first_tokens(given.captions, expected.data());
    EXPECT_EQ(texts_of(*make(recipe, 1, base), given.captions), expected);
    recipe.reading = Reading::mean;
    EXPECT_EQ(texts_of(*make(recipe, 1, base), given.captions),
              texts_of(*make(recipe, 2, base), given.captions));
  }
}

// Of the program's own engine.
std::vector<float> means_of(const std::string& folder, const TokenBatch& batch) {
  const encoder::Bert bert{encoder::ModelFolder(folder)};
  std::vector<float> means;
  bert.run(tensor::kernels(), batch, bert.layers(),
           [&](std::size_t layer, const float* rows, std::size_t stride) {
             if (layer < bert.layers()) return;
             for (std::size_t k = 0; k < batch.size(); ++k) {
               for (std::size_t i = 0; i < bert.width(); ++i) {
                 double sum = 0;
                 for (std::size_t t = batch.begin(k); t < batch.end(k); ++t) sum += rows[t * stride + i];
                 means.push_back(static_cast<float>(sum / static_cast<double>(batch.length(k))));
               }
             }
           });
  return means;
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5);
}

// A number of a file of halves, from the format's definition.
double half_value(unsigned bits) {
  const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24)
                                    : std::ldexp(1024.0 + fraction, static_cast<int>(exponent) - 25);
  return bits & 0x8000 ? -size : size;
}

std::vector<float> halves(const tensor::Safetensors& file, const std::string& name) {
  const tensor::Tensor& array = file.tensor(name);
  EXPECT_EQ(array.type, tensor::Type::kF16);
  std::vector<float> values;
  for (std::size_t i = 0; i < array.bytes.size(); i += 2)
    values.push_back(static_cast<float>(half_value(std::to_integer<unsigned>(array.bytes[i]) |
                                                   std::to_integer<unsigned>(array.bytes[i + 1]) << 8)));
  return values;
}

// The base with the updates of the file added, one number at a time.
MemoryWeights merged(const Base& base, const std::string& path, const Recipe& recipe) {
  const tensor::Safetensors file(path);
  MemoryWeights all = base.weights;
  for (const auto& entry : file.tensors()) {
    const std::string root = entry.first.substr(0, entry.first.size() - std::string("lora_A.weight").size());
    if (!entry.first.ends_with("lora_A.weight")) continue;
    const std::string name = root.substr(method::adapter_training::kRoot.size()) + "weight";
    const reference::LowRankUpdate update = {recipe.rank, recipe.alpha / static_cast<double>(recipe.rank),
                                             halves(file, entry.first), halves(file, root + "lora_B.weight")};
    const std::vector<double> sums = reference::lora_reference(all.values(name), update);
    all.set(name, all.shape(name), {sums.begin(), sums.end()});
  }
  return all;
}

TEST(AdapterTraining, MakesAFolderThatGivesItsVectors) {
  const Base base;
  const Given given(8, 3, 5);
  const auto network = make(small_recipe(), 1, base);
  for (int step = 0; step < 20; ++step) network->step(given.captions, given.drawn);
  network->set_arrays(method::adapter_training::rounded(network->arrays(false), Precision::half));
  const std::vector<float> expected = texts_of(*network, given.captions);
  const TempDir folder;
  folder.write("adapter_config.json", method::adapter_training::config_text(
                                          network->recipe(), base.folder.path().string(), {{"seed", 1}}));
  const std::string path =
      folder.write("adapter_model.safetensors",
                   method::adapter_training::arrays_bytes(network->arrays(false), Precision::half));
  Base slow;
  slow.folder.write("model.safetensors", merged(base, path, network->recipe()).bytes());
  expect_near(means_of(slow.folder.path().string(), given.captions), expected);
  expect_near(means_of(folder.path().string(), given.captions), expected);
  double moved = 0;
  const std::vector<float> before = means_of(base.folder.path().string(), given.captions);
  for (std::size_t i = 0; i < before.size(); ++i)
    moved = std::max(moved, std::fabs(static_cast<double>(before[i] - expected[i])));
  EXPECT_GT(moved, .01);
}

// Captions of one image have a word in common, which those of no other have.
TEST(AdapterTraining, LearnsWhichCaptionsAreOfOneImage) {
  Recipe recipe = small_recipe();
  recipe.rate = 1e-2;
  recipe.most_gradient = 1;
  recipe.total_steps = 60;
  std::mt19937_64 random(3);
  const auto drawn_images = [&](TokenBatch& captions, Drawn& drawn) {
    for (std::uint32_t image = 0; image < 12; ++image) {
      drawn.images.push_back(image);
      for (int k = 0; k < 3; ++k) {
        drawn.captions.push_back(static_cast<std::uint32_t>(captions.size()));
        std::vector<std::int32_t> ids = {2};
        for (int w = 0; w < 4; ++w) ids.push_back(static_cast<std::int32_t>(30 + random() % 30));
        ids[1 + random() % 4] = static_cast<std::int32_t>(4 + image);
        ids.push_back(3);
        captions.add(ids);
      }
    }
  };
  Given fresh(0, 1, 0);
  drawn_images(fresh.captions, fresh.drawn);
  const auto network = make(recipe, 1);
  const double before = loss_by_hand(*network, fresh, {});
  for (std::size_t step = 0; step < recipe.total_steps; ++step) {
    Given batch(0, 1, 0);
    drawn_images(batch.captions, batch.drawn);
    network->step(batch.captions, batch.drawn);
  }
  EXPECT_LT(loss_by_hand(*network, fresh, {}), .7 * before);
}

TEST(AdapterTraining, GoesOnWithTheSameBits) {
  const Given first(6, 3, 3), second(6, 3, 4);
  Recipe recipe = small_recipe();
  recipe.total_steps = 9;
  recipe.most_gradient = 1;
  recipe.chunk = 30;
  const auto whole = make(recipe, 1), begun = make(recipe, 1), resumed = make(recipe, 7);
  for (Network* network : {whole.get(), begun.get()}) network->step(first.captions, first.drawn);
  const double loss = whole->step(second.captions, second.drawn);
  resumed->set_arrays(begun->arrays(true));
  EXPECT_EQ(resumed->step(second.captions, second.drawn), loss);
  const auto a = whole->arrays(true), b = resumed->arrays(true);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
}

TEST(AdapterTraining, NamesItsArraysAsPeftDoes) {
  const auto arrays = make(small_recipe(), 1)->arrays(false);
  EXPECT_EQ(arrays.size(), 2u * 2 * 6);
  const std::string layer = "base_model.model.encoder.layer.1.";
  EXPECT_EQ(named(arrays, layer + "attention.self.query.lora_A.weight").shape,
            (tensor::Shape{3, kSmallWidth}));
  EXPECT_EQ(named(arrays, layer + "intermediate.dense.lora_B.weight").shape, (tensor::Shape{40, 3}));
  EXPECT_EQ(named(arrays, layer + "output.dense.lora_A.weight").shape, (tensor::Shape{3, 40}));
  double squares = 0;
  std::size_t count = 0;
  for (const NetworkArray& array : arrays) {
    for (const float value : array.values) {
      if (!array.name.ends_with("lora_A.weight")) {
        EXPECT_EQ(value, 0);
        continue;
      }
      squares += static_cast<double>(value) * value * static_cast<double>(array.shape[1]);
      ++count;
    }
  }
  EXPECT_NEAR(squares / static_cast<double>(count), 1, .1);
}

TEST(AdapterTraining, RefusesWhatCannotBe) {
  Recipe recipe = small_recipe();
  recipe.rank = 0;
  EXPECT_EQ(message_of<UsageError>([&] { make(recipe, 1); }), "an adapter: --rank is 0, expected 1 to 4096");
  Given given(3, 3, 3);
  const auto network = make(small_recipe(), 1);
  given.drawn.captions[4] = 9;
  EXPECT_EQ(message_of<UsageError>([&] { network->step(given.captions, given.drawn); }),
            "there is no caption 9");
  given.drawn = {{0}, {0, 1, 2}};
  const auto few = message_of<UsageError>([&] { network->step(given.captions, given.drawn); });
  EXPECT_NE(few.find("a step has 1 images"), std::string::npos) << few;
  Given wrong(2, 3, 3);
  wrong.captions.ids[1] = 60;
  const auto token = message_of<UsageError>([&] { network->step(wrong.captions, wrong.drawn); });
  EXPECT_NE(token.find("found the token 60"), std::string::npos) << token;
  encoder::BertModel base = Base().model();
  std::erase_if(base.arrays, [](const NetworkArray& a) { return a.name.ends_with("key.weight"); });
  const auto* maker = capella_torch_adapter_training(method::adapter_training::kPluginVersion);
  const auto missing = message_of<DataError>([&] { maker->make(base, small_recipe(), "cpu", 1, 1); });
  EXPECT_NE(missing.find("key.weight' is missing"), std::string::npos) << missing;
  EXPECT_EQ(capella_torch_adapter_training(method::adapter_training::kPluginVersion + 1), nullptr);
}

}  // namespace
}  // namespace capella::test
