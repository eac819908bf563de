#include "torch/network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "capella/error.h"

#include "torch/draw.h"

namespace capella::plugin {
namespace {

using method::pregen::kEdge;
using method::pregen::kUnknown;

// A unit normal number; or, as TensorFlow's xavier_initializer draws it, one not beyond two deviations, whose
// deviation is then sqrt(2 / (rows + columns)).
double first_weight(const Recipe& recipe, std::int64_t rows, std::int64_t columns, std::uint64_t key,
                    std::uint64_t n) {
  if (!recipe.xavier) return normal(key, n);
  constexpr std::uint64_t kMostTries = 64;
  double drawn = 0;
  for (std::uint64_t attempt = 0; attempt < kMostTries; ++attempt) {
    drawn = normal(mixed(key, n), attempt);
    if (std::fabs(drawn) <= 2) break;
  }
  return drawn * std::sqrt(1.3 * 2 / static_cast<double>(rows + columns));
}

Tensor first_matrix(const Recipe& recipe, std::int64_t rows, std::int64_t columns, std::uint64_t key) {
  Tensor matrix = torch::empty({rows, columns}, torch::kFloat32);
  auto* values = matrix.data_ptr<float>();
  at::parallel_for(0, rows * columns, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double drawn = first_weight(recipe, rows, columns, key, static_cast<std::uint64_t>(i));
      values[i] = static_cast<float>(std::clamp(drawn, -recipe.clip, recipe.clip));
    }
  });
  return matrix;
}

// 0, or 1 / keep with the probability `keep`. Two 32-bit draws come from one mixed number.
Tensor dropout_mask(at::IntArrayRef shape, double dropout, std::uint64_t key, torch::Device device) {
  Tensor mask = torch::empty(shape, torch::kFloat32);
  auto* values = mask.data_ptr<float>();
  const std::int64_t count = mask.numel();
  const auto threshold = static_cast<std::uint64_t>(dropout * 0x1p32);
  const auto kept = static_cast<float>(1 / (1 - dropout));
  at::parallel_for(0, (count + 1) / 2, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t pair = begin; pair < end; ++pair) {
      const std::uint64_t bits = mixed(key, static_cast<std::uint64_t>(pair));
      values[2 * pair] = (bits & 0xFFFFFFFFu) >= threshold ? kept : 0.0f;
      if (2 * pair + 1 < count) values[2 * pair + 1] = (bits >> 32) >= threshold ? kept : 0.0f;
    }
  });
  return mask.to(device);
}

Tensor dropped(const Tensor& values, double dropout, std::uint64_t key) {
  if (dropout <= 0) return values;
  return values * dropout_mask(values.sizes(), dropout, key, values.device());
}

// The parts of the cell's weights that training multiplies at once.
struct Cell {
  std::int64_t size;
  Tensor state_gates;      // [size][2 size]
  Tensor state_candidate;  // [size][size]

  // `x`: what the input and the biases add to reset, update and candidate.
  Tensor step(const Tensor& x, const Tensor& h) const {
    const Tensor gates = torch::sigmoid(torch::addmm(x.narrow(1, 0, 2 * size), h, state_gates));
    const Tensor reset = gates.narrow(1, 0, size);
    const Tensor update = gates.narrow(1, size, size);
    const Tensor fresh = torch::tanh(torch::addmm(x.narrow(1, 2 * size, size), reset * h, state_candidate));
    return fresh + update * (h - fresh);
  }
};

