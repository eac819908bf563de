// A trained network of DENEB's kind as one file: its arrays, and in the header what it was made of and how,
// so that it is never fed with anything else. A checkpoint, from which training goes on, has the optimiser's
// arrays as well and, where the last epoch was not the best, the best one's.
//
// The files are in the safetensors format, with a JSON object under the key "capella.deneb" (or
// "capella.deneb.checkpoint"). Files that have the arrays of the authors' program, under their names, and no
// such key can be read too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "method/deneb/trainer.h"
#include "method/network_file.h"

namespace capella::method::deneb {

/// What is put before a caption for CLIP.
inline constexpr const char* kDenebPrompt = "In the image, ";
inline constexpr const char* kPolosPrompt = "A photo depicts ";

/// An encoder, by its folder's name, for people, and by its content.
struct EncoderFacts {
  std::string name;
  std::string fingerprint;  ///< empty: not known

  bool operator==(const EncoderFacts&) const = default;
};

/// How pixels become numbers.
struct ImageFacts {
  std::size_t size = 0;  ///< pixels on a side
  std::array<float, 3> mean = {};
  std::array<float, 3> deviation = {};

  bool operator==(const ImageFacts&) const = default;
};

/// Where the vectors come from that a network was trained with.
struct EncoderUse {
  std::optional<EncoderFacts> clip = {};
  std::optional<EncoderFacts> sentence = {};
  std::string prompt = kDenebPrompt;
  std::optional<ImageFacts> image = {};  ///< nothing: not known, or there are no images

  bool operator==(const EncoderUse&) const = default;
};

/// How agreement with people is measured on the validation samples: Kendall's tau-c of scores and ratings;
/// or, where people preferred one of two captions, how often scores do, the mean over the categories of
/// pairs.
enum class Measure { tau_c, accuracy };
inline constexpr std::string_view kMeasureNames[] = {"tau-c", "accuracy"};

struct TrainingEpoch {
  double loss = 0;       ///< mean over samples; of the epoch 0, before any training, NaN
  double agreement = 0;  ///< of the validation samples; NaN if undefined
};

/// How a network was or is being trained.
struct TrainingFacts {
  std::string training_data;  ///< for people
  std::string validation_data;
  std::vector<std::string> without = {};   ///< parts of the training data that were left out
  std::vector<std::string> held_out = {};  ///< benchmarks, for people, whose images were left out of it
  std::size_t dropped_rows = 0;            ///< that were, for that reason
  std::size_t training_rows = 0;
  std::size_t validation_rows = 0;
  std::size_t most_references = 0;  ///< that a sample had in training; 0: not known
  std::uint64_t fingerprint = 0;    ///< of all that is learnt from and validated on
  std::uint64_t seed = 0;
  std::size_t patience = 1;
  std::size_t rows_per_epoch = 0;  ///< 0: all
  Measure measure = Measure::tau_c;
  std::vector<TrainingEpoch> epochs;  ///< epoch 0 first
  std::size_t best_epoch = 0;         ///< the model's arrays are of this one
  std::string version;                ///< Capella's
};

struct Model {
  Recipe recipe;
  EncoderUse encoders;
  TrainingFacts facts;
  std::vector<NetworkArray> arrays;     ///< of a checkpoint those of the last epoch, with the optimiser's
  std::vector<NetworkArray> best = {};  ///< of a checkpoint whose last epoch was not the best: the best one's

  /// Whether it is known how it was trained: not of a file of the authors' program.
  bool has_facts() const { return !facts.epochs.empty(); }
  /// Whether it can give a score that does not depend on other captions: it keeps statistics of layers, or
  /// has none to mix.
  bool is_stable() const;
};

struct ModelReading {
  std::size_t heads = 8;  ///< of a file of the authors' program, which does not tell
};

/// Throws FileError that names the file and what is wrong. The network's arrays have as many numbers as its
/// recipe says; which they are is for the network to check.
Model read_model(const std::string& path, const ModelReading& reading = {});
/// ... without the arrays, which are not looked at: quick for a network of any size.
Model read_model_header(const std::string& path, const ModelReading& reading = {});
Model read_checkpoint(const std::string& path);

/// For `option`, which sets ModelReading::heads: throws UsageError if the model's file tells them itself, so
/// that it would be ignored.
void refuse_heads(const std::string& path, const Model& model, const std::string& option);

/// Writes the file, whole or not at all. The same model gives the same bytes, whatever the order of its
/// arrays. Throws DataError if it could not be read again.
void write_model(const std::string& path, const Model& model, NetworkFile kind);

/// The bytes that write_model() writes.
std::string model_bytes(const Model& model, NetworkFile kind);

/// A number that changes with everything in the model.
std::uint64_t fingerprint(const Model& model);

}  // namespace capella::method::deneb
