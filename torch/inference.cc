#include "torch/inference.h"

#include <algorithm>
#include <numeric>

#include "capella/error.h"

#include "tensor/kernels.h"

namespace capella::plugin {
namespace {

constexpr float kNever = -3.0e38f;
constexpr std::int64_t kImagesAtOnce = 4096;

std::int64_t whole_vectors(std::int64_t size) {
  constexpr auto kLanes = static_cast<std::int64_t>(tensor::kLanes);
  return (size + kLanes - 1) / kLanes * kLanes;
}

// Zeros behind the rows and columns.
Tensor padded(const Tensor& matrix, std::int64_t rows, std::int64_t columns) {
  Tensor out = torch::zeros({rows, columns}, matrix.options().requires_grad(false));
  out.narrow(0, 0, matrix.size(0)).narrow(1, 0, matrix.size(1)).copy_(matrix);
  return out;
}

// Matrices (or vectors as one row) side by side, each rounded up on its own.
Tensor side_by_side(const std::vector<Tensor>& parts, std::int64_t rows, std::int64_t size) {
  std::vector<Tensor> wide;
  for (const Tensor& part : parts) wide.push_back(padded(part, rows, size));
  return torch::cat(wide, 1).contiguous();
}

// A vector's numbers in a place of its own, filled up.
Tensor padded_vector(const Tensor& vector, std::int64_t size, float filler) {
  Tensor out = torch::full({size}, filler, vector.options().requires_grad(false));
  out.narrow(0, 0, vector.size(0)).copy_(vector);
  return out;
}

void expect_numbers(const Network& network) {
  for (const NamedTensor& array : network.arrays()) {
    if (!torch::isfinite(array.value).all().item<bool>())
      throw DataError("the network's weights give no probabilities; train it again");
  }
}

}  // namespace

ImageParts ImageParts::select(const std::vector<std::int64_t>& rows) const {
  const Tensor index =
      torch::tensor(rows, torch::kInt64).to(projected.defined() ? projected.device() : inputs.device());
  const auto chosen = [&](const Tensor& part) {
    return part.defined() ? part.index_select(0, index) : Tensor();
  };
  return {chosen(projected), chosen(inputs)};
}

Inference::Inference(const Network& n)
    : architecture_(n.recipe.architecture),
      device_(n.device),
      vocabulary_(static_cast<std::int64_t>(n.recipe.vocabulary)),
      image_width_(n.image_weight.size(0)),
      size_(whole_vectors(static_cast<std::int64_t>(n.recipe.size))) {
  const torch::NoGradGuard no_gradients;
  expect_numbers(n);
  const auto size = static_cast<std::int64_t>(n.recipe.size);
  const std::int64_t inputs = n.input_size();
  // Rows `from` ... of the cell's weights, for reset, update and candidate.
  const auto cell_rows = [&](std::int64_t from) {
    const Tensor gates = n.gate_weight.narrow(0, from, size);
    return side_by_side(
        {gates.narrow(1, 0, size), gates.narrow(1, size, size), n.candidate_weight.narrow(0, from, size)},
        size_, size_);
  };
  image_ = LinearMap(padded(n.image_weight, whole_vectors(image_width_), size_),
                     padded_vector(n.image_bias, size_, 0));
  const Tensor gate_bias = n.gate_bias.view({2, size});
  const Tensor input_bias =
      torch::cat({padded_vector(gate_bias[0], size_, 0), padded_vector(gate_bias[1], size_, 0),
                  padded_vector(n.candidate_bias, size_, 0)});
  // Where words are the only input, an image takes their place; par's biases come with the words.
  image_inputs_ =
      architecture_ == Architecture::par ? LinearMap(cell_rows(0)) : LinearMap(cell_rows(0), input_bias);
  word_inputs_ = LinearMap(cell_rows(inputs - size), input_bias)(padded(n.embedding, vocabulary_, size_));
  const Tensor state_rows = cell_rows(inputs);
  state_gates_ = LinearMap(state_rows.narrow(1, 0, 2 * size_));
  state_candidate_ = LinearMap(state_rows.narrow(1, 2 * size_, size_));
  first_state_ = n.first_state.defined() ? padded_vector(n.first_state.view({size}), size_, 0)
                                         : torch::zeros({size_}, word_inputs_.options());
  const std::int64_t columns = whole_vectors(vocabulary_);
  std::vector<Tensor> shown;
  for (std::int64_t from = 0; from < n.out_weight.size(0); from += size)
    shown.push_back(padded(n.out_weight.narrow(0, from, size), size_, columns));
  out_ = LinearMap(torch::cat(shown));
  out_bias_ = padded_vector(n.out_bias, columns, kNever);
}

double Inference::word_operations(const Recipe& recipe) {
  const auto size = static_cast<double>(recipe.size);
  return 6 * static_cast<double>(recipe.vocabulary) * size * size;
}

ImageParts Inference::images(const CaptionData& data) const {
  if (data.image_count() > 0 && static_cast<std::int64_t>(data.width) != image_width_)
    throw DataError("images have features of " + std::to_string(data.width) +
                    " numbers; this network reads " + std::to_string(image_width_) +
                    ": give the features that it was trained with");
  const auto count = static_cast<std::int64_t>(data.image_count());
  const bool has_inputs = architecture_ == Architecture::pre || architecture_ == Architecture::par;
  ImageParts parts{torch::empty({count, size_}, word_inputs_.options()), {}};
  if (has_inputs) parts.inputs = torch::empty({count, 3 * size_}, word_inputs_.options());
  std::vector<std::uint32_t> all(data.image_count());
  std::iota(all.begin(), all.end(), 0u);
  for (std::int64_t begin = 0; begin < count; begin += kImagesAtOnce) {
    const std::int64_t some = std::min(kImagesAtOnce, count - begin);
    const Tensor features = scaled_features(
        data, std::span(all).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(some)));
    const Tensor projected = parts.projected.narrow(0, begin, some);
    const Tensor whole = image_width_ == image_.inputs() ? features : padded(features, some, image_.inputs());
    image_.apply(whole.to(device_), projected);
    if (has_inputs) image_inputs_.apply(projected, parts.inputs.narrow(0, begin, some));
  }
  return parts;
}

