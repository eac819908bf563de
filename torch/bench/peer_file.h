// What another program has drawn and found, so that both can be compared: bench/deneb writes such a file with
// Hugging Face's networks.
#pragma once

#include <string>

#include "torch/bench/drawn_models.h"
#include "torch/bench/score_samples.h"

namespace capella::bench {

struct Peer {
  Drawing drawing;
  Captions captions;
  Tensor pictures;
  Tensor scores;  ///< one for each picture and its captions

  /// A dictionary of arrays by torch.save(): "clip.NAME", "roberta.NAME" and "head.NAME", "ids.clip" and
  /// "ids.roberta" (one row for each caption), "pictures" and "scores".
  explicit Peer(const std::string& path);
};

}  // namespace capella::bench
