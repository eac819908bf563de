// A trained composite metric as one file: the network's weights, and in the header what its inputs are, so
// that it is never fed anything else.
//
// The file is in the safetensors format: tensors "layer1.weight" (outputs x inputs), "layer1.bias", ... and
// under
// "__metadata__" the key "capella.composite" with a JSON object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "method/composite/network.h"

namespace capella::method::composite {

/// One input of the network: (score - shift) * scale.
struct Input {
  std::string score;                            ///< e.g. "CIDEr-D"
  std::string metric;                           ///< e.g. "cider-d"
  std::map<std::string, std::string> settings;  ///< of the metric, e.g. df = coco-val
  std::string choices;  ///< what the metric's signature said when the training scores were made
  double shift = 0.0;
  double scale = 1.0;
  double mean =
      0.0;  ///< of the training examples' scores, before shift and scale: what explanations start from
};

/// What the file says about how the metric came to be; for people.
struct Origin {
  std::string data;    ///< e.g. "8,979 human and 8,979 machine captions of 2,993 images (...)"
  std::string humans;  ///< whose ratings ended the training
  std::uint64_t seed = 0;
  std::size_t epochs = 0;       ///< that were trained
  double validation_tau_b = 0;  ///< of the epoch that was kept
  double validation_tau_c = 0;
  double held_out_accuracy = 0;  ///< this and the two above: NaN if not measured
  std::string version;           ///< Capella's
};

struct Model {
  std::string name;       ///< e.g. "eval-ms"
  std::string tokenizer;  ///< of the captions that the scores were made from; ptb-iso counts as ptb
  std::vector<Input> inputs;
  Network network;
  Origin origin;
};

/// Throws FileError that names the file and what is wrong.
Model read_model(const std::string& path);

/// Writes the file, whole or not at all. The same model gives the same bytes. Throws DataError if
/// read_model() would refuse them.
void write_model(const std::string& path, const Model& model);

/// The bytes that write_model() writes.
std::string model_bytes(const Model& model);

/// A number that changes with every byte of the file that write_model() would write.
std::uint64_t fingerprint(const Model& model);

/// What the network is given: (score - shift) * scale of each input. Throws DataError that names the input if
/// one is not finite, UsageError if there are more or fewer scores than inputs.
std::vector<double> network_inputs(const Model& model, std::span<const double> scores);

/// P(human) from the scores of the model's inputs; throws likewise.
double score(const Model& model, std::span<const double> scores);

}  // namespace capella::method::composite