// The states after each word, in order of steps.
Tensor states(const Network& n, const Batch& batch, const Tensor& image, std::uint64_t key) {
  const auto size = static_cast<std::int64_t>(n.recipe.size);
  const std::int64_t inputs = n.input_size();
  const Cell cell{size, n.gate_weight.narrow(0, inputs, size), n.candidate_weight.narrow(0, inputs, size)};
  const Tensor input_weight =
      torch::cat({n.gate_weight.narrow(0, 0, inputs), n.candidate_weight.narrow(0, 0, inputs)}, 1);
  const Tensor bias = torch::cat({n.gate_bias, n.candidate_bias});
  const Tensor ids = torch::tensor(batch.inputs, torch::kInt64).to(n.device);
  const Tensor words = dropped(torch::embedding(n.embedding, ids), n.recipe.embedding_dropout, mixed(key, 1));
  const Tensor from_words = torch::addmm(bias, words, input_weight.narrow(0, inputs - size, size));
  const Architecture architecture = n.recipe.architecture;
  Tensor state = image, from_image;
  if (architecture == Architecture::par || architecture == Architecture::merge)
    state = n.first_state.expand({image.size(0), size});
  if (architecture == Architecture::pre)
    state = cell.step(torch::addmm(bias, image, input_weight), torch::zeros_like(image));
  if (architecture == Architecture::par) from_image = image.mm(input_weight.narrow(0, 0, size));
  std::vector<Tensor> after;
  std::int64_t at = 0;
  for (const std::int64_t rows : batch.rows) {
    Tensor x = from_words.narrow(0, at, rows);
    if (from_image.defined()) x = x + from_image.narrow(0, 0, rows);
    state = cell.step(x, state.narrow(0, 0, rows));
    after.push_back(state);
    at += rows;
  }
  return torch::cat(after);
}

Tensor penalty(const Network& network) {
  Tensor sum = torch::zeros({}, torch::TensorOptions(network.device));
  for (const NamedTensor& array : network.arrays()) {
    // By rows, because a sum of everything at once depends on the number of threads.
    if (array.value.dim() == 2) sum = sum + array.value.square().sum(1).sum();
  }
  return sum * (network.recipe.l2 / 2);
}

}  // namespace

std::int64_t Network::input_size() const {
  return static_cast<std::int64_t>(recipe.size) * (recipe.architecture == Architecture::par ? 2 : 1);
}

std::vector<NamedTensor> Network::arrays() const {
  std::vector<NamedTensor> all = {{"nn/image/W", image_weight},
                                  {"nn/image/b", image_bias},
                                  {"nn/prefix/embedding/embedding_matrix", embedding}};
  if (first_state.defined()) all.push_back({"nn/prefix/rnn/init_h", first_state});
  const std::string cell = "nn/prefix/rnn/gru_cell/";
  all.insert(all.end(), {{cell + "gates/kernel", gate_weight},
                         {cell + "gates/bias", gate_bias},
                         {cell + "candidate/kernel", candidate_weight},
                         {cell + "candidate/bias", candidate_bias},
                         {"nn/out/W", out_weight},
                         {"nn/out/b", out_bias}});
  return all;
}

void check(const Recipe& recipe) {
  const auto refuse = [](const std::string& what) { throw UsageError("caption generator: " + what); };
  if (recipe.vocabulary < 3)
    refuse("its vocabulary has " + std::to_string(recipe.vocabulary) +
           " entries; it needs the edge, the unknown word and at least one word");
  if (recipe.image == 0) refuse("images have no features; give at least one number per image");
  if (recipe.size == 0) refuse("its size is 0; give a positive one");
  if (recipe.batch == 0) refuse("a batch has 0 captions; give a positive number");
  if (!(recipe.clip > 0)) refuse("weights are clipped at " + std::to_string(recipe.clip) + ", not above 0");
  for (const double dropout : {recipe.image_dropout, recipe.embedding_dropout, recipe.state_dropout}) {
    if (!(dropout >= 0 && dropout < 1))
      refuse("a dropout of " + std::to_string(dropout) + " is not from 0 up to (but below) 1");
  }
}

Network make_network(const Recipe& recipe, torch::Device device, std::uint64_t seed) {
  check(recipe);
  Network n;
  n.recipe = recipe;
  n.device = device;
  const auto size = static_cast<std::int64_t>(recipe.size);
  const auto vocabulary = static_cast<std::int64_t>(recipe.vocabulary);
  const bool learned = recipe.architecture == Architecture::par || recipe.architecture == Architecture::merge;
  const std::int64_t shown = recipe.architecture == Architecture::merge ? 2 * size : size;
  std::uint64_t matrices = 0;
  const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
    return first_matrix(recipe, rows, columns, mixed(seed, matrices++)).to(device).requires_grad_();
  };
  const auto vector = [&](std::int64_t width, float value) {
    return torch::full({width}, value, torch::TensorOptions(device).dtype(torch::kFloat32)).requires_grad_();
  };
  n.image_weight = matrix(static_cast<std::int64_t>(recipe.image), size);
  n.image_bias = vector(size, 0);
  n.embedding = matrix(vocabulary, size);
  if (learned) n.first_state = matrix(1, size);
  n.gate_weight = matrix(n.input_size() + size, 2 * size);
  n.gate_bias = vector(2 * size, 1);
  n.candidate_weight = matrix(n.input_size() + size, size);
  n.candidate_bias = vector(size, 0);
  n.out_weight = matrix(shown, vocabulary);
  n.out_bias = vector(vocabulary, 0);
  return n;
}

