#include "metric/sentence_cosine.h"

#include <algorithm>

#include <fmt/format.h>

#include "encoder/sentence_encoder.h"
#include "metric/cosine.h"

namespace capella::metric {
namespace {

using encoder::Features;
using encoder::Pooling;
using encoder::SentenceEncoder;

constexpr std::string_view kOver[] = {"max", "mean", "both"};
constexpr std::string_view kPoolings[] = {"told", "mean", "first", "pooler"};
constexpr double kNone = -1.0;  // without references: as far from them as can be

class Prepared final : public State {
 public:
  Prepared(const References& references, const Resources& resources, Pooling how)
      : encoder(*resources.encoder),
        pooling(how == Pooling::as_told ? encoder.told_pooling() : how),
        texts(references, resources.items),
        features(encoder.sentences(texts.texts(), pooling, {resources.pool, resources.progress})) {
    cut.add_references(features.cut.size());
  }

  const SentenceEncoder& encoder;
  const Pooling pooling;
  const PreparedReferences texts;
  const Features features;
  const CutTexts cut;
};

// The cosines of a batch's captions with their references.
class Comparer {
 public:
  Comparer(const Batch& batch, const Prepared& prepared)
      : batch_(batch), captions_(prepared.encoder.sentences(batch.captions, prepared.pooling)) {
    if (prepared.texts.has(batch)) {
      references_ = &prepared.features;
      for (std::size_t k = 0; k < batch.size(); ++k) places_.push_back(prepared.texts.place(batch, k));
      return;
    }
    BatchReferences own = references_of(batch);
    own_ = prepared.encoder.sentences(own.texts, prepared.pooling);
    references_ = &own_;
    places_ = std::move(own.places);
  }

  std::size_t cut_captions() const { return captions_.cut.size(); }

  std::vector<double> cosines(std::size_t k) const {
    std::vector<double> all;
    for (std::size_t r = places_[k]; r < places_[k] + reference_count(batch_, k); ++r)
      all.push_back(cosine(captions_.row(k), references_->row(r)));
    return all;
  }

 private:
  const Batch& batch_;
  Features captions_;
  Features own_;
  const Features* references_ = nullptr;
  std::vector<std::size_t> places_;
};

struct Summary {
  double max = kNone;
  double mean = kNone;
};

Summary summarize(const std::vector<double>& cosines) {
  if (cosines.empty()) return {};
  double sum = 0.0;
  for (const double one : cosines) sum += one;
  return {*std::ranges::max_element(cosines), sum / static_cast<double>(cosines.size())};
}

class SentenceCosine final : public Metric {
 public:
  explicit SentenceCosine(const Settings& settings)
      : over_(settings.choice("over", kOver)),
        pooling_(static_cast<Pooling>(settings.choice("pooling", kPoolings))) {
    info_.name = "sentence-cosine";
    info_.scores = {{"Sentence-cosine-max", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine-mean", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine", 1.0, 100.0, Shown::always, -1.0}};
    info_.row_width = 3;
    info_.reads = text::Detail::captions;
    want_encoder(settings, info_);
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<Prepared>(references, resources, pooling_);
  }

  // A row is {max, mean, 1}.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const Comparer comparer(batch, prepared_of(state));
    prepared_of(state).cut.add_captions(comparer.cut_captions());
    for (std::size_t k = 0; k < batch.size(); ++k, out += 3) {
      const Summary summary = summarize(comparer.cosines(k));
      out[0] = summary.max;
      out[1] = summary.mean;
      out[2] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[2];
    scores[1] = row[1] / row[2];
    scores[2] = main_of({scores[0], scores[1]});
  }

  std::string choices(const State* state) const override {
    const Prepared& prepared = prepared_of(state);
    return fmt::format("model:{}|pool:{}|ref:{}", prepared.encoder.description(), name(prepared.pooling),
                       kOver[over_]);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    const std::vector<double> cosines = Comparer(batch, prepared_of(state)).cosines(0);
    Explanation explanation{info_.name, {}, {{"against each reference", {"reference", "cosine"}, {}}}};
    const std::size_t first = batch.references.begin(batch.items[0]);
    for (std::size_t i = 0; i < cosines.size(); ++i)
      explanation.tables[0].rows.push_back(
          {std::string(batch.references.raw[first + i]), fmt::format("{:.4f}", cosines[i])});
    const Summary summary = summarize(cosines);
    explanation.summary.push_back(
        cosines.empty() ? "there is no reference to compare with"
                        : fmt::format("cosine {:.4f} with the nearest reference, {:.4f} on average; "
                                      "score {:.4f} (over={})",
                                      summary.max, summary.mean, main_of(summary), kOver[over_]));
    return explanation;
  }

  std::vector<std::string> warnings(const State* state) const override {
    const Prepared& prepared = prepared_of(state);
    return prepared.cut.warnings(info_.name, prepared.encoder.most_in_sentence());
  }

 private:
  static const Prepared& prepared_of(const State* state) { return static_cast<const Prepared&>(*state); }

  double main_of(const Summary& summary) const {
    return over_ == 0 ? summary.max : over_ == 1 ? summary.mean : (summary.max + summary.mean) / 2.0;
  }

  std::size_t over_;
  Pooling pooling_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_sentence_cosine(const Settings& settings) {
  return std::make_unique<SentenceCosine>(settings);
}

}  // namespace capella::metric
