// A trained network of DENEB's kind on the CPU, without torch: from vectors to scores. It and the plug-in
// check each other.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "encoder/head_samples.h"
#include "method/deneb/model_file.h"

namespace capella::method::deneb {

class Scorer {
 public:
  /// `path` is for errors. Throws FileError that names an array which is missing or has another shape.
  Scorer(const Model& model, const std::string& path);
  ~Scorer();
  Scorer(Scorer&&) noexcept;

  const Recipe& recipe() const;

  /// The vectors of captions from the hidden states of their first tokens ([layers][width] each), by the
  /// statistics that the network keeps: [captions][width]. Vectors that are not to be mixed stay as they are.
  /// Throws DataError if the network keeps none.
  std::vector<float> sentences(std::span<const float> states) const;

  /// One score in [0, 1] per sample, of sentences that are mixed; a score depends on its sample alone. Any
  /// thread may call it at any time. Throws UsageError if a sample has no reference.
  void scores(const encoder::HeadSamples& samples, double* out) const;

  /// What Network::predict() gives, but for rounding: one score per sample. Where the recipe has statistics
  /// of batches, or cuts references, batches are as the samples come; else neither batches nor threads change
  /// a bit. Throws DataError if tables or samples do not fit.
  std::vector<double> scores(const Features& features, const Samples& samples, const PredictOptions& options,
                             ThreadPool& pool, const Steps& steps) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::method::deneb
