#include "metric/cider_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

#include "metric/ngram_overlap.h"

namespace capella::metric {

using text::kMaxOrder;
using text::NgramId;

namespace {

// The caption's n-grams, heaviest first, and how many references have each.
Explanation::Table weight_table(const text::TextSet& texts, const CiderVector& caption,
                                std::span<const std::size_t> hits) {
  const auto ngrams = caption.ngrams.all();
  const auto weight = [&](std::size_t i) { return static_cast<double>(ngrams[i].count) * caption.idf[i]; };
  std::vector<std::size_t> order(ngrams.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  Explanation::Table table{
      "weight of the caption's n-grams, heaviest first", {"n-gram", "weight", "references with it"}, {}};
  for (const std::size_t i : order) {
    table.rows.push_back(
        {texts.ngram_text(ngrams[i].id), fmt::format("{:.4f}", weight(i)), fmt::to_string(hits[i])});
  }
  return table;
}

}  // namespace

std::vector<std::uint32_t> count_documents(const References& references) {
  struct Seen {
    std::uint32_t items = 0;
    std::uint32_t last = 0xFFFFFFFF;  // the item that was counted last
  };
  std::vector<Seen> seen(references.tokens.ngram_index().size());
  for (std::uint32_t item = 0; item < references.items(); ++item) {
    for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
      for (const text::NgramCount& ngram : references.tokens.ngrams(r).all()) {
        Seen& entry = seen[ngram.id];
        entry.items += entry.last != item;
        entry.last = item;
      }
    }
  }
  std::vector<std::uint32_t> frequencies;
  frequencies.reserve(seen.size());
  for (const Seen& entry : seen) frequencies.push_back(entry.items);
  return frequencies;
}

CiderWeights::CiderWeights(const References& references, const Resources& resources)
    : references_(references.tokens), table_(resources.document_frequencies) {
  if (table_ == nullptr) {
    count_references(references);
  } else {
    look_up(references);
  }
  std::vector<CiderNorms> all_norms;
  all_norms.reserve(references_.size());
  for (std::size_t r = 0; r < references_.size(); ++r) all_norms.push_back(norms(references_, r));
  norms_ = std::move(all_norms);
}

void CiderWeights::count_references(const References& references) {
  log_documents_ = std::log(static_cast<double>(references.items()));
  description_ = fmt::format("refs({})", references.items());
  const std::vector<std::uint32_t> frequencies = count_documents(references);
  const std::uint32_t highest =
      frequencies.empty() ? 0 : *std::max_element(frequencies.begin(), frequencies.end());
  std::vector<double> idf_of_frequency;  // far fewer than n-grams, and logarithms are slow
  for (std::uint32_t frequency = 0; frequency <= highest; ++frequency) {
    idf_of_frequency.push_back(log_documents_ - std::log(std::max(1.0, static_cast<double>(frequency))));
  }
  idf_.reserve(frequencies.size());
  for (const std::uint32_t frequency : frequencies) idf_.push_back(idf_of_frequency[frequency]);
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
  return log_documents_ -
         std::log(std::max(1.0, static_cast<double>(table_->frequency(texts.ngram_hash(id)))));
}

CiderNorms CiderWeights::norms(const text::TextSet& texts, std::size_t sentence) const {
  if (&texts == &references_ && sentence < norms_.size()) return norms_[sentence];
  return CiderVector(*this, texts, sentence).norms;
}

CiderVector::CiderVector(const CiderWeights& weights, const text::TextSet& texts, std::size_t sentence)
    : ngrams(texts.ngrams(sentence)) {
  idf.reserve(ngrams.all().size());
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    double squares = 0.0;
    for (const auto& [id, count] : ngrams.order(n)) {
      idf.push_back(weights.idf(texts, id));
      const double weight = static_cast<double>(count) * idf.back();
      squares += weight * weight;
    }
    norms[n - 1] = std::sqrt(squares);
  }
}

double CiderMetric::Pair::length(const text::TextSet& texts, std::size_t sentence) {
  return static_cast<double>(std::max<std::size_t>(texts.words(sentence).size(), 1) - 1);
}

