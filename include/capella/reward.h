// A metric as a reward for training: references prepared once, then many calls from many threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

namespace capella {

struct RewardOptions {
  std::string metric = "cider-d";
  /// Which of the metric's scores; empty: the last one that is always shown (BLEU-4 of bleu, SPICE of spice).
  std::string score;
  std::string tokenizer = "ptb-iso";  ///< ptb-iso, 13a, none or karpathy
  std::string df = "refs";            ///< as ScoreOptions::df
  std::vector<std::string> settings;  ///< METRIC.KEY=VALUE
  std::string cache;                  ///< as ScoreOptions::cache; for the references
  std::string device = "cpu";         ///< as ScoreOptions::device
};

class Reward {
 public:
  /// `references`: a data set whose systems are ignored.
  Reward(const Dataset& references, const RewardOptions& options);
  ~Reward();
  Reward(Reward&&) noexcept;
  Reward& operator=(Reward&&) noexcept;

  /// One value per caption; caption k is for the item with ids[k], and ids may repeat. Throws DataError for
  /// an unknown id.
  std::vector<double> operator()(std::span<const std::string_view> ids,
                                 std::span<const std::string_view> captions) const;

  /// The same with references for this call alone; caption k is scored against references[k]. Document
  /// frequencies stay those of the construction.
  std::vector<double> operator()(std::span<const std::vector<std::string_view>> references,
                                 std::span<const std::string_view> captions) const;

  const std::string& score_name() const;
  const std::string& signature() const;
  const std::vector<std::string>& warnings() const;  ///< of the construction; calls have none

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace capella
