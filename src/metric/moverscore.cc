#include "metric/moverscore.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "capella/error.h"

#include "metric/moverscore_distance.h"

namespace capella::metric {
namespace {

constexpr std::string_view kVersions[] = {"1", "2"};
constexpr std::string_view kSubwords[] = {"auto", "keep", "drop"};
constexpr std::size_t kLayersOfVersion1 = 5;

class MoverScore final : public Metric {
 public:
  explicit MoverScore(const Settings& settings)
      : first_version_(settings.choice("version", kVersions) == 0), idf_(settings.flag("idf")) {
    const std::size_t subwords = settings.choice("subwords", kSubwords);
    options_.squared = first_version_;
    options_.drops_subwords = subwords == 0 ? !first_version_ : subwords == 2;
    info_.name = "moverscore";
    // Squared distances of vectors of length 1 are 4 at most.
    info_.scores = {{"MoverScore", 1.0, 100.0, Shown::always, first_version_ ? -3.0 : 0.0}};
    info_.row_width = 2;
    info_.reads = text::Detail::captions;
    want_encoder(settings, info_);
    info_.weighs_by_references = idf_;
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    const std::size_t last = resources.encoder->layers();
    if (first_version_ && last < kLayersOfVersion1)
      throw UsageError(fmt::format("moverscore.version=1 takes the last {} layers, but {} has {}",
                                   kLayersOfVersion1, resources.encoder->description(), last));
    const encoder::StateReading reading{last, first_version_ ? kLayersOfVersion1 : 0, true};
    return std::make_unique<TokenState>(references, resources, reading, idf_);
  }

  // A row is {score, 1}; a caption's score is the mean over its references.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const TokenBatchVectors vectors(batch, prepared_of(state), true);
    MoverDistance distance(prepared_of(state), options_);
    for (std::size_t k = 0; k < batch.size(); ++k, out += 2) {
      double sum = 0.0;
      for (std::size_t r = 0; r < vectors.references(k); ++r)
        sum += score(distance.find(vectors.caption(k), vectors.reference(k, r)));
      out[0] = vectors.references(k) == 0 ? 0.0 : sum / static_cast<double>(vectors.references(k));
      out[1] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[1];
  }

  std::string choices(const State* state) const override {
    const TokenState& prepared = prepared_of(state);
    return fmt::format("model:{}|version:{}|layer:{}|idf:{}|subwords:{}|ref:mean",
                       prepared.encoder().description(), first_version_ ? 1 : 2, prepared.reading().layer,
                       idf_ ? "refs" : "no", options_.drops_subwords ? "drop" : "keep");
  }

  Explanation explain(const Batch& batch, const State* state) const override;

  std::vector<std::string> warnings(const State* state) const override {
    return prepared_of(state).warnings(info_.name);
  }

 private:
  static const TokenState& prepared_of(const State* state) { return static_cast<const TokenState&>(*state); }

  double score(std::optional<double> distance) const {
    if (!distance) return 0.0;
    return first_version_ ? 1.0 - *distance : 1.0 / (1.0 + *distance);
  }

  bool first_version_;
  bool idf_;
  MoverOptions options_;
  Info info_;
};

// The dearest first: these are what the score was lost by.
Explanation::Table move_table(std::vector<MoverDistance::Move> moves, const encoder::EncodedText& caption,
                              const encoder::EncodedText& reference, const encoder::Tokenizer& tokenizer) {
  Explanation::Table table{"what moves to the nearest reference",
                           {"caption", "reference", "amount", "distance", "amount x distance"},
                           {}};
  std::ranges::stable_sort(moves, std::greater(),
                           [](const auto& move) { return move.amount * move.distance; });
  for (const MoverDistance::Move& move : moves) {
    table.rows.push_back({shown_token(tokenizer, caption.ids[move.from]),
                          shown_token(tokenizer, reference.ids[move.to]), fmt::format("{:.4f}", move.amount),
                          fmt::format("{:.4f}", move.distance),
                          fmt::format("{:.4f}", move.amount * move.distance)});
  }
  return table;
}

Explanation MoverScore::explain(const Batch& batch, const State* state) const {
  const TokenState& prepared = prepared_of(state);
  const TokenBatchVectors vectors(batch, prepared, false);
  MoverDistance distance(prepared, options_);
  Explanation explanation{
      info_.name, {}, {{"against each reference", {"reference", "distance", "score"}, {}}}};
  std::optional<std::size_t> nearest;
  double least = 0.0, sum = 0.0;
  for (std::size_t r = 0; r < vectors.references(0); ++r) {
    const auto found = distance.find(vectors.caption(0), vectors.reference(0, r));
    const std::size_t place = batch.references.begin(batch.items[0]) + r;
    explanation.tables[0].rows.push_back({std::string(batch.references.raw[place]),
                                          found ? fmt::format("{:.4f}", *found) : "-",
                                          fmt::format("{:.4f}", score(found))});
    sum += score(found);
    if (!found || (nearest && *found >= least)) continue;
    nearest = r;
    least = *found;
  }
  const auto count = static_cast<double>(vectors.references(0));
  explanation.summary.push_back(
      nearest ? fmt::format("score {:.4f}, the mean over {} references; the nearest is at distance {:.4f}",
                            sum / count, vectors.references(0), least)
              : "score 0: the caption or its references have no token that counts");
  if (!nearest) return explanation;
  distance.find(vectors.caption(0), vectors.reference(0, *nearest));
  explanation.tables.push_back(move_table(distance.moves(), vectors.caption(0),
                                          vectors.reference(0, *nearest), prepared.encoder().tokenizer()));
  return explanation;
}

}  // namespace

std::unique_ptr<Metric> make_moverscore(const Settings& settings) {
  return std::make_unique<MoverScore>(settings);
}

}  // namespace capella::metric