CiderMetric::CiderMetric(std::string name, std::string score_name, const Settings& settings)
    : info_{std::move(name),
            {{std::move(score_name), 10.0, 100.0}},
            2,
            text::Detail::ngrams,
            /*uses_document_frequencies=*/true} {
  const std::string& table = settings.text("df");
  if (table.empty()) {
    throw UsageError(settings.metric() + ".df: found '', expected run, refs, coco-val or the path of a file");
  }
  if (table != "run") info_.document_frequencies = table;
}

std::unique_ptr<const State> CiderMetric::prepare(const References& references,
                                                  const Resources& resources) const {
  return std::make_unique<CiderWeights>(references, resources);
}

std::vector<std::string> CiderMetric::warnings(const State* state) const {
  if (!static_cast<const CiderWeights*>(state)->useless()) return {};
  return {
      fmt::format("{} is 0 for every caption: with a single image all n-grams are equally rare; take the "
                  "frequencies from a "
                  "larger corpus with --df coco-val or --df FILE",
                  info_.scores[0].name)};
}

std::string CiderMetric::df_choice(const State* state) const {
  return "df:" + static_cast<const CiderWeights*>(state)->description();
}

std::array<double, kMaxOrder> CiderMetric::similarity(const Pair& pair, const CiderVector& caption,
                                                      const CiderWeights& weights,
                                                      std::span<const std::uint32_t> counts) const {
  const double multiplier = factor(pair);
  const CiderNorms norms = weights.norms(pair.batch.references.tokens, pair.reference);
  std::array<double, kMaxOrder> similarity{};
  std::size_t i = 0;  // counts and caption.idf are parallel to all n-grams, order by order
  for (std::size_t n = 0; n < kMaxOrder; ++n) {
    double sum = 0.0;
    for (const text::NgramCount& ngram : caption.ngrams.order(n + 1)) {
      if (counts[i] > 0) {
        sum += product(static_cast<double>(ngram.count) * caption.idf[i],
                       static_cast<double>(counts[i]) * caption.idf[i]);
      }
      ++i;
    }
    if (caption.norms[n] != 0 && norms[n] != 0) sum /= caption.norms[n] * norms[n];
    similarity[n] = sum * multiplier;
  }
  return similarity;
}

double CiderMetric::value(const Batch& batch, std::size_t k, const State* state) const {
  const auto& weights = *static_cast<const CiderWeights*>(state);
  const References& references = batch.references;
  const std::size_t item = batch.items[k];
  const CiderVector caption(weights, batch.tokens, k);
  NgramOverlap overlap(caption.ngrams);
  std::array<double, kMaxOrder> sums{};
  for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
    const auto similarities =
        similarity({batch, k, r}, caption, weights, overlap.counts_in(references.tokens.ngrams(r)));
    for (std::size_t n = 0; n < kMaxOrder; ++n) sums[n] += similarities[n];
  }
  const double mean = (((sums[0] + sums[1]) + sums[2]) + sums[3]) / 4.0;
  return mean / static_cast<double>(references.end(item) - references.begin(item)) * 10.0;
}

Explanation CiderMetric::explain(const Batch& batch, const State* state) const {
  const auto& weights = *static_cast<const CiderWeights*>(state);
  const References& references = batch.references;
  Explanation::Table against{"against each reference", {"reference", "n = 1", "n = 2", "n = 3", "n = 4"}, {}};
  const CiderVector caption(weights, batch.tokens, 0);
  NgramOverlap overlap(caption.ngrams);
  std::vector<std::size_t> hits(caption.idf.size());
  for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r) {
    const auto counts = overlap.counts_in(references.tokens.ngrams(r));
    std::vector<std::string>& row = against.rows.emplace_back();
    row.emplace_back(references.tokens.text(r));
    for (const double s : similarity({batch, 0, r}, caption, weights, counts))
      row.push_back(fmt::format("{:.4f}", s));
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] += counts[i] > 0;
  }
  const std::string how =
      fmt::format("n-grams are weighed by how few images have them ({})", df_choice(state));
  std::vector<std::string> summary = warnings(state);
  summary.push_back(how);
  return {info_.name, std::move(summary), {std::move(against), weight_table(batch.tokens, caption, hits)}};
}

}  // namespace capella::metric
