#include "method/composite/gradient.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "tensor/kernels.h"

namespace capella::method::composite {

using tensor::kernels;
using tensor::kLanes;
using tensor::reserve;
using tensor::round_up;

BatchGradient::BatchGradient(const Examples& examples, ThreadPool& pool)
    : inputs_(examples.inputs),
      values_(examples.values.begin(), examples.values.end()),
      targets_(examples.targets.begin(), examples.targets.end()),
      pool_(pool),
      spaces_(pool.threads()) {}

Network BatchGradient::of(const Network& network, std::span<const std::uint32_t> rows, double l2) {
  assert(!rows.empty() && network.inputs() == inputs_);
  pad(network);
  const std::size_t blocks = (rows.size() + kBlockRows - 1) / kBlockRows;
  reserve(sums_, blocks * block_size());
  const std::size_t lanes = std::min(spaces_.size(), blocks);
  pool_.parallel_for(lanes, [&](std::size_t lane) {
    for (std::size_t block = lane; block < blocks; block += lanes) {
      const std::size_t first = block * kBlockRows;
      work_on_block(rows.subspan(first, std::min(kBlockRows, rows.size() - first)), spaces_[lane],
                    sums_.data() + block * block_size());
    }
  });
  return join(network, blocks, rows.size(), l2);
}

void BatchGradient::pad(const Network& network) {
  layers_.resize(network.layers.size());
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& from = network.layers[l];
    Padded& to = layers_[l];
    to.inputs = from.inputs;
    to.outputs = from.outputs;
    to.stride = round_up(from.outputs, kLanes);
    to.input_stride = round_up(from.inputs, kLanes);
    to.by_input.assign(to.size(), 0.0f);
    to.by_output.assign(l == 0 ? 0 : to.outputs * to.input_stride, 0.0f);
    for (std::size_t o = 0; o < to.outputs; ++o) {
      const float* weights = from.weights.data() + o * to.inputs;
      for (std::size_t k = 0; k < to.inputs; ++k) to.by_input[k * to.stride + o] = weights[k];
      to.by_input[to.inputs * to.stride + o] = from.biases[o];
      if (l > 0) std::copy_n(weights, to.inputs, to.by_output.data() + o * to.input_stride);
    }
  }
}

void BatchGradient::work_on_block(std::span<const std::uint32_t> rows, Workspace& space, float* sums) const {
  forward(rows, space);
  start_slopes(rows, space);
  float* end = sums + block_size();
  for (std::size_t l = layers_.size(); l-- > 0;) {
    end -= layers_[l].size();
    sum_layer(layers_[l], space.values[l].data(), rows.size(), space.slopes.data(), end);
    if (l > 0) pass_back(layers_[l], space.values[l].data(), rows.size(), space);
  }
}

// The numbers between the layers, those of the examples first; ReLU after all layers but the last.
void BatchGradient::forward(std::span<const std::uint32_t> rows, Workspace& space) const {
  space.values.resize(layers_.size() + 1);
  float* in = reserve(space.values[0], kBlockRows * layers_[0].input_stride);
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy_n(values_.data() + rows[r] * inputs_, inputs_, in + r * layers_[0].input_stride);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Padded& layer = layers_[l];
    float* out = reserve(space.values[l + 1], kBlockRows * layer.stride);
    kernels().multiply({.a = in,
                        .a_row = layer.input_stride,
                        .a_step = 1,
                        .b = layer.by_input.data(),
                        .b_stride = layer.stride,
                        .out = out,
                        .out_stride = layer.stride,
                        .rows = rows.size(),
                        .depth = layer.inputs,
                        .columns = layer.stride});
    const float* biases = layer.by_input.data() + layer.inputs * layer.stride;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      float* row = out + r * layer.stride;
      if (l + 1 < layers_.size()) {
        kernels().add_relu(row, biases, row, layer.stride);
      } else {
        for (std::size_t o = 0; o < layer.outputs; ++o) row[o] += biases[o];
      }
    }
    in = out;
  }
}

