#include "metric/cider_weights.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "metric/ngram_lookup.h"

namespace capella::metric {

using text::kMaxOrder;
using text::NgramId;

std::vector<std::uint32_t> count_documents(const References& references) {
  const NgramId ngrams = references.tokens.ngram_index().size();
  std::vector<std::uint32_t> frequency(ngrams);
  std::vector<std::uint32_t> last_item(ngrams, 0xFFFFFFFF);
  for (std::size_t item = 0; item < references.items(); ++item) {
    for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
      for (const auto& [id, count] : references.tokens.ngrams(r).all()) {
        if (last_item[id] == item) continue;
        last_item[id] = static_cast<std::uint32_t>(item);
        ++frequency[id];
      }
    }
  }
  return frequency;
}

CiderWeights::CiderWeights(const References& references, const Resources& resources) : table_(resources.document_frequencies) {
  if (table_ == nullptr) {
    count_references(references);
  } else {
    look_up(references);
  }
}

void CiderWeights::count_references(const References& references) {
  log_documents_ = std::log(static_cast<double>(references.items()));
  description_ = fmt::format("refs({})", references.items());
  for (const std::uint32_t frequency : count_documents(references)) {
    idf_.push_back(log_documents_ - std::log(std::max(1.0, static_cast<double>(frequency))));
  }
}

void CiderWeights::look_up(const References& references) {
  log_documents_ = std::log(static_cast<double>(table_->documents()));
  description_ = table_->description();
  const NgramId ngrams = references.tokens.ngram_index().size();
  std::vector<double> idf;
  idf.reserve(ngrams);
  for (NgramId id = 0; id < ngrams; ++id) idf.push_back(this->idf(references.tokens, id));
  idf_ = std::move(idf);
}

double CiderWeights::idf(const text::TextSet& texts, NgramId id) const {
  if (id < idf_.size()) return idf_[id];
  if (table_ == nullptr) return log_documents_;
  return log_documents_ - std::log(std::max(1.0, static_cast<double>(table_->frequency(texts.ngram_hash(id)))));
}

CiderVector::CiderVector(const CiderWeights& cider, const text::TextSet& texts, std::size_t sentence)
    : ngrams(texts.ngrams(sentence)), bigrams(static_cast<double>(std::max<std::size_t>(texts.words(sentence).size(), 1) - 1)) {
  weights.reserve(ngrams.all().size());
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    double squares = 0.0;
    for (const auto& [id, count] : ngrams.order(n)) {
      const double weight = static_cast<double>(count) * cider.idf(texts, id);
      weights.push_back(weight);
      squares += weight * weight;
    }
    norm[n - 1] = std::sqrt(squares);
  }
}

std::span<const double> CiderVector::order_weights(std::size_t n) const {
  const auto begin = static_cast<std::size_t>(ngrams.order(n).data() - ngrams.all().data());
  return std::span(weights).subspan(begin, ngrams.order(n).size());
}

CiderMetric::CiderMetric(std::string name, std::string score_name)
    : info_{std::move(name), {{std::move(score_name), 10.0, 100.0}}, 2} {}

std::unique_ptr<const State> CiderMetric::prepare(const References& references, const Resources& resources) const {
  return std::make_unique<CiderWeights>(references, resources);
}

std::vector<std::string> CiderMetric::warnings(const State* state) const {
  if (!static_cast<const CiderWeights*>(state)->useless()) return {};
  return {fmt::format("{} is 0 for every caption: with a single image all n-grams are equally rare; take the frequencies from a "
                      "larger corpus with --df coco-val or --df FILE",
                      info_.scores[0].name)};
}

std::string CiderMetric::df_choice(const State* state) const {
  return "df:" + static_cast<const CiderWeights*>(state)->description();
}

std::array<double, kMaxOrder> CiderMetric::similarity(const Pair& pair) const {
  const double multiplier = factor(pair);
  std::array<double, kMaxOrder> similarity{};
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    const auto candidate = pair.candidate.ngrams.order(n);
    const auto candidate_weights = pair.candidate.order_weights(n);
    const auto reference_weights = pair.against.order_weights(n);
    const NgramLookup lookup(pair.against.ngrams.order(n));
    double& sum = similarity[n - 1];
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      const std::size_t place = lookup.find(candidate[i].id);
      if (place != NgramLookup::kNone) sum += product(candidate_weights[i], reference_weights[place]);
    }
    const double norms = pair.candidate.norm[n - 1] * pair.against.norm[n - 1];
    if (pair.candidate.norm[n - 1] != 0 && pair.against.norm[n - 1] != 0) sum /= norms;
    sum *= multiplier;
  }
  return similarity;
}

double CiderMetric::value(const Batch& batch, std::size_t k, const State* state) const {
  const auto& weights = *static_cast<const CiderWeights*>(state);
  const References& references = batch.references;
  const std::size_t item = batch.items[k];
  const CiderVector candidate(weights, batch.tokens, k);
  std::array<double, kMaxOrder> sums{};
  for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
    const CiderVector against(weights, references.tokens, r);
    const auto similarities = similarity({batch, k, r, candidate, against});
    for (std::size_t n = 0; n < kMaxOrder; ++n) sums[n] += similarities[n];
  }
  const double mean = (((sums[0] + sums[1]) + sums[2]) + sums[3]) / 4.0;
  return mean / static_cast<double>(references.end(item) - references.begin(item)) * 10.0;
}

Explanation CiderMetric::explain(const Batch& batch, const State* state) const {
  const auto& weights = *static_cast<const CiderWeights*>(state);
  const References& references = batch.references;
  Explanation explanation{info_.name, {}, {}};
  Explanation::Table ngrams{"weight of the caption's n-grams, heaviest first", {"n-gram", "weight", "references with it"}, {}};
  Explanation::Table against{"against each reference", {"reference", "n = 1", "n = 2", "n = 3", "n = 4"}, {}};

  const CiderVector candidate(weights, batch.tokens, 0);
  std::vector<std::size_t> hits(candidate.weights.size());
  for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r) {
    const CiderVector reference(weights, references.tokens, r);
    std::vector<std::string>& row = against.rows.emplace_back();
    row.emplace_back(references.tokens.text(r));
    for (const double s : similarity({batch, 0, r, candidate, reference})) row.push_back(fmt::format("{:.4f}", s));
    const NgramLookup lookup(reference.ngrams.all());
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] += lookup.find(candidate.ngrams.all()[i].id) != NgramLookup::kNone;
  }

  std::vector<std::size_t> order(hits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return candidate.weights[a] > candidate.weights[b]; });
  for (const std::size_t i : order) {
    ngrams.rows.push_back({batch.tokens.ngram_text(candidate.ngrams.all()[i].id), fmt::format("{:.4f}", candidate.weights[i]),
                           fmt::to_string(hits[i])});
  }
  explanation.summary.push_back(fmt::format("n-grams are weighed by how few images have them ({})", df_choice(state)));
  explanation.tables = {std::move(against), std::move(ngrams)};
  return explanation;
}

}  // namespace capella::metric
