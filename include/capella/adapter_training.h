// An adapter of one's own for a sentence encoder: low-rank updates (LoRA), learnt from captions of which it
// is known which are about the same image. See docs/nn.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capella/progress.h"

namespace capella {

/// Data that something is going to be tested on.
struct AdapterHeldOut {
  std::string layout;  ///< as `capella meta` names it; empty: captions by image, of any form that is read
  std::string path;    ///< the file, or a folder where the layout has one
};

struct AdapterTraining {
  std::vector<std::string> captions;  ///< files with several captions for each image
  std::string split = {};             ///< the part of files that have splits (Karpathy's dataset.json)
  std::string base = "minilm";        ///< the folder of a BERT or RoBERTa, or a data package
  std::string output;                 ///< the adapter's folder, as PEFT writes it; must not be there
  /// An image is left out if one of its captions, of five words or more, stands in one of these (letters and
  /// digits count, capitals do not), or if its id is the name of a picture that they have, too.
  std::vector<AdapterHeldOut> held_out = {};

  /// Rated captions that are learnt from, too; rows are left out as images are. Empty: none.
  std::string rated = {};
  std::string rated_layout = {};  ///< as that of the validation
  std::size_t rated_batch = 512;  ///< rows in a step; at most as many as there are
  double rated_weight = 1;        ///< what their loss counts beside that of images

  std::string validation = {};            ///< rated captions; nothing but what is told depends on them
  std::string validation_layout = {};     ///< nebula, polaris, composite, flickr8k-expert or flickr8k-cf
  std::vector<std::string> without = {};  ///< parts of them that are left out, e.g. flickr8k of composite
  std::string pooling = {};               ///< mean or first; empty: as the base's folder says
  std::size_t rank = 16;
  double alpha = 0;            ///< updates are scaled by alpha / rank; 0: by 1
  double strength = 1;         ///< what is learnt is added so many times: less is nearer to the base
  std::size_t references = 2;  ///< captions of an image that another one of it is compared with
  std::size_t batch = 1024;    ///< images that are told apart from each other; at most as many as there are
  std::size_t steps = 300;
  std::optional<std::size_t> warm_up =
      {};  ///< steps in which the rate rises; nothing: 20, or all if there are fewer
  double rate = 1e-3;
  double temperature = .05;
  std::size_t chunk = 0;             ///< tokens whose inner values are kept at a time; 0: as the device likes
  bool bfloat16 = false;             ///< the encoder computes with 16 bits while it learns
  bool full = false;                 ///< numbers are written with 32 bits instead of 16
  std::size_t tell_every = 25;       ///< steps, one or more
  std::size_t validate_every = 100;  ///< steps; 0: before the first and after the last alone
  std::size_t checkpoint_every = 10;  ///< steps; 0: there is no checkpoint
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  std::string device = "cpu";
  bool restart = false;  ///< begin anew although there is a checkpoint
  Progress progress;
  std::function<void(const std::string& steps)> tell = {};
};

/// What was taken from a file of captions.
struct AdapterData {
  std::string path;
  std::size_t images = 0;    ///< that are learnt from
  std::size_t captions = 0;  ///< theirs, equal ones of one image counted once
  std::size_t known = 0;     ///< images that were left out: a caption stands in what is held out
  std::size_t named = 0;     ///< ... the id does, but no caption
  std::size_t few = 0;       ///< ... there are not enough different captions
  std::size_t again = 0;     ///< ... an image before has the very same captions: it is in two files
};

/// What was taken from rated captions.
struct AdapterRatings {
  std::string path;       ///< empty: there are none
  std::size_t rows = 0;   ///< that are learnt from
  std::size_t known = 0;  ///< rows that were left out: a text stands in what is held out
  std::size_t named = 0;  ///< ... the image's name does, but no text
  std::size_t blank = 0;  ///< ... there is no caption
};

struct AdapterStep {
  double loss = 0;       ///< before the step; of step 0, where nothing has been learnt, NaN
  double agreement = 0;  ///< Kendall's tau-c after the step; NaN where it was not measured
};

struct AdapterTrained {
  std::string base;            ///< the base's name and the first digits of its fingerprint
  std::size_t parameters = 0;  ///< numbers that were learnt
  std::size_t images = 0;      ///< of all files
  std::size_t batch = 0;
  std::vector<AdapterData> data;
  AdapterRatings rated = {};
  std::size_t validation_rows = 0;
  std::vector<AdapterStep> steps;  ///< step 0 first
  std::size_t tell_every = 0;      ///< as asked for
  bool resumed = false;
  double seconds = 0;
  std::vector<std::string> warnings;
};

/// Beside `output` lies `output`.checkpoint meanwhile: a run that was killed is continued by the same call
/// and ends with the same bytes. Networks are trained by the torch plug-in. Throws UsageError, FileError or
/// DataError.
AdapterTrained train_adapter(const AdapterTraining& options);

/// Throws UsageError if the options cannot be run, whatever the data.
void check_adapter_training(const AdapterTraining& options);

}  // namespace capella
