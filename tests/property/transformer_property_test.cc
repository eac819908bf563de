// Transformer layers of random shape against a slow twin; and the same bits in every version, alone or among
// others, wholly or only where they are read.
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "encoder/transformer.h"
#include "reference/transformer_reference.h"
#include "support/memory_weights.h"

namespace capella::test {
namespace {

using encoder::LayerNames;
using encoder::NormPlace;
using encoder::Precision;
using encoder::Transformer;
using encoder::TransformerShape;
using reference::LinearMap;
using reference::Matrix;
using tensor::After;
using tensor::AlignedVector;

LayerNames layer_names(std::size_t number, bool fused) {
  const std::string layer = std::to_string(number) + ".";
  LayerNames names{.query = layer + "q",
                   .key = layer + "k",
                   .value = layer + "v",
                   .in_projection = {},
                   .out = layer + "out",
                   .first_norm = layer + "n1",
                   .up = layer + "up",
                   .down = layer + "down",
                   .second_norm = layer + "n2"};
  if (fused) names.in_projection = layer + "in_proj";
  return names;
}

LinearMap linear_of(const MemoryWeights& weights, const std::string& name) {
  LinearMap map;
  const std::vector<float>&bias = weights.values(name + ".bias"), &all = weights.values(name + ".weight");
  map.bias.assign(bias.begin(), bias.end());
  const std::size_t inputs = all.size() / bias.size();
  for (auto row = all.begin(); row != all.end(); row += static_cast<std::ptrdiff_t>(inputs))
    map.weight.emplace_back(row, row + static_cast<std::ptrdiff_t>(inputs));
  return map;
}

reference::NormMap norm_of(const MemoryWeights& weights, const std::string& name, float epsilon) {
  const std::vector<float>&weight = weights.values(name + ".weight"), &bias = weights.values(name + ".bias");
  return {{weight.begin(), weight.end()}, {bias.begin(), bias.end()}, static_cast<double>(epsilon)};
}

// Makes all maps of a layer such with weights of 8 bits.
void make_eight_bit(reference::TransformerLayer& layer) {
  for (LinearMap* map : {&layer.query, &layer.key, &layer.value, &layer.out, &layer.up, &layer.down})
    *map = reference::eight_bit(*map);
}

// Whether no input of the layer came near to where rounding decides; those of the first maps are known
// exactly.
bool is_clear(const reference::TransformerLayer& layer) {
  const double nearest = std::min({*layer.out.nearest_tie, *layer.up.nearest_tie, *layer.down.nearest_tie});
  return *layer.query.nearest_tie > 1e-9 && nearest > 5e-4;
}

// A transformer with random weights, and its twin.
struct Twins {
  TransformerShape shape;
  Transformer fast;
  std::vector<reference::TransformerLayer> slow;
  reference::TransformerRules rules;

  Matrix run_slow(Matrix rows) const {
    for (const auto& layer : slow) rows = reference::transformer_layer(rows, layer, rules);
    return rows;
  }
};

void fill_layer(MemoryWeights& weights, const LayerNames& names, const TransformerShape& shape,
                std::mt19937_64& random) {
  for (const std::string& name : {names.query, names.key, names.value, names.out})
    weights.fill_linear(name, shape.width, shape.width, random);
  weights.fill_linear(names.up, shape.inner, shape.width, random);
  weights.fill_linear(names.down, shape.width, shape.inner, random);
  weights.fill_norm(names.first_norm, shape.width, random);
  weights.fill_norm(names.second_norm, shape.width, random);
  std::vector<float> weight, bias;
  for (const std::string& name : {names.query, names.key, names.value}) {
    const std::vector<float>&w = weights.values(name + ".weight"), &b = weights.values(name + ".bias");
    weight.insert(weight.end(), w.begin(), w.end());
    bias.insert(bias.end(), b.begin(), b.end());
  }
  if (names.in_projection.empty()) return;
  weights.set(names.in_projection + "_weight", {3 * shape.width, shape.width}, weight);
  weights.set(names.in_projection + "_bias", {3 * shape.width}, bias);
}

TransformerShape any_shape(Precision precision) {
  TransformerShape shape;
  shape.precision = precision;
  shape.width = precision == Precision::kInt8 ? 32 * *rc::gen::inRange<std::size_t>(1, 3)
                                              : 16 * *rc::gen::inRange<std::size_t>(1, 5);
  shape.heads = *rc::gen::suchThat(rc::gen::inRange<std::size_t>(1, 17),
                                   [&](std::size_t heads) { return shape.width % heads == 0; });
  shape.inner = *rc::gen::inRange<std::size_t>(1, 90);
  shape.norm = *rc::gen::element(NormPlace::kBefore, NormPlace::kAfter);
  shape.activation = *rc::gen::element(After::kGelu, After::kQuickGelu, After::kRelu);
  shape.epsilon = *rc::gen::element(1e-5f, 1e-12f);
  shape.causal = *rc::gen::arbitrary<bool>();
  return shape;
}

Twins twins(std::mt19937_64& random, const TransformerShape& shape, std::size_t layers) {
  Twins result{shape, {}, {}, {}};
  const bool fused = *rc::gen::arbitrary<bool>();
  std::vector<LayerNames> names;
  MemoryWeights weights;
  for (std::size_t number = 0; number < layers; ++number) {
    names.push_back(layer_names(number, fused));
    const LayerNames& n = names.back();
    fill_layer(weights, n, shape, random);
    result.slow.push_back({linear_of(weights, n.query), linear_of(weights, n.key),
                           linear_of(weights, n.value), linear_of(weights, n.out),
                           norm_of(weights, n.first_norm, shape.epsilon), linear_of(weights, n.up),
                           linear_of(weights, n.down), norm_of(weights, n.second_norm, shape.epsilon)});
    if (shape.precision == Precision::kInt8) make_eight_bit(result.slow.back());
  }
  result.fast = Transformer(weights, shape, names);
  result.rules = {shape.heads, shape.norm == NormPlace::kBefore, shape.causal,
                  [activation = shape.activation](double x) {
                    if (activation == After::kRelu) return std::max(x, 0.0);
                    return activation == After::kGelu ? reference::gelu(x) : reference::quick_gelu(x);
                  }};
  return result;
}

Twins twins(std::mt19937_64& random, Precision precision) {
  const TransformerShape shape = any_shape(precision);
  return twins(random, shape, *rc::gen::inRange<std::size_t>(1, 4));
}

struct Sequences {
  std::vector<std::size_t> ends;
  AlignedVector<float> rows;

