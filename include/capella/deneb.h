// Learned metrics of DENEB's kind: a network that learns from people's ratings how to weigh what frozen
// encoders see in an image, a caption and its references (DENEB, Polos). See docs/deneb.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capella/dataset.h"
#include "capella/progress.h"
#include "capella/result.h"

namespace capella {

/// Where vectors of images and captions come from.
struct DenebEncoders {
  std::string clip;     ///< the folder of a CLIP model; empty: none
  std::string text;     ///< the folder of a sentence encoder, or "minilm", a data package; empty: none
  std::string vectors;  ///< of captions: mix (of all layers), pooled; empty: pooled if the folder says how
  std::string images;   ///< a folder with files named by ids, or a file of ids and paths
  std::string cache;    ///< a folder that keeps vectors for later runs; empty: none
  std::uint64_t cache_bytes = std::uint64_t{64} << 30;  ///< the most that vectors of one encoder take there
};

/// A benchmark that a metric is going to be tested on.
struct DenebHeldOut {
  std::string layout;  ///< as `capella meta` names it
  std::string path;    ///< the file, or a folder where the layout has one
};

struct DenebTraining {
  std::string training;           ///< rated captions: a file, or a folder where the layout has one
  std::string validation;         ///< these end the training
  std::string layout = "nebula";  ///< nebula, polaris, composite, flickr8k-expert or flickr8k-cf
  std::string validation_layout;  ///< empty: the same; also pascal50s or foil, whose pairs are decided
  std::vector<std::string> without =
      {};  ///< parts of `training` that are left out, e.g. flickr8k of composite
  /// Training rows are left out if one of their references, capitals and spaces aside, stands in one of
  /// these, as a reference or as a rated caption: they are about images that the metric is tested on.
  std::vector<DenebHeldOut> held_out = {};
  DenebEncoders encoders;
  std::string architecture = "released";   ///< released, paper or polos
  std::string tokens;                      ///< sim-vec or raw; this and the next three empty: the authors'
  std::string joiner;                      ///< transformer or mlp
  std::string references;                  ///< together, best or mean
  std::string statistics;                  ///< of layers: frozen or batch
  bool text_only = false;                  ///< images are not looked at
  std::optional<std::string> prompt = {};  ///< before a caption, for CLIP; nothing: the authors'
  std::size_t width = 0;   ///< of tokens before they are joined, a multiple of 16; 0: the authors'
  std::size_t layers = 0;  ///< likewise, and all that follow
  std::size_t heads = 0;
  std::size_t feed_forward = 0;
  std::vector<std::size_t> hidden = {};  ///< two layers of the head; empty: the authors'
  /// The candidate's cosine with the references goes straight to the score, and what the network says is
  /// added to it, nothing at first: for small data.
  bool cosine = false;
  bool scale_vectors =
      false;  ///< to the length of the root of their width: for encoders that make them short
  double rate = 0;
  std::optional<double> weight_decay = {};  ///< of matrices, apart from the gradients (AdamW)
  std::size_t batch = 0;
  std::optional<std::size_t> warm_up = {};  ///< steps
  std::optional<double> dropout = {};
  std::size_t most_epochs = 100;   ///< 0: the network stays untrained
  std::size_t rows_per_epoch = 0;  ///< validation comes after so many rows; 0: after all
  std::size_t patience = 1;        ///< epochs in a row without a better one that end the training
  bool half = false;               ///< hidden states are kept with 16 bits, in half the memory
  std::string output;              ///< the model; beside it OUTPUT.checkpoint while it is trained
  bool restart = false;            ///< begins anew although there is a checkpoint, or a model
  std::uint64_t seed = 12345;
  std::string device = "cpu";
  std::size_t threads = 0;
  Progress progress;
  std::function<void(const std::string&)> tell = {};  ///< is told of each epoch; may be empty
};

struct DenebEpoch {
  double loss;       ///< mean over rows; of the epoch 0, before any training, NaN
  double agreement;  ///< of the validation rows; NaN if undefined
};

struct DenebTrained {
  std::string architecture;
  std::size_t parameters = 0;
  std::size_t training_rows = 0;
  std::size_t dropped_rows = 0;  ///< were left out since they are about images of held-out benchmarks
  std::size_t validation_rows = 0;
  std::string measure;              ///< of agreement: tau-c (Kendall's), or accuracy (of pairs)
  std::size_t images = 0;           ///< different ones, of both
  std::size_t captions = 0;         ///< likewise, references included
  std::size_t most_references = 0;  ///< of a training row
  std::vector<DenebEpoch> epochs;   ///< epoch 0 first
  std::size_t best_epoch = 0;
  bool resumed = false;
  double encoding_seconds = 0;
  double seconds = 0;  ///< of this run's training
  std::vector<std::string> warnings;
};
/// Networks are trained by the torch plug-in; without it FileError is thrown. A training that was killed goes
/// on from its checkpoint and ends with the same bytes. Throws DataError if agreement with the validation
/// rows cannot be measured, or was undefined after every epoch; then no model is written.
DenebTrained train_deneb(const DenebTraining& options);

/// Throws UsageError or FileError if the options cannot be run, whatever the data.
void check_deneb_training(const DenebTraining& options);

struct DenebScoring {
  /// A file that train_deneb() wrote, or one of the authors' program, or "text-minilm", Capella's own.
  std::string model;
  DenebEncoders encoders;  ///< images are those of the data set
  /// As the authors' program scores: layers are normalised over each batch, in the order of the items, and
  /// captions of a batch have as many references as the one with the fewest.
  bool parity = false;
  /// all, which is no parity, or zip-min: a batch's captions have as many as the one with the fewest; empty:
  /// zip-min with parity, else all.
  std::string references = {};
  std::size_t batch = 0;       ///< 0: 32 if neighbours matter, else as many as are quick
  std::size_t heads = 0;       ///< of a file of the authors' program, which does not tell; 0: 8
  std::string device = "cpu";  ///< cuda takes the plug-in
  std::size_t threads = 0;
  std::optional<IntervalOptions> intervals;
  Progress progress;
};
/// Scores every system of the data set. Throws DataError that lists items without references or, where the
/// network looks at images, without a picture; FileError if the encoders are not those that it was trained
/// with.
Result score_deneb(const Dataset& dataset, const DenebScoring& options);

}  // namespace capella
