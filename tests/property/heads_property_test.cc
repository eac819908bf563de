// The heads of learned metrics on the CPU, and the mix of layers before them, against the slow twin of the
// whole network.
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "encoder/paper_head.h"
#include "encoder/polos_head.h"
#include "encoder/scalar_mix.h"
#include "encoder/sim_vec_head.h"
#include "reference/deneb_reference.h"
#include "support/memory_weights.h"

namespace capella::test {
namespace {

using encoder::HeadSamples;
using encoder::SentenceStates;
using method::deneb::Architecture;
using method::deneb::Recipe;

Recipe any_recipe(Architecture architecture) {
  Recipe recipe = method::deneb::recipe(architecture);
  const int encoders = *rc::gen::inRange(0, 3);  // both, the first, the second
  recipe.clip_width = encoders == 2 ? 0 : *rc::gen::inRange<std::size_t>(1, 30);
  recipe.sentence_width = encoders == 1 ? 0 : *rc::gen::inRange<std::size_t>(1, 30);
  recipe.image = recipe.clip_width > 0 && *rc::gen::arbitrary<bool>();
  recipe.sentence_layers = *rc::gen::element<std::size_t>(1, 4);
  recipe.mix = *rc::gen::element(method::deneb::MixStatistics::frozen, method::deneb::MixStatistics::batch);
  recipe.width = *rc::gen::element<std::size_t>(8, 16, 24) * (architecture == Architecture::paper ? 2 : 1);
  recipe.tokens = *rc::gen::element(method::deneb::TokenKind::sim_vec, method::deneb::TokenKind::raw);
  recipe.joiner = *rc::gen::element(method::deneb::Joiner::transformer, method::deneb::Joiner::mlp);
  recipe.layers = *rc::gen::inRange<std::size_t>(1, 3);
  recipe.heads = *rc::gen::element<std::size_t>(1, 2, 4, 8);
  recipe.feed_forward = *rc::gen::inRange<std::size_t>(1, 40);
  recipe.hidden = {*rc::gen::inRange<std::size_t>(1, 40), *rc::gen::inRange<std::size_t>(1, 30)};
  return recipe;
}

std::size_t token_width(const Recipe& recipe) {
  return recipe.architecture == Architecture::released ? 2 * recipe.width : recipe.width;
}

void fill_joiner(MemoryWeights& weights, const Recipe& recipe, const std::string& name,
                 const std::string& own, std::mt19937_64& random) {
  const std::size_t d = token_width(recipe);
  weights.fill(own, {1, 1, d}, random, 1.0f);
  for (std::size_t i = 0; i < recipe.layers; ++i) {
    const std::string layer = name + ".layers." + std::to_string(i) + ".";
    weights.fill(layer + "self_attn.in_proj_weight", {3 * d, d}, random, 0.4f);
    weights.fill(layer + "self_attn.in_proj_bias", {3 * d}, random, 0.4f);
    weights.fill_linear(layer + "self_attn.out_proj", d, d, random);
    weights.fill_linear(layer + "linear1", recipe.feed_forward, d, random);
    weights.fill_linear(layer + "linear2", d, recipe.feed_forward, random);
    weights.fill_norm(layer + "norm1", d, random);
    weights.fill_norm(layer + "norm2", d, random);
  }
}

std::size_t head_inputs(const Recipe& recipe) {
  if (recipe.architecture == Architecture::polos)
    return 4 * recipe.sentence_width + (recipe.image ? 6 : 3) * recipe.clip_width;
  if (recipe.architecture == Architecture::paper) return recipe.width;
  const std::size_t parts =
      (recipe.clip_width > 0 ? 1 : 0) + (recipe.sentence_width > 0 ? 1 : 0) + (recipe.image ? 1 : 0);
  return parts * 2 * recipe.width;
}

MemoryWeights any_weights(const Recipe& recipe, std::mt19937_64& random) {
  MemoryWeights weights;
  if (recipe.sentence_width > 0 && recipe.sentence_layers > 1) {
    for (std::size_t i = 0; i < recipe.sentence_layers; ++i)
      weights.fill("scalar_mix.scalar_parameters." + std::to_string(i), {1}, random, 2.0f);
    weights.fill("scalar_mix.gamma", {1}, random, 0.5f, 1.0f);
    weights.fill("scalar_mix.mean", {recipe.sentence_layers}, random, 0.5f);
    weights.fill("scalar_mix.variance", {recipe.sentence_layers}, random, 0.4f, 0.6f);
  }
  if (recipe.clip_width > 0) weights.fill_linear("upsampler", recipe.width, recipe.clip_width, random);
  if (recipe.sentence_width > 0)
    weights.fill_linear("upsampler2", recipe.width, recipe.sentence_width, random);
  if (recipe.architecture == Architecture::released) {
    if (recipe.clip_width > 0) fill_joiner(weights, recipe, "transformer", "cls_token1", random);
    if (recipe.sentence_width > 0) fill_joiner(weights, recipe, "transformer2", "cls_token2", random);
  }
  if (recipe.architecture == Architecture::paper) {
    weights.fill("type_embedding.weight", {encoder::PaperHead::kKinds, recipe.width}, random, 1.0f);
    fill_joiner(weights, recipe, "transformer", "cls_token", random);
  }
  weights.fill_linear("ff.linear_1", recipe.hidden[0], head_inputs(recipe), random);
  weights.fill_linear("ff.linear_2", recipe.hidden[1], recipe.hidden[0], random);
  weights.fill_linear("ff.linear_3", 1, recipe.hidden[1], random);
  return weights;
}

std::vector<float> heads_numbers(std::size_t count, std::mt19937_64& random) {
  std::vector<float> result(count);
  for (float& x : result) x = static_cast<float>(random() % 4'000'001) / 1'000'000.0f - 2.0f;
  return result;
}

// Pictures and captions, and samples of them.
struct Given {
  std::vector<float> images;
  std::vector<float> captions;
  SentenceStates states;
  method::deneb::Samples samples;

