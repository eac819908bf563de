#include "small_deneb.h"

#include <numeric>
#include <random>
#include <stdexcept>

extern "C" const capella::method::deneb::NetworkMaker* capella_torch_deneb(int version);

namespace capella::test {
namespace {

using deneb::Architecture;
using deneb::Joiner;
using deneb::References;
using deneb::TokenKind;

void fill(std::vector<float>& values, std::size_t count, std::mt19937_64& random) {
  std::normal_distribution<float> normal;
  values.resize(count);
  for (float& value : values) value = normal(random);
}

}  // namespace

const deneb::NetworkMaker& deneb_maker() {
  return *capella_torch_deneb(deneb::kPluginVersion);
}

deneb::Recipe small_deneb(Architecture architecture) {
  deneb::Recipe recipe = deneb::recipe(architecture);
  recipe.clip_width = 5;
  recipe.sentence_width = 6;
  recipe.sentence_layers = 3;
  recipe.width = 4;
  recipe.layers = 2;
  recipe.heads = 2;
  recipe.feed_forward = 7;
  recipe.hidden = {6, 5};
  recipe.dropout = recipe.mix_dropout = 0;
  recipe.schedule = deneb::Schedule::constant;
  recipe.warm_up = 0;
  recipe.rate = 1e-3;
  recipe.most_gradient = 0;
  recipe.batch = 1000;
  recipe.accumulation = 1;
  return recipe;
}

std::unique_ptr<deneb::Network> random_network(const deneb::Recipe& recipe, std::uint64_t seed,
                                               float spread) {
  std::unique_ptr<deneb::Network> network = deneb_maker().make(recipe, "cpu", seed, 1);
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<tensor::NetworkArray> arrays = network->arrays(false);
  for (tensor::NetworkArray& array : arrays) {
    for (float& value : array.values) {
      value = spread * normal(random);
      if (array.name == deneb::kMixVariance) value = .5f + value * value;
      if (array.name.ends_with("norm1.weight") || array.name.ends_with("norm2.weight")) value += 1;
    }
  }
  network->set_arrays(arrays);
  return network;
}

SmallFeatures::SmallFeatures(const deneb::Recipe& recipe, std::size_t image_count, std::size_t caption_count,
                             std::uint64_t seed) {
  std::mt19937_64 random(seed);
  if (recipe.image) fill(images, image_count * recipe.clip_width, random);
  fill(captions, caption_count * recipe.clip_width, random);
  fill(sentences, caption_count * recipe.sentence_layers * recipe.sentence_width, random);
  for (std::size_t row = 0; row < caption_count; ++row) {
    tokens.push_back(static_cast<std::uint32_t>(2 + random() % 9));
    for (std::size_t l = 0; l < recipe.sentence_layers; ++l) {
      const double count = tokens.back() * static_cast<double>(recipe.sentence_width);
      const double mean = .3 * static_cast<double>(l) + .1 * static_cast<double>(random() % 10);
      sums.push_back(mean * count);
      squares.push_back((mean * mean + .5 + .1 * static_cast<double>(random() % 10)) * count);
    }
  }
  features.images = {recipe.clip_width, 1, images};
  features.captions = {recipe.clip_width, 1, captions};
  features.sentences = {recipe.sentence_width, recipe.sentence_layers, sentences};
  features.sums = sums;
  features.squares = squares;
  features.tokens = tokens;
}

deneb::Samples random_samples(std::size_t count, std::size_t images, std::size_t captions, std::size_t most,
                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  deneb::Samples samples;
  for (std::size_t k = 0; k < count; ++k) {
    samples.images.push_back(static_cast<std::uint32_t>(random() % images));
    samples.candidates.push_back(static_cast<std::uint32_t>(random() % captions));
    for (std::size_t r = 0; r < 1 + random() % most; ++r)
      samples.references.push_back(static_cast<std::uint32_t>(random() % captions));
    samples.ends.push_back(samples.references.size());
    samples.scores.push_back(static_cast<float>(random() % 5) / 4);
  }
  return samples;
}

reference::DenebNetwork twin_of(const deneb::Network& network) {
  return {network.recipe(), network.arrays(false)};
}

std::vector<std::uint32_t> all_of(const deneb::Samples& samples) {
  std::vector<std::uint32_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

const tensor::NetworkArray& deneb_array(const std::vector<tensor::NetworkArray>& arrays,
                                        const std::string& name) {
  for (const tensor::NetworkArray& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::out_of_range(name);
}

std::vector<NamedRecipe> all_variants() {
  std::vector<NamedRecipe> all;
  const auto add = [&](Architecture architecture, const std::string& what, const auto& change) {
    deneb::Recipe recipe = small_deneb(architecture);
    change(recipe);
    const auto name = deneb::kArchitectureNames[static_cast<std::size_t>(architecture)];
    all.push_back({std::string(name) + what, recipe});
  };
  for (const Architecture architecture : {Architecture::released, Architecture::paper, Architecture::polos}) {
    add(architecture, "", [](deneb::Recipe&) {});
    add(architecture, "WithBatchStatistics", [](deneb::Recipe& r) { r.mix = deneb::MixStatistics::batch; });
    add(architecture, "CutToTheFewestReferences", [](deneb::Recipe& r) { r.cut_references = true; });
    add(architecture, "CutWithBatchStatistics", [](deneb::Recipe& r) {
      r.cut_references = true;
      r.mix = deneb::MixStatistics::batch;
    });
    add(architecture, "WithScaledVectors", [](deneb::Recipe& r) { r.scale_vectors = true; });
    add(architecture, "WithGivenSentences", [](deneb::Recipe& r) { r.sentence_layers = 1; });
    add(architecture, "WithoutImages", [](deneb::Recipe& r) { r.image = false; });
    add(architecture, "WithoutSentences", [](deneb::Recipe& r) { r.sentence_width = 0; });
    add(architecture, "WithOneTextEncoder", [](deneb::Recipe& r) {
      r.image = false;
      r.clip_width = 0;
      r.sentence_layers = 1;
    });
    add(architecture, "WithTheFirstTextEncoderOnly", [](deneb::Recipe& r) {
      r.image = false;
      r.sentence_width = 0;
    });
    add(architecture, "MeanOfReferences", [](deneb::Recipe& r) { r.references = References::mean; });
    if (architecture == Architecture::polos) continue;
    add(architecture, "BestOfReferences", [](deneb::Recipe& r) { r.references = References::best; });
    add(architecture, "WithACosine", [](deneb::Recipe& r) { r.cosine = true; });
    add(architecture, "WithACosineBestOfReferences", [](deneb::Recipe& r) {
      r.cosine = true;
      r.sentence_width = 0;
      r.references = References::best;
    });
    add(architecture, "WithoutAttention", [](deneb::Recipe& r) { r.joiner = Joiner::mlp; });
    add(architecture, "OfRawVectors", [](deneb::Recipe& r) { r.tokens = TokenKind::raw; });
    add(architecture, "OfRawVectorsWithoutAttentionAndImages", [](deneb::Recipe& r) {
      r.tokens = TokenKind::raw;
      r.joiner = Joiner::mlp;
      r.image = false;
    });
  }
  return all;
}

}  // namespace capella::test
