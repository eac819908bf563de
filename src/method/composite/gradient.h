// The slope of a network's loss in each of its weights, for one batch of examples: backpropagation on the
// float kernels of the tensor layer.
//
// A batch is cut into blocks of rows of a fixed size; each block's slopes are summed by themselves, in order
// of the rows, and the blocks' sums in order of the blocks. So neither the number of threads nor the machine
// changes a bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "method/composite/network.h"
#include "method/composite/train.h"
#include "tensor/aligned.h"

namespace capella::method::composite {

class BatchGradient {
 public:
  static constexpr std::size_t kBlockRows = 128;

  /// `examples` have 1 (human) or 0 (machine) as targets; they and `pool` must outlive this.
  BatchGradient(const Examples& examples, ThreadPool& pool);

  /// The gradient of the mean cross-entropy of these rows plus l2 / 2 times the sum of squared weights
  /// (biases left out), in the shape of the network. The slope of ReLU at 0 is 0. `rows` is not empty.
  Network of(const Network& network, std::span<const std::uint32_t> rows, double l2);

 private:
  // A layer's numbers in rows that the kernels can read: padded with 0 to whole vectors.
  struct Padded {
    std::size_t inputs;
    std::size_t outputs;
    std::size_t stride;                      // of rows that have a number per output
    std::size_t input_stride;                // likewise per input
    tensor::AlignedVector<float> by_input;   // weights [inputs][stride], biases as one more row
    tensor::AlignedVector<float> by_output;  // weights [outputs][input_stride]; not of the first layer
    std::size_t size() const { return (inputs + 1) * stride; }
  };
  // What one thread works with: per layer what goes in, and the slopes of what comes out.
  struct Workspace {
    std::vector<tensor::AlignedVector<float>> values;  // [layers + 1][rows][stride]
    tensor::AlignedVector<float> slopes;
    tensor::AlignedVector<float> earlier_slopes;
  };

  void pad(const Network& network);
  void work_on_block(std::span<const std::uint32_t> rows, Workspace& space, float* sums) const;
  void forward(std::span<const std::uint32_t> rows, Workspace& space) const;
  void start_slopes(std::span<const std::uint32_t> rows, Workspace& space) const;
  void sum_layer(const Padded& layer, const float* values, std::size_t rows, const float* slopes,
                 float* sums) const;
  void pass_back(const Padded& layer, const float* values, std::size_t rows, Workspace& space) const;
  Network join(const Network& network, std::size_t blocks, std::size_t rows, double l2) const;
  std::size_t block_size() const;

  std::size_t inputs_;
  std::vector<float> values_;  // of the examples
  std::vector<float> targets_;
  ThreadPool& pool_;
  std::vector<Padded> layers_;
  std::vector<Workspace> spaces_;      // one per thread
  tensor::AlignedVector<float> sums_;  // [blocks][block_size()]: of each layer [inputs + 1][stride]
};

}  // namespace capella::method::composite
