#include "small_generator.h"

#include <numeric>
#include <random>
#include <stdexcept>

extern "C" const capella::method::pregen::GeneratorMaker* capella_torch_generators(int version);

namespace capella::test {

const method::pregen::GeneratorMaker& maker() {
  return *capella_torch_generators(method::pregen::kPluginVersion);
}

Recipe small_recipe(Architecture architecture, std::size_t vocabulary, std::size_t size) {
  Recipe recipe;
  recipe.architecture = architecture;
  recipe.vocabulary = vocabulary;
  recipe.image = 5;
  recipe.size = size;
  recipe.image_dropout = recipe.embedding_dropout = recipe.state_dropout = 0;
  recipe.batch = 1000;
  return recipe;
}

std::unique_ptr<Generator> random_generator(const Recipe& recipe, std::uint64_t seed, float spread,
                                            std::size_t threads) {
  std::unique_ptr<Generator> generator = maker().make(recipe, "cpu", seed, threads);
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<NetworkArray> arrays = generator->arrays(false);
  for (NetworkArray& array : arrays) {
    for (float& value : array.values) value = spread * normal(random);
  }
  generator->set_arrays(arrays);
  return generator;
}

CaptionData random_captions(std::size_t images, std::size_t width, std::size_t vocabulary,
                            std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  CaptionData data;
  data.width = width;
  for (std::size_t i = 0; i < images; ++i) {
    for (std::size_t k = 0; k < width; ++k) data.features.push_back(3 * normal(random));
    for (std::size_t k = 0; k < 1 + random() % 3; ++k) {
      for (std::size_t w = random() % 10; w > 0; --w)
        data.ids.push_back(static_cast<std::int32_t>(1 + random() % (vocabulary - 1)));
      data.words.push_back(data.ids.size());
    }
    data.captions.push_back(data.words.size() - 1);
  }
  return data;
}

reference::GeneratorNetwork twin_of(const Generator& generator) {
  return {generator.recipe(), generator.arrays(false)};
}

const NetworkArray& array_named(const std::vector<NetworkArray>& arrays, const std::string& name) {
  for (const NetworkArray& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::out_of_range(name);
}

std::vector<std::uint32_t> all_captions(const CaptionData& data) {
  std::vector<std::uint32_t> order(data.caption_count());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace capella::test
