#include "metric/bertscore.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "metric/bertscore_explanation.h"
#include "metric/bertscore_matching.h"

namespace capella::metric {
namespace {

constexpr int kMostLayers = 1000;

class BertScore final : public Metric {
 public:
  explicit BertScore(const Settings& settings)
      : layer_(settings.text("layer") == "auto" ? 0 : settings.integer("layer", 1, kMostLayers)),
        idf_(settings.flag("idf")),
        rescales_(settings.flag("rescale")) {
    // How far below 0 rescaling goes depends on the model.
    const double low = rescales_ ? -std::numeric_limits<double>::infinity() : -1.0;
    info_.name = "bertscore";
    info_.scores = {{"BERTScore-P", 1.0, 100.0, Shown::detail, low},
                    {"BERTScore-R", 1.0, 100.0, Shown::detail, low},
                    {"BERTScore", 1.0, 100.0, Shown::always, low}};
    info_.row_width = 4;
    info_.reads = text::Detail::captions;
    want_encoder(settings, info_);
    info_.weighs_by_references = idf_;
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    const encoder::SentenceEncoder& encoder = *resources.encoder;
    const KnownModel known = known_model(traits_of(encoder));
    const std::size_t published = known.model == nullptr ? encoder.layers() : known.model->layer;
    const std::size_t layer = layer_ == 0 ? published : static_cast<std::size_t>(layer_);
    if (layer > encoder.layers())
      throw UsageError(fmt::format("bertscore.layer is {}, but {} has {} layers", layer,
                                   encoder.description(), encoder.layers()));
    if (rescales_ && !baseline(known, layer))
      throw UsageError(fmt::format(
          "bertscore.rescale=yes: what unrelated texts reach was not published for layer {} of {}; "
          "it was for bert-base-uncased (9), roberta-base (10) and roberta-large (17)",
          layer, encoder.description()));
    return std::make_unique<TokenState>(references, resources, encoder::StateReading{layer, 0, true}, idf_);
  }

  // A row is {precision, recall, F, 1}; each is that of its own best reference.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const TokenState& prepared = prepared_of(state);
    const TokenBatchVectors vectors(batch, prepared, true);
    const auto base = rescales_
                          ? baseline(known_model(traits_of(prepared.encoder())), prepared.reading().layer)
                          : std::nullopt;
    for (std::size_t k = 0; k < batch.size(); ++k, out += info_.row_width) {
      BertScoreValues best = {-1.0, -1.0, -1.0};
      for (std::size_t r = 0; r < vectors.references(k); ++r) {
        const BertScoreValues values =
            bertscore_values(vectors.caption(k), vectors.reference(k, r), prepared.rarity());
        for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], values[i]);
      }
      std::ranges::copy(base ? rescaled(best, *base) : best, out);
      out[3] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = row[i] / row[3];
  }

  std::string choices(const State* state) const override {
    const TokenState& prepared = prepared_of(state);
    return fmt::format("model:{}|layer:{}|idf:{}|rescale:{}|ref:max", prepared.encoder().description(),
                       prepared.reading().layer, idf_ ? "refs" : "no",
                       rescales_ ? known_model(traits_of(prepared.encoder())).model->name : "no");
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    return explain_bertscore(batch, prepared_of(state));
  }

  std::vector<std::string> warnings(const State* state) const override {
    std::vector<std::string> all = prepared_of(state).warnings(info_.name);
    const encoder::SentenceEncoder& encoder = prepared_of(state).encoder();
    const KnownModel known = known_model(traits_of(encoder));
    if (std::string guess = guess_warning(known, encoder.description(), layer_ == 0, rescales_);
        !guess.empty())
      all.push_back(std::move(guess));
    return all;
  }

 private:
  static const TokenState& prepared_of(const State* state) { return static_cast<const TokenState&>(*state); }

  // What unrelated texts reach, if it was published for the model and layer.
  static std::optional<BertScoreValues> baseline(const KnownModel& known, std::size_t layer) {
    return known.model == nullptr || known.model->layer != layer ? std::nullopt
                                                                 : known.model->unrelated_texts;
  }

  static BertScoreValues rescaled(BertScoreValues values, const BertScoreValues& base) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (values[i] - base[i]) / (1.0 - base[i]);
    return values;
  }

  int layer_;  // 0: as published
  bool idf_;
  bool rescales_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_bertscore(const Settings& settings) {
  return std::make_unique<BertScore>(settings);
}

}  // namespace capella::metric