  method::deneb::Features features(const Recipe& recipe) const {
    return {.images = {.width = recipe.clip_width, .floats = images},
            .captions = {.width = recipe.clip_width, .floats = captions},
            .sentences = {.width = states.width, .layers = states.layers, .floats = states.first},
            .sums = states.sums,
            .squares = states.squares,
            .tokens = states.tokens};
  }
};

SentenceStates any_states(const Recipe& recipe, std::size_t captions, std::mt19937_64& random) {
  SentenceStates states;
  states.layers = recipe.sentence_layers;
  states.width = recipe.sentence_width;
  states.first = heads_numbers(captions * states.layers * states.width, random);
  for (std::size_t k = 0; k < captions; ++k) {
    const std::uint32_t tokens = 1 + static_cast<std::uint32_t>(random() % 20);
    states.tokens.push_back(tokens);
    for (std::size_t layer = 0; layer < states.layers; ++layer) {
      const double count = tokens * static_cast<double>(states.width);
      states.sums.push_back(count * (static_cast<double>(random() % 1000) / 1000 - 0.5));
      states.squares.push_back(count * (1 + static_cast<double>(random() % 1000) / 1000));
    }
  }
  return states;
}

Given any_given(const Recipe& recipe, std::mt19937_64& random) {
  constexpr std::size_t kImages = 3, kCaptions = 12;
  Given given{heads_numbers(kImages * recipe.clip_width, random),
              heads_numbers(kCaptions * recipe.clip_width, random),
              any_states(recipe, kCaptions, random),
              {}};
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 8);
  for (std::size_t k = 0; k < count; ++k) {
    given.samples.images.push_back(static_cast<std::uint32_t>(random() % kImages));
    given.samples.candidates.push_back(static_cast<std::uint32_t>(random() % kCaptions));
    for (std::size_t r = *rc::gen::inRange<std::size_t>(1, 7); r > 0; --r)
      given.samples.references.push_back(static_cast<std::uint32_t>(random() % kCaptions));
    given.samples.ends.push_back(given.samples.references.size());
  }
  return given;
}

// The vectors of rows of a table, one behind the other.
std::vector<float> gather(const std::vector<float>& table, std::size_t width,
                          const std::vector<std::uint32_t>& rows) {
  std::vector<float> result;
  for (const std::uint32_t row : rows) {
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(row * width);
    result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return result;
}

// Mixed vectors of captions, normed by the statistics of those captions whose slot is the same.
std::vector<float> mixed(const Recipe& recipe, const MemoryWeights& weights, const Given& given,
                         const std::vector<std::uint32_t>& rows, const std::vector<std::size_t>& slots) {
  const SentenceStates& states = given.states;
  if (recipe.sentence_layers == 1) return gather(states.first, states.width, rows);
  const encoder::ScalarMix mix(weights);
  std::vector<float> result(rows.size() * states.width);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::size_t> same;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      if (slots[other] == slots[k]) same.push_back(rows[other]);
    }
    const auto statistics = recipe.mix == method::deneb::MixStatistics::frozen
                                ? encoder::kept_statistics(weights, mix.layers())
                                : encoder::mix_statistics(states, same);
    mix.mix(states, rows[k], statistics, result.data() + k * states.width);
  }
  return result;
}

