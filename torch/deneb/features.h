// Tables of vectors on the device, the mix of a sentence encoder's layers, and batches of samples made of
// both.
//
// The mix of the layers H of a caption is gamma * sum_l s_l (H_l - m_l) / sqrt(q_l + 1e-12), s the softmax of
// learnt numbers, m and q mean and variance of a layer over all numbers of all tokens of all captions: of the
// training set, or of the batch. Then those of the candidates and of the first, second, ... references are
// batches of their own, and come from sums that are kept with each caption.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "torch/deneb/network.h"

namespace capella::plugin::deneb {

using method::deneb::Features;
using method::deneb::Samples;

/// Tensors of float or bfloat16, a row for each image or caption; undefined where the recipe has none.
struct Tables : method::deneb::LoadedFeatures {
  Tensor images;     ///< [rows][width]
  Tensor captions;   ///< [rows][width]
  Tensor sentences;  ///< [rows][layers][width]
  Tensor sums;       ///< [rows][layers], double; undefined unless layers are mixed
  Tensor squares;
  Tensor tokens;  ///< [rows], double
};

/// Throws DataError if a table does not fit the recipe.
std::unique_ptr<const Tables> load_tables(const Recipe& recipe, const Features& features,
                                          torch::Device device);

/// Throws DataError that names the first sample which has no references, or rows that are not there, or (if
/// `scored`) no score in [0, 1].
void check_samples(const Recipe& recipe, const Tables& tables, const Samples& samples, bool scored);

bool mixes_layers(const Recipe& recipe);

/// Mean and variance of each layer, [layers], double.
struct LayerStatistics {
  std::vector<double> mean;
  std::vector<double> variance;
};
/// Over all captions of these samples, as often as these have them.
LayerStatistics statistics_of(const Recipe& recipe, const Features& features, const Samples& samples);

/// How layers become one vector.
struct Mix {
  Tensor mean;      ///< [layers], of the training set
  Tensor variance;  ///< [layers]
  Dropout dropout;  ///< of layers
};

/// All sentences mixed with the statistics of the training set: [rows][width], float. Vectors that are not to
/// be mixed stay.
Tensor mixed_sentences(const Recipe& recipe, const Weights& weights, const Mix& mix, const Tables& tables);

/// The vectors of some samples, scaled where the recipe says so, as numbers of that type. `mixed` are mixed
/// sentences; if it is undefined, sentences are mixed here.
Inputs inputs_of(const Recipe& recipe, const Weights& weights, Mix& mix, const Tables& tables,
                 const Tensor& mixed, const Samples& samples, std::span<const std::uint32_t> chosen,
                 torch::ScalarType type);

}  // namespace capella::plugin::deneb
