// A trained caption generator as one file: the network's arrays, its words, and how it was made. A
// checkpoint, from which training goes on, is the same with the optimiser's arrays.
//
// The files are in the safetensors format. Under "__metadata__" are "capella.generator" (or
// "capella.checkpoint"), a JSON object, and "vocabulary", a JSON list of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "method/network_file.h"
#include "method/pregen/generator.h"
#include "method/pregen/vocabulary.h"

namespace capella::method::pregen {

struct TrainingEpoch {
  double loss = 0;             ///< mean of the batches; of the epoch 0, before any training, NaN
  double log2_perplexity = 0;  ///< of the validation images' first captions; may be infinite
};

/// How a network was or is being trained.
struct TrainingFacts {
  std::string data_set;           ///< for people
  std::uint64_t fingerprint = 0;  ///< of all that is learnt from and validated on
  std::uint64_t seed = 0;
  std::size_t least_count = 0;
  double share = 1;
  std::size_t training_images = 0;
  std::size_t training_captions = 0;
  std::size_t validation_images = 0;
  std::vector<TrainingEpoch> epochs;  ///< epoch 0 first
  std::size_t best_epoch = 0;         ///< the arrays are of this one
  std::string version;                ///< Capella's
};

struct GeneratorModel {
  Recipe recipe;
  Vocabulary vocabulary;
  TrainingFacts facts;
  std::vector<NetworkArray> arrays;  ///< of a checkpoint with those of the optimiser
};

using GeneratorFile = NetworkFile;

/// Throws FileError that names the file and what is wrong. The network's arrays have as many numbers as its
/// recipe says; which they are is for the network to check.
GeneratorModel read_generator(const std::string& path, GeneratorFile kind);

/// Writes the file, whole or not at all. The same model gives the same bytes, whatever the order of its
/// arrays. Throws DataError if read_generator() would refuse them.
void write_generator(const std::string& path, const GeneratorModel& model, GeneratorFile kind);

/// The bytes that write_generator() writes.
std::string generator_bytes(const GeneratorModel& model, GeneratorFile kind);

}  // namespace capella::method::pregen