std::vector<std::uint32_t> images_of_captions(const CaptionData& data) {
  std::vector<std::uint32_t> images(data.caption_count());
  for (std::size_t image = 0; image < data.image_count(); ++image) {
    for (std::size_t k = data.captions[image]; k < data.captions[image + 1]; ++k)
      images[k] = static_cast<std::uint32_t>(image);
  }
  return images;
}

Tensor scaled_features(const CaptionData& data, std::span<const std::uint32_t> images) {
  const auto width = static_cast<std::int64_t>(data.width);
  Tensor features = torch::empty({static_cast<std::int64_t>(images.size()), width}, torch::kFloat32);
  auto* out = features.data_ptr<float>();
  at::parallel_for(0, features.size(0), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const float> feature = data.feature(images[static_cast<std::size_t>(i)]);
      double squares = 0;
      for (const float x : feature) squares += static_cast<double>(x) * x;
      const double factor = squares > 0 ? 1 / std::sqrt(squares) : 0;
      std::transform(feature.begin(), feature.end(), out + i * width,
                     [factor](float x) { return static_cast<float>(x * factor); });
    }
  });
  return features;
}

Batch make_batch(const CaptionData& data, std::span<const std::uint32_t> captions,
                 std::span<const std::uint32_t> image_of, std::size_t vocabulary, bool images) {
  std::vector<std::uint32_t> sorted(captions.begin(), captions.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return data.caption(a).size() > data.caption(b).size();
  });
  Batch batch;
  if (images) {
    std::vector<std::uint32_t> shown;
    for (const std::uint32_t k : sorted) shown.push_back(image_of[k]);
    batch.images = scaled_features(data, shown);
  }
  const auto word = [&](std::int32_t id) -> std::int64_t {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary ? id : kUnknown;
  };
  std::size_t going_on = sorted.size();
  for (std::size_t step = 0;; ++step) {
    while (going_on > 0 && data.caption(sorted[going_on - 1]).size() < step) --going_on;
    if (going_on == 0) break;
    for (std::size_t row = 0; row < going_on; ++row) {
      const std::span<const std::int32_t> words = data.caption(sorted[row]);
      batch.captions.push_back(static_cast<std::int64_t>(row));
      batch.inputs.push_back(step == 0 ? kEdge : word(words[step - 1]));
      batch.targets.push_back(step == words.size() ? kEdge : word(words[step]));
    }
    batch.rows.push_back(static_cast<std::int64_t>(going_on));
  }
  return batch;
}

Tensor loss(const Network& network, const Batch& batch, std::size_t longest, std::uint64_t key) {
  const Recipe& recipe = network.recipe;
  const Tensor features = dropped(batch.images.to(network.device), recipe.image_dropout, mixed(key, 0));
  const Tensor image = torch::addmm(network.image_bias, features, network.image_weight);
  Tensor shown = dropped(states(network, batch, image, key), recipe.state_dropout, mixed(key, 2));
  if (recipe.architecture == Architecture::merge) {
    const Tensor captions = torch::tensor(batch.captions, torch::kInt64).to(network.device);
    shown = torch::cat({image.index_select(0, captions), shown}, 1);
  }
  const Tensor logits = torch::addmm(network.out_bias, shown, network.out_weight);
  const Tensor targets = torch::tensor(batch.targets, torch::kInt64).to(network.device);
  const Tensor entropy = torch::cross_entropy_loss(logits, targets, {}, at::Reduction::Sum);
  const double words = static_cast<double>(batch.images.size(0)) * static_cast<double>(longest);
  const Tensor mean = entropy / words;
  return recipe.l2 > 0 ? mean + penalty(network) : mean;
}

}  // namespace capella::plugin