  std::size_t begin(std::size_t k) const { return k == 0 ? 0 : ends[k - 1]; }
};

Sequences sequences(std::size_t width, std::size_t count, std::size_t most, std::mt19937_64& random) {
  Sequences result;
  std::size_t tokens = 0;
  for (std::size_t k = 0; k < count; ++k)
    result.ends.push_back(tokens += *rc::gen::inRange<std::size_t>(1, most + 1));
  result.rows.resize(tokens * width);
  for (float& x : result.rows) x = static_cast<float>(random() % 4'000'001) / 1'000'000.0f - 2.0f;
  return result;
}

Sequences sequences(std::size_t width, std::mt19937_64& random) {
  const std::size_t count = *rc::gen::element<std::size_t>(1, 2, 3, 5, 8, 30);  // 30: more than a group
  return sequences(width, count, 23, random);
}

bool transformer_same_bits(const float* a, const float* b, std::size_t size) {
  return std::equal(a, a + size, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

AlignedVector<float> run(const Transformer& model, const tensor::Kernels& kernels, const Sequences& of) {
  AlignedVector<float> rows = of.rows;
  encoder::Workspace work;
  model.run(kernels, of.ends, model.layers(), rows.data(), nullptr, work);
  return rows;
}

// Whether the result is that of the twin.
void expect_near(const Twins& both, const Sequences& given) {
  const std::size_t width = both.shape.width;
  const AlignedVector<float> found = run(both.fast, tensor::kernels(), given);
  for (std::size_t k = 0; k < given.ends.size(); ++k) {
    Matrix rows;
    for (std::size_t t = given.begin(k); t < given.ends[k]; ++t)
      rows.emplace_back(given.rows.data() + t * width, given.rows.data() + (t + 1) * width);
    const Matrix expected = both.run_slow(rows);
    if (both.shape.precision == Precision::kInt8) RC_PRE(is_clear(both.slow.front()));
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (std::size_t i = 0; i < width; ++i) {
        const double value = static_cast<double>(found[(given.begin(k) + t) * width + i]);
        RC_ASSERT(std::fabs(value - expected[t][i]) <= 2e-5 * (1 + std::fabs(expected[t][i])));
      }
    }
  }
}

TEST(Transformer, IsWhatItsDefinitionSays) {
  EXPECT_TRUE(rc::check("transformer", [] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Twins both = twins(random, Precision::kFloat);
    expect_near(both, sequences(both.shape.width, random));
  }));
}

// One layer and few tokens, of which none is rounded one way here and the other way there.
TEST(Transformer, IsWhatItsDefinitionSaysWithEightBits) {
  EXPECT_TRUE(rc::check("transformer of 8 bits", [] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    TransformerShape shape = any_shape(Precision::kInt8);
    shape.norm = NormPlace::kAfter;  // else the first norm's rounding comes before the first integers
    const Twins both = twins(random, shape, 1);
    expect_near(both, sequences(shape.width, 1, 3, random));
  }));
}

TEST(Transformer, SameBitsInEveryVersionAloneAndWhereItIsRead) {
  EXPECT_TRUE(rc::check("same bits", [] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Twins both = twins(random, *rc::gen::element(Precision::kFloat, Precision::kInt8));
    const std::size_t width = both.shape.width;
    const Sequences given = sequences(width, random);
    const AlignedVector<float> all = run(both.fast, *tensor::all_kernels().front(), given);
    for (const tensor::Kernels* kernels : tensor::all_kernels())
      RC_ASSERT(transformer_same_bits(run(both.fast, *kernels, given).data(), all.data(), all.size()));

    const std::size_t k = *rc::gen::inRange<std::size_t>(0, given.ends.size());
    const std::size_t begin = given.begin(k), length = given.ends[k] - begin;
    const Sequences one = {{length},
                           {given.rows.begin() + static_cast<std::ptrdiff_t>(begin * width),
                            given.rows.begin() + static_cast<std::ptrdiff_t>((begin + length) * width)}};
    RC_ASSERT(transformer_same_bits(run(both.fast, tensor::kernels(), one).data(), all.data() + begin * width,
                                    length * width));

    std::vector<std::size_t> read;
    for (std::size_t s = 0; s < given.ends.size(); ++s)
      read.push_back(*rc::gen::inRange<std::size_t>(given.begin(s), given.ends[s]));
    AlignedVector<float> rows = given.rows, out(read.size() * width);
    encoder::Workspace work;
    both.fast.run_and_read(tensor::kernels(), given.ends, read, rows.data(), out.data(), work);
    for (std::size_t s = 0; s < read.size(); ++s)
      RC_ASSERT(transformer_same_bits(out.data() + s * width, all.data() + read[s] * width, width));
  }));
}

}  // namespace
}  // namespace capella::test
