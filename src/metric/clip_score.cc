#include "metric/clip_score.h"

#include <cmath>

#include <fmt/format.h>

#include "metric/cosine.h"

namespace capella::metric {
namespace {

// The larger of two, no number if one of them is none: std::max would lose it.
double larger(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

class ClipScore final : public Metric {
 public:
  ClipScore(const Settings& settings, std::string score, bool with_references)
      : with_references_(with_references),
        weight_(settings.number("weight", 1e-6, 1e6)),
        prompt_(clip_prompt(settings)) {
    info_.name = settings.metric();
    // The harmonic mean with a cosine, which is at most 1.
    info_.scores = {{std::move(score), with_references ? harmonic_mean(weight_, 1.0) : weight_, 100.0}};
    info_.row_width = 2;
    info_.reads = text::Detail::captions;
    info_.clip = settings.text("model");
    info_.images = true;
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    const ClipItems wanted = with_references_ ? ClipItems::with_references : ClipItems::pictures;
    return std::make_unique<ClipState>(references, resources, wanted, prompt_, info_.name);
  }

  // A row is {score, 1}: the corpus score is the mean over captions.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const ClipState& prepared = prepared_of(state);
    const auto captions = prepared.captions(batch, true);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      out[2 * k] = score(batch, k, captions->row(k), prepared);
      out[2 * k + 1] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[1];
  }

  std::string choices(const State* state) const override {
    return fmt::format("{}|w:{}", prepared_of(state).choices(), weight_);
  }

  Explanation explain(const Batch& batch, const State* state) const override;

  std::vector<std::string> warnings(const State* state) const override {
    return prepared_of(state).warnings();
  }

 private:
  static const ClipState& prepared_of(const State* state) { return static_cast<const ClipState&>(*state); }

  double with_picture(std::span<const float> picture, std::span<const float> caption) const {
    return weight_ * larger(metric::cosine(picture, caption), 0.0);
  }

  double score(const Batch& batch, std::size_t k, std::span<const float> caption,
               const ClipState& prepared) const {
    const double own = with_picture(prepared.picture(batch, k), caption);
    if (!with_references_) return own;
    double best = 0.0;
    const References& references = batch.references;
    for (std::size_t r = references.begin(batch.items[k]); r < references.end(batch.items[k]); ++r)
      best = larger(best, metric::cosine(prepared.reference(r), caption));
    return harmonic_mean(own, best);
  }

  bool with_references_;
  double weight_;
  std::string prompt_;
  Info info_;
};

Explanation ClipScore::explain(const Batch& batch, const State* state) const {
  const ClipState& prepared = prepared_of(state);
  const auto captions = prepared.captions(batch, false);
  const double cosine = metric::cosine(prepared.picture(batch, 0), captions->row(0));
  Explanation explanation{info_.name, {}, {{"seen by the model", {"beside the caption", "cosine"}, {}}}};
  std::vector<std::vector<std::string>>& rows = explanation.tables[0].rows;
  rows.push_back({prepared.picture_path(batch, 0), fmt::format("{:.4f}", cosine)});
  explanation.summary.push_back(fmt::format("with the picture: {:g} x {:.4f} = {:.4f}", weight_,
                                            larger(cosine, 0.0), weight_ * larger(cosine, 0.0)));
  if (!captions->cut.empty())
    explanation.summary.push_back(
        fmt::format("only the first {} tokens of the caption are seen", prepared.clip().most_tokens()));
  if (!with_references_) return explanation;
  const References& references = batch.references;
  double best = 0.0;
  for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r) {
    const double found = metric::cosine(prepared.reference(r), captions->row(0));
    best = larger(best, found);
    rows.push_back({std::string(references.raw[r]), fmt::format("{:.4f}", found)});
  }
  explanation.summary.push_back(
      fmt::format("with the nearest reference: {:.4f}; the score is the harmonic mean of the two", best));
  return explanation;
}

}  // namespace

double harmonic_mean(double a, double b) {
  return a + b == 0.0 ? 0.0 : 2.0 * a * b / (a + b);
}

std::unique_ptr<Metric> make_clip_s(const Settings& settings) {
  return std::make_unique<ClipScore>(settings, "CLIP-S", false);
}

std::unique_ptr<Metric> make_refclip_s(const Settings& settings) {
  return std::make_unique<ClipScore>(settings, "RefCLIP-S", true);
}

std::unique_ptr<Metric> make_pac_s(const Settings& settings) {
  return std::make_unique<ClipScore>(settings, "PAC-S", false);
}

std::unique_ptr<Metric> make_refpac_s(const Settings& settings) {
  return std::make_unique<ClipScore>(settings, "RefPAC-S", true);
}

}  // namespace capella::metric
