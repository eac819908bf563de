// A small CLIP of one's own, trained on pictures and captions that belong together: for generated worlds and
// small data sets, where the published models are not at hand. See docs/nn.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capella/progress.h"

namespace capella {

struct ClipTraining {
  std::string dataset;          ///< captions with the splits train and val, as Karpathy's dataset.json
  std::string images;           ///< a folder with files named by ids, or a file of ids and paths
  std::string output;           ///< the model's folder, as Hugging Face writes it; must not be there
  std::size_t image_size = 96;  ///< pixels on a side that the network sees
  std::size_t patch = 8;        ///< pixels on a side of a patch
  std::size_t width = 128;      ///< of both towers and of the vectors that are compared; a multiple of 16
  std::size_t layers = 4;       ///< of each tower
  std::size_t heads = 4;
  std::size_t epochs = 20;
  std::size_t batch = 128;  ///< pairs that are told apart from each other
  double rate = 1e-3;
  std::size_t most_merges = 2000;  ///< pieces of words that the vocabulary learns at most
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  std::string device = "cpu";
  bool restart = false;  ///< begin anew although there is a checkpoint
  Progress progress;
  std::function<void(const std::string& epoch)> tell = {};
};

/// How well pictures and captions of the validation images find each other.
struct ClipEpoch {
  double loss = 0;           ///< mean over pairs; of epoch 0, before any training, NaN
  double image_to_text = 0;  ///< share of pictures whose nearest caption is their own
  double text_to_image = 0;  ///< share of captions whose nearest picture is their own
};

struct ClipTrained {
  std::size_t parameters = 0;
  std::size_t vocabulary = 0;
  std::size_t most_tokens = 0;
  std::size_t training_images = 0;
  std::size_t training_captions = 0;
  std::size_t validation_images = 0;
  std::vector<ClipEpoch> epochs;  ///< epoch 0 first
  bool resumed = false;
  double seconds = 0;
};

/// Beside `output` lies `output`.checkpoint meanwhile: a run that was killed is continued by the same call
/// and ends with the same bytes. Throws UsageError, FileError or DataError.
ClipTrained train_clip(const ClipTraining& options);

}  // namespace capella