// The slope of a row's cross-entropy in the two last numbers is P - target for human, the opposite for
// machine.
void BatchGradient::start_slopes(std::span<const std::uint32_t> rows, Workspace& space) const {
  const std::size_t stride = layers_.back().stride;
  const float* last = space.values.back().data();
  float* slopes = reserve(space.slopes, kBlockRows * stride);
  std::fill_n(slopes, rows.size() * stride, 0.0f);
  for (std::size_t r = 0; r < rows.size(); ++r, last += stride, slopes += stride) {
    const double answer = sigmoid(static_cast<double>(last[1]) - static_cast<double>(last[0]));
    slopes[1] = static_cast<float>(answer - targets_[rows[r]]);
    slopes[0] = -slopes[1];
  }
}

// The slopes in a layer's weights, summed over the rows: what went in times the slope of what came out; in
// its biases the slopes themselves.
void BatchGradient::sum_layer(const Padded& layer, const float* values, std::size_t rows, const float* slopes,
                              float* sums) const {
  kernels().multiply({.a = values,
                      .a_row = 1,
                      .a_step = layer.input_stride,
                      .b = slopes,
                      .b_stride = layer.stride,
                      .out = sums,
                      .out_stride = layer.stride,
                      .rows = layer.inputs,
                      .depth = rows,
                      .columns = layer.stride});
  float* biases = sums + layer.inputs * layer.stride;
  std::fill_n(biases, layer.stride, 0.0f);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < layer.stride; ++o) biases[o] += slopes[r * layer.stride + o];
  }
}

// From the slopes of what comes out of a layer to those of what comes out of the one before it. `values` is
// what lies between the two: where ReLU made it 0, so is the slope.
void BatchGradient::pass_back(const Padded& layer, const float* values, std::size_t rows,
                              Workspace& space) const {
  float* earlier = reserve(space.earlier_slopes, kBlockRows * layer.input_stride);
  kernels().multiply({.a = space.slopes.data(),
                      .a_row = layer.stride,
                      .a_step = 1,
                      .b = layer.by_output.data(),
                      .b_stride = layer.input_stride,
                      .out = earlier,
                      .out_stride = layer.input_stride,
                      .rows = rows,
                      .depth = layer.outputs,
                      .columns = layer.input_stride});
  for (std::size_t i = 0; i < rows * layer.input_stride; ++i) earlier[i] = values[i] > 0 ? earlier[i] : 0.0f;
  space.slopes.swap(space.earlier_slopes);
}

// The blocks' sums as one gradient: added in order, divided by the rows, with the slope of the squared
// weights.
Network BatchGradient::join(const Network& network, std::size_t blocks, std::size_t rows, double l2) const {
  std::vector<double> total(block_size(), 0.0);
  for (std::size_t block = 0; block < blocks; ++block) {
    const float* sums = sums_.data() + block * total.size();
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += sums[i];
  }
  Network gradient = network;
  const double* mean = total.data();
  const auto count = static_cast<double>(rows);
  for (std::size_t l = 0; l < layers_.size(); mean += layers_[l].size(), ++l) {
    const Padded& layer = layers_[l];
    Layer& to = gradient.layers[l];
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      for (std::size_t k = 0; k < layer.inputs; ++k) {
        float& weight = to.weights[o * layer.inputs + k];
        weight = static_cast<float>(mean[k * layer.stride + o] / count + l2 * weight);
      }
      to.biases[o] = static_cast<float>(mean[layer.inputs * layer.stride + o] / count);
    }
  }
  return gradient;
}

std::size_t BatchGradient::block_size() const {
  return std::accumulate(layers_.begin(), layers_.end(), std::size_t{0},
                         [](std::size_t sum, const Padded& layer) { return sum + layer.size(); });
}

}  // namespace capella::method::composite
