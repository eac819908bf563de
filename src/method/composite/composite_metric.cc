#include "method/composite/composite_metric.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "method/composite/shapley.h"

namespace capella::method::composite {
namespace {

std::vector<metric::Foundation> foundations(const Model& model) {
  std::vector<metric::Foundation> all;
  for (const Input& input : model.inputs)
    all.push_back({input.metric, input.score, input.settings, input.choices});
  return all;
}

class Composite final : public metric::MeanMetric {
 public:
  Composite(std::string name, Model model) : model_(std::move(model)) {
    info_.name = std::move(name);
    info_.scores = {{model_.name, 1.0, 100.0}};
    info_.row_width = 2;
    info_.reads = text::Detail::captions;
    info_.builds_on = foundations(model_);
    info_.tokenizers = {model_.tokenizer};
    if (model_.tokenizer == "ptb") info_.tokenizers.emplace_back("ptb-iso");
  }

  const metric::Info& info() const override { return info_; }

  // Never needs the state: the model is all there is to choose.
  std::string choices(const metric::State*) const override {
    return fmt::format("model:#{:08x}", fingerprint(model_) >> 32);
  }

  Explanation explain(const metric::Batch& batch, const metric::State*) const override;

 protected:
  double value(const metric::Batch& batch, std::size_t k, const metric::State*) const override {
    return score(model_, scores_of(batch, k));
  }

 private:
  static std::vector<double> scores_of(const metric::Batch& batch, std::size_t k) {
    std::vector<double> scores;
    for (const std::vector<double>& one : batch.built_on) scores.push_back(one[k]);
    return scores;
  }

  Model model_;
  metric::Info info_;
};

Explanation Composite::explain(const metric::Batch& batch, const metric::State*) const {
  const std::vector<double> scores = scores_of(batch, 0);
  const Shares shares = explain_inputs(model_, scores);
  Explanation explanation;
  explanation.metric = info_.name;
  explanation.summary = {
      fmt::format("P(human) is {:.4f}; a caption with the mean scores of the training captions has {:.4f}",
                  shares.end, shares.start),
      "contributions are Shapley values: what a score changes when it moves from the mean to the caption's, "
      "over all "
      "orders of the scores"};
  Explanation::Table table{"what moves P(human)", {"score", "value", "training mean", "contribution"}, {}};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    table.rows.push_back({model_.inputs[i].score, fmt::format("{:.4f}", scores[i]),
                          fmt::format("{:.4f}", model_.inputs[i].mean),
                          fmt::format("{:+.4f}", shares.shares[i])});
  }
  table.rows.push_back({"all", "", "", fmt::format("{:+.4f}", shares.end - shares.start)});
  explanation.tables.push_back(std::move(table));
  explanation.tables.push_back(
      {"the model",
       {"about", "is"},
       {{"trained on", model_.origin.data}, {"training ended by", model_.origin.humans}}});
  return explanation;
}

}  // namespace

std::unique_ptr<metric::Metric> make_composite(std::string name, Model model) {
  return std::make_unique<Composite>(std::move(name), std::move(model));
}

}  // namespace capella::method::composite
