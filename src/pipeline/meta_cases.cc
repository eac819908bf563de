// The captions on which a metric and people are furthest apart.
//
// Scores and ratings live on different scales, so both are turned into places: the share of captions below,
// ties counting half. A caption that several judges rated counts once, with the mean of its ratings.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "pipeline/meta_agreement.h"
#include "stats/correlation.h"

namespace capella::pipeline {
namespace {

// One caption of one image.
struct JudgedCaption {
  std::size_t row;  // the first
  double rating = 0;
  double judgements = 0;
};

std::vector<JudgedCaption> judged_captions(const io::Benchmark& benchmark) {
  std::map<std::pair<std::uint32_t, std::string_view>, std::size_t> places;
  std::vector<JudgedCaption> captions;
  for (std::size_t row = 0; row < benchmark.rows(); ++row) {
    const std::pair key(benchmark.images[row], benchmark.dataset.systems()[0].captions[row]);
    const auto [place, is_new] = places.emplace(key, captions.size());
    if (is_new) captions.push_back({row});
    JudgedCaption& caption = captions[place->second];
    caption.rating += benchmark.ratings[row];
    caption.judgements += 1;
  }
  for (JudgedCaption& caption : captions) caption.rating /= caption.judgements;
  return captions;
}

// Between 0 and 1: the middle of the values equal to each.
std::vector<double> places_of(std::span<const double> values) {
  std::vector<double> places = stats::average_ranks(values);
  for (double& place : places) place = (place - 0.5) / static_cast<double>(values.size());
  return places;
}

std::vector<double> scores_of(const ScoredBenchmark& scored, std::size_t row) {
  std::vector<double> scores;
  for (const ScoreSeries& series : scored.series) scores.push_back(series.values[row]);
  return scores;
}

MetaCase make_case(const ScoredBenchmark& scored, std::size_t metric, std::size_t row) {
  const io::Benchmark& benchmark = scored.benchmark;
  MetaCase found{};
  found.metric = metric;
  found.too_high = true;
  found.image = benchmark.image_names[benchmark.images[row]];
  found.caption = benchmark.dataset.systems()[0].captions[row];
  found.scores = scores_of(scored, row);
  return found;
}

// The `count` places with the largest gaps; of equal ones those that come first.
std::vector<std::size_t> largest(std::span<const double> gaps, std::size_t count) {
  std::vector<std::size_t> order(gaps.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t k) { return !(gaps[k] > 0); });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gaps[a] > gaps[b]; });
  order.resize(std::min(order.size(), count));
  return order;
}

void add_rating_cases(const ScoredBenchmark& scored, std::size_t metric, std::size_t count,
                      std::span<const JudgedCaption> captions, std::vector<MetaCase>& cases) {
  std::vector<double> scores, ratings;
  for (const JudgedCaption& caption : captions) {
    scores.push_back(scored.series[metric].values[caption.row]);
    ratings.push_back(caption.rating);
  }
  const auto score_places = places_of(scores);
  const auto human_places = places_of(ratings);
  for (const bool too_high : {true, false}) {
    std::vector<double> gaps(captions.size());
    for (std::size_t k = 0; k < gaps.size(); ++k)
      gaps[k] = (score_places[k] - human_places[k]) * (too_high ? 1 : -1);
    for (const std::size_t k : largest(gaps, count)) {
      MetaCase& found = cases.emplace_back(make_case(scored, metric, captions[k].row));
      found.too_high = too_high;
      found.human = captions[k].rating;
      found.human_place = human_places[k];
      found.score_place = score_places[k];
    }
  }
}

void add_pair_cases(const ScoredBenchmark& scored, std::size_t metric, std::size_t count,
                    std::vector<MetaCase>& cases) {
  const io::Benchmark& benchmark = scored.benchmark;
  const auto places = places_of(scored.series[metric].values);
  std::vector<double> gaps(benchmark.pairs.size());
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    const std::size_t right = 2 * k + benchmark.pairs[k].preferred;
    gaps[k] = places[2 * k + 1 - benchmark.pairs[k].preferred] - places[right];
  }
  for (const std::size_t k : largest(gaps, count)) {
    const std::size_t right = 2 * k + benchmark.pairs[k].preferred;
    MetaCase& found = cases.emplace_back(make_case(scored, metric, 2 * k + 1 - benchmark.pairs[k].preferred));
    found.score_place = gaps[k];
    found.other = benchmark.dataset.systems()[0].captions[right];
    found.other_scores = scores_of(scored, right);
  }
}

}  // namespace

std::vector<MetaCase> find_cases(const ScoredBenchmark& scored, std::size_t count) {
  std::vector<MetaCase> cases;
  const bool pairwise = scored.benchmark.pairwise();
  const auto captions = pairwise ? std::vector<JudgedCaption>() : judged_captions(scored.benchmark);
  for (std::size_t metric = 0; metric < scored.series.size(); ++metric) {
    if (pairwise) {
      add_pair_cases(scored, metric, count, cases);
    } else {
      add_rating_cases(scored, metric, count, captions, cases);
    }
  }
  return cases;
}

}  // namespace capella::pipeline