ImageParts Inference::step_parts(const ImageParts& images, const std::vector<std::int64_t>& rows) const {
  if (architecture_ == Architecture::par) return ImageParts{{}, images.inputs}.select(rows);
  if (architecture_ == Architecture::merge) return ImageParts{images.projected, {}}.select(rows);
  return {};
}

Tensor Inference::first_states(const ImageParts& images) const {
  if (architecture_ == Architecture::init) return images.projected;
  const Tensor first = first_state_.expand({images.projected.size(0), size_}).contiguous();
  return architecture_ == Architecture::pre ? step(images.inputs, first) : first;
}

Tensor Inference::next_states(const Tensor& words, const ImageParts& images, const Tensor& states) const {
  Tensor inputs = word_inputs_.index_select(0, words);
  if (architecture_ == Architecture::par) inputs.add_(images.inputs);
  return step(inputs, states);
}

Tensor Inference::step(const Tensor& inputs, const Tensor& states) const {
  return device_.is_cpu() ? step_on_cpu(inputs, states) : step_with_torch(inputs, states);
}

Tensor Inference::step_with_torch(const Tensor& inputs, const Tensor& states) const {
  Tensor gates = state_gates_(states).add_(inputs.narrow(1, 0, 2 * size_)).sigmoid_();
  const Tensor update = gates.narrow(1, size_, size_);
  Tensor fresh = state_candidate_(gates.narrow(1, 0, size_) * states);
  fresh.add_(inputs.narrow(1, 2 * size_, size_)).tanh_();
  return fresh.add_(update * (states - fresh));
}

// Torch's own sigmoid and tanh work on single numbers where it was built for every processor, as Debian's is.
Tensor Inference::step_on_cpu(const Tensor& inputs, const Tensor& states) const {
  const tensor::Kernels& kernels = tensor::kernels();
  const auto size = static_cast<std::size_t>(size_);
  const std::int64_t rows = states.size(0);
  const Tensor gates = state_gates_(states);
  const Tensor kept = torch::empty_like(states);
  const Tensor update = torch::empty_like(states);
  const auto row = [](const Tensor& matrix, std::int64_t r) {
    return matrix.data_ptr<float>() + r * matrix.size(1);
  };
  for (std::int64_t r = 0; r < rows; ++r)
    kernels.gru_reset(row(gates, r), row(inputs, r), row(states, r), size, row(kept, r), row(update, r));
  const Tensor fresh = state_candidate_(kept);
  for (std::int64_t r = 0; r < rows; ++r)
    kernels.gru_update(row(fresh, r), row(inputs, r) + 2 * size, row(update, r), row(states, r), size,
                       row(fresh, r));
  return fresh;
}

void Inference::multiply_out(const Tensor& shown, const Tensor& logits) const {
  out_.apply(shown, logits);
}

}  // namespace capella::plugin
