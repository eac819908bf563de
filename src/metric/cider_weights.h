// The weights of the CIDEr family: how much an n-gram counts (tf-idf), and a caption as a vector of such
// weights.
//
// An n-gram that stands c times in a caption weighs c * (log N - log max(1, df)), where df is the number of
// images of which some reference has the n-gram and N the number of images (Vedantam et al. 2015).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

using CiderNorms = std::array<double, text::kMaxOrder>;  ///< of a vector of weights, order by order

/// How rare each n-gram is, and the norms of the references. The state of all metrics of the family.
class CiderWeights final : public State {
 public:
  /// Counts the references, or takes the frequencies of resources.document_frequencies.
  CiderWeights(const References& references, const Resources& resources);

  /// log N - log max(1, df) of an n-gram of `texts`, which is or extends the references' TextSet.
  double idf(const text::TextSet& texts, text::NgramId id) const;

  /// The norms of a sentence of `texts`, which is or extends the references' TextSet.
  CiderNorms norms(const text::TextSet& texts, std::size_t sentence) const;

  const std::string& description() const { return description_; }  ///< "refs(5000)"
  bool useless() const { return log_documents_ == 0.0; }           ///< one image: every weight is 0

 private:
  void count_references(const References& references);
  void look_up(const References& references);

  const text::TextSet& references_;
  const resource::DfTable* table_;
  double log_documents_ = 0.0;
  std::vector<double> idf_;        // of the references' n-grams, by id
  std::vector<CiderNorms> norms_;  // of the references
  std::string description_;
};

/// In how many items each n-gram of the references stands, by NgramId.
std::vector<std::uint32_t> count_documents(const References& references);

/// A caption as a vector of weights.
struct CiderVector {
  CiderVector(const CiderWeights& weights, const text::TextSet& texts, std::size_t sentence);

  text::NgramProfile ngrams;
  std::vector<double> idf;  ///< parallel to ngrams.all(); a weight is the n-gram's count times its idf
  CiderNorms norms;
};

/// The setting that all metrics of the family have.
inline constexpr SettingInfo kCiderDfSetting = {
    "df", "run",
    "where document frequencies come from: refs, coco-val or a file of `capella df`; run: as --df says"};

/// A metric of the family: the mean over references and orders 1 ... 4 of similarities, times 10.
class CiderMetric : public MeanMetric {
 public:
  /// The settings are those of the family.
  CiderMetric(std::string name, std::string score_name, const Settings& settings);

  const Info& info() const final { return info_; }
  std::unique_ptr<const State> prepare(const References& references, const Resources& resources) const final;
  std::vector<std::string> warnings(const State* state) const final;
  Explanation explain(const Batch& batch, const State* state) const final;

 protected:
  /// A caption of a batch and one of its references.
  struct Pair {
    const Batch& batch;
    std::size_t caption;
    std::size_t reference;

    /// Lengths as the reference programs have them: the number of bigrams.
    double caption_length() const { return length(batch.tokens, caption); }
    double reference_length() const { return length(batch.references.tokens, reference); }

   private:
    static double length(const text::TextSet& texts, std::size_t sentence);
  };

  /// What the n-gram adds to the similarity, before the norms: from its weights in the caption and the
  /// reference.
  virtual double product(double candidate, double reference) const = 0;
  /// What the similarity of every order is multiplied with.
  virtual double factor(const Pair& pair) const = 0;

  double value(const Batch& batch, std::size_t k, const State* state) const final;
  std::string df_choice(const State* state) const;

 private:
  /// The similarities of all orders; `counts` are those of the caption's n-grams in the reference.
  std::array<double, text::kMaxOrder> similarity(const Pair& pair, const CiderVector& caption,
                                                 const CiderWeights& weights,
                                                 std::span<const std::uint32_t> counts) const;

  Info info_;
};

}  // namespace capella::metric
