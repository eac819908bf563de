#include "reference/generator_reference.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace capella::reference {
namespace {

using method::pregen::Architecture;
using method::pregen::BeamOptions;
using method::pregen::CaptionData;
using method::pregen::GeneratedCaption;
using method::pregen::kEdge;
using method::pregen::kUnknown;

// inputs times the matrix `name`, plus the vector `bias`.
Vector affine(const GeneratorNetwork& network, const Vector& inputs, const std::string& name,
              const std::string& bias) {
  Vector out = network.arrays.at(bias);
  const Vector& weights = network.arrays.at(name);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t o = 0; o < out.size(); ++o) out[o] += inputs[i] * weights.at(i * out.size() + o);
  }
  return out;
}

Vector joined(Vector left, const Vector& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Vector projected_image(const GeneratorNetwork& network, std::span<const float> feature) {
  double squares = 0;
  for (const double x : feature) squares += x * x;
  Vector scaled;
  for (const double x : feature) scaled.push_back(x / std::sqrt(squares));
  return affine(network, scaled, "nn/image/W", "nn/image/b");
}

Vector embedded(const GeneratorNetwork& network, std::int32_t word) {
  const auto known = word >= 0 && static_cast<std::size_t>(word) < network.vocabulary ? word : kUnknown;
  const Vector& matrix = network.arrays.at("nn/prefix/embedding/embedding_matrix");
  const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(network.size) * known;
  return {begin, begin + static_cast<std::ptrdiff_t>(network.size)};
}

Vector first_state(const GeneratorNetwork& network, const Vector& image) {
  if (network.architecture == Architecture::init) return image;
  if (network.architecture == Architecture::pre) return gru_step(network, image, Vector(network.size, 0.0));
  return network.arrays.at("nn/prefix/rnn/init_h");
}

using Prefix = std::tuple<double, bool, std::vector<std::int32_t>>;  // compares as the authors' tuples do

void add_continuations(const GeneratorNetwork& network, std::span<const float> image,
                       const BeamOptions& options, const Prefix& prefix, std::vector<Prefix>& to) {
  const auto& [logarithm, complete, words] = prefix;
  const Vector probabilities = natural_softmax(generator_logits(network, image, words).back());
  for (std::size_t id = 0; id < probabilities.size(); ++id) {
    const double longer = logarithm + std::log2(probabilities[id]);
    if (id == kUnknown) continue;
    if (id == kEdge) {
      if (words.size() >= options.least_words) to.emplace_back(longer, true, words);
      continue;
    }
    std::vector<std::int32_t> more = words;
    more.push_back(static_cast<std::int32_t>(id));
    to.emplace_back(longer, more.size() == options.most_words, more);
  }
}

}  // namespace

GeneratorNetwork::GeneratorNetwork(const method::pregen::Recipe& recipe,
                                   std::span<const method::pregen::NetworkArray> given)
    : architecture(recipe.architecture), size(recipe.size), vocabulary(recipe.vocabulary) {
  for (const method::pregen::NetworkArray& array : given)
    arrays[array.name] = Vector(array.values.begin(), array.values.end());
}

Vector gru_step(const GeneratorNetwork& network, const Vector& input, const Vector& state) {
  const std::string cell = "nn/prefix/rnn/gru_cell/";
  const std::size_t size = state.size();
  Vector gates = affine(network, joined(input, state), cell + "gates/kernel", cell + "gates/bias");
  for (double& gate : gates) gate = 1 / (1 + std::exp(-gate));
  Vector kept;
  for (std::size_t i = 0; i < size; ++i) kept.push_back(gates[i] * state[i]);
  const Vector candidate =
      affine(network, joined(input, kept), cell + "candidate/kernel", cell + "candidate/bias");
  Vector next;
  for (std::size_t i = 0; i < size; ++i) {
    const double update = gates[size + i];
    next.push_back(update * state[i] + (1 - update) * std::tanh(candidate[i]));
  }
  return next;
}

std::vector<Vector> generator_logits(const GeneratorNetwork& network, std::span<const float> image,
                                     std::span<const std::int32_t> words) {
  const Vector projected = projected_image(network, image);
  Vector state = first_state(network, projected);
  std::vector<Vector> logits;
  for (std::size_t step = 0; step <= words.size(); ++step) {
    Vector input = embedded(network, step == 0 ? kEdge : words[step - 1]);
    if (network.architecture == Architecture::par) input = joined(projected, input);
    state = gru_step(network, input, state);
    const Vector shown = network.architecture == Architecture::merge ? joined(projected, state) : state;
    logits.push_back(affine(network, shown, "nn/out/W", "nn/out/b"));
  }
  return logits;
}

Vector natural_softmax(const Vector& logits) {
  const double most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const double x : logits) sum += std::exp(x - most);
  Vector out;
  for (const double x : logits) out.push_back(std::exp(x - most) / sum);
  return out;
}

double generator_loss(const GeneratorNetwork& network, const CaptionData& data,
                      std::span<const std::uint32_t> captions, std::size_t longest, double l2) {
  double entropy = 0;
  for (const std::uint32_t k : captions) {
    std::size_t image = 0;
    while (data.captions[image + 1] <= k) ++image;
    const std::span<const std::int32_t> words = data.caption(k);
    const std::vector<Vector> logits = generator_logits(network, data.feature(image), words);
    for (std::size_t step = 0; step <= words.size(); ++step) {
      const auto target = static_cast<std::size_t>(step == words.size() ? kEdge : words[step]);
      entropy -= std::log(natural_softmax(logits[step]).at(target));
    }
  }
  double squares = 0;
  for (const auto& [name, values] : network.arrays) {
    const bool is_matrix = name.ends_with("/W") || name.ends_with("/kernel") ||
                           name.ends_with("/embedding_matrix") || name.ends_with("/init_h");
    if (!is_matrix) continue;
    for (const double x : values) squares += x * x;
  }
  return entropy / static_cast<double>(captions.size() * longest) + l2 * squares / 2;
}

GeneratedCaption beam_search(const GeneratorNetwork& network, std::span<const float> image,
                             const BeamOptions& options) {
  std::vector<Prefix> beam = {{0.0, false, {}}};
  for (;;) {
    std::vector<Prefix> next;
    for (const Prefix& prefix : beam) {
      if (std::get<1>(prefix)) {
        next.push_back(prefix);
      } else {
        add_continuations(network, image, options, prefix, next);
      }
    }
    std::sort(next.begin(), next.end(), std::greater<>());
    next.resize(std::min(next.size(), options.width));
    beam = next;
    const auto& [logarithm, complete, words] = beam.front();
    if (complete) return {words, logarithm};
  }
}

}  // namespace capella::reference