// The vectors that the heads are handed.
struct Handed {
  std::vector<float> images, captions, references, sentences, sentence_references;

  Handed(const Recipe& recipe, const MemoryWeights& weights, const Given& given) {
    const auto& samples = given.samples;
    if (recipe.image) images = gather(given.images, recipe.clip_width, samples.images);
    captions = gather(given.captions, recipe.clip_width, samples.candidates);
    references = gather(given.captions, recipe.clip_width, samples.references);
    if (recipe.sentence_width == 0) return;
    std::vector<std::size_t> slots;
    for (std::size_t k = 0; k < samples.size(); ++k) {
      for (std::size_t r = samples.begin(k); r < samples.ends[k]; ++r) slots.push_back(r - samples.begin(k));
    }
    sentences = mixed(recipe, weights, given, samples.candidates, std::vector<std::size_t>(samples.size()));
    sentence_references = mixed(recipe, weights, given, samples.references, slots);
  }

  HeadSamples samples(const std::vector<std::size_t>& ends) const {
    const auto at = [](const std::vector<float>& table) { return table.empty() ? nullptr : table.data(); };
    return {.clip = {at(captions), at(references), at(images)},
            .sentence = {at(sentences), at(sentence_references), nullptr},
            .ends = ends};
  }
};

std::vector<double> expected_scores(const Recipe& recipe, const MemoryWeights& weights, const Given& given) {
  std::vector<tensor::NetworkArray> arrays;
  for (const std::string& name : weights.names()) arrays.push_back({name, {}, weights.values(name)});
  std::vector<std::uint32_t> chosen(given.samples.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) chosen[k] = static_cast<std::uint32_t>(k);
  return reference::deneb_scores({recipe, arrays}, given.features(recipe), given.samples, chosen);
}

template <class Head>
void check(const Head& head, const Recipe& recipe, const MemoryWeights& weights, const Given& given) {
  const Handed handed(recipe, weights, given);
  const HeadSamples samples = handed.samples(given.samples.ends);
  const std::vector<double> expected = expected_scores(recipe, weights, given);
  std::vector<float> found(samples.size()), portable(samples.size());
  head.scores(tensor::kernels(), samples, found.data());
  for (std::size_t k = 0; k < found.size(); ++k)
    RC_ASSERT(std::fabs(static_cast<double>(found[k]) - expected[k]) <= 1e-5);
  head.scores(*tensor::all_kernels().front(), samples, portable.data());
  RC_ASSERT(found == portable);
}

encoder::SimVecShape shape_of(const Recipe& recipe) {
  return {.clip_width = recipe.clip_width,
          .sentence_width = recipe.sentence_width,
          .image = recipe.image,
          .width = recipe.width,
          .layers = recipe.layers,
          .heads = recipe.heads,
          .inner = recipe.feed_forward,
          .hidden = recipe.hidden,
          .raw = recipe.tokens == method::deneb::TokenKind::raw,
          .attention = recipe.joiner == method::deneb::Joiner::transformer,
          .prefix = {},
          .last_prefix = "ff."};
}

TEST(Heads, DenebIsWhatItsDefinitionSays) {
  EXPECT_TRUE(rc::check("DENEB", [] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Recipe recipe = any_recipe(Architecture::released);
    const MemoryWeights weights = any_weights(recipe, random);
    check(encoder::SimVecHead(weights, shape_of(recipe)), recipe, weights, any_given(recipe, random));
  }));
}

TEST(Heads, ThePapersDenebIsWhatItsDefinitionSays) {
  EXPECT_TRUE(rc::check("DENEB of the paper", [] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Recipe recipe = any_recipe(Architecture::paper);
    const MemoryWeights weights = any_weights(recipe, random);
    check(encoder::PaperHead(weights, shape_of(recipe)), recipe, weights, any_given(recipe, random));
  }));
}

TEST(Heads, PolosIsWhatItsDefinitionSays) {
  EXPECT_TRUE(rc::check("Polos", [] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Recipe recipe = any_recipe(Architecture::polos);
    const MemoryWeights weights = any_weights(recipe, random);
    const encoder::PolosHead head(weights, {.clip_width = recipe.clip_width,
                                            .sentence_width = recipe.sentence_width,
                                            .image = recipe.image,
                                            .hidden = recipe.hidden,
                                            .prefix = "ff."});
    check(head, recipe, weights, any_given(recipe, random));
  }));
}

}  // namespace
}  // namespace capella::test
