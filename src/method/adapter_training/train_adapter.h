// The training of an adapter, step by step. After every few steps a checkpoint is written; a run that was
// killed goes on from it and ends with the same bytes as one that was not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capella/progress.h"

#include "method/adapter_training/adapter_folder.h"
#include "method/adapter_training/caption_groups.h"

namespace capella::method::adapter_training {

/// Captions that people have rated, to be told how well the vectors' scores agree with them.
struct RatedCaptions {
  encoder::TokenBatch texts;  ///< each once
  RatedRows rows;             ///< places in these

  std::size_t size() const { return rows.size(); }
  std::uint64_t fingerprint() const;
};

/// Kendall's tau-c of ratings with a caption's cosine with its references, as Capella-S takes it.
double agreement(const Network& network, const RatedCaptions& rated);

struct StepResult {
  double loss;       ///< before the step; of step 0, where nothing has been learnt, NaN
  double agreement;  ///< after the step; NaN where it was not measured
};

/// What a step took, agreement aside.
struct StepWork {
  std::size_t texts = 0;
  double seconds = 0;
};

struct TrainingLoop {
  std::uint64_t seed = 0;
  std::uint64_t fingerprint = 0;  ///< of all that is not given here: a checkpoint of another is refused
  Precision precision = Precision::half;
  double strength = 1;  ///< what the last step's updates are multiplied with
  std::size_t valid_every = 100;
  std::size_t checkpoint_every = 10;  ///< 0: none is written
  std::string checkpoint;             ///< the file; training goes on from it if it is there; empty: none
  bool restart = false;               ///< begin anew although it is there
  Progress progress = {};
  /// Called with the steps of an earlier run, 0 first, if training goes on from its checkpoint.
  std::function<void(const std::vector<StepResult>& steps)> after_resume = {};
  /// Called after each step, 0 first, with its number; not for those of an earlier run.
  std::function<void(std::size_t step, const StepResult& result, const StepWork& work)> after_step = {};
};

struct TrainedAdapter {
  std::vector<StepResult> steps;  ///< step 0 first
  std::vector<NetworkArray> arrays;
  bool resumed = false;
};

/// Does all steps of the network's recipe. `rated` may have none. After the last step the network takes its
/// arrays as the file will have them, so that what is measured then is what is written. Agreement is measured
/// before the first step, every so many steps and after the last; nothing depends on it. Throws FileError if
/// the checkpoint is damaged or of another training; what Network::step() throws.
TrainedAdapter train_adapter(Network& network, const CaptionGroups& groups, const RatedCaptions& rated,
                             const TrainingLoop& loop);

}  // namespace capella::method::adapter_training
