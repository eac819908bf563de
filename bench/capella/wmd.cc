// Word Mover's Distance: every pair of a caption and a reference, none left out, from tokens in memory; and
// the vectors that come with Capella as text, for programs that read word2vec's format.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/pipeline.h"

#include "measure.h"
#include "metric/wmd_scorer.h"
#include "resource/word_vectors_convert.h"

namespace capella::bench {
namespace {

constexpr const char* kVectors = "captions";
constexpr double kInfinite = 1000.0;  // JSON has no infinity

std::vector<double> all_distances(const Dataset& dataset, const resource::WordVectors& vectors) {
  text::StringColumn references, captions;
  for (const std::string_view text : dataset.all_references()) references.push_back(text);
  for (const std::string_view text : dataset.systems()[0].captions) captions.push_back(text);
  const text::TextSet reference_set(std::move(references), text::Detail::words);
  const text::TextSet caption_set(std::move(captions), &reference_set);
  const metric::References given{dataset.all_references(), dataset.reference_ends(), reference_set};
  std::vector<std::uint32_t> items(dataset.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = i;
  const metric::Batch batch{given, items, dataset.systems()[0].captions, caption_set};
  const metric::WmdPrepared prepared(given, vectors, metric::VectorNorm::unit, {});
  metric::WmdScorer scorer(batch, prepared, metric::WmdSolver::exact);
  std::vector<double> distances;
  for (std::size_t k = 0; k < items.size(); ++k) {
    for (const double distance : scorer.distances(k))
      distances.push_back(std::isinf(distance) ? kInfinite : distance);
  }
  return distances;
}

}  // namespace

nlohmann::json run_wmd(const Job& job) {
  const Dataset dataset = read_dataset(job.references, std::vector{job.captions}, {});
  const auto vectors = resource::open_word_vectors(kVectors, {});
  std::vector<double> distances;
  nlohmann::json answer = measured(
      time_each(job.repetitions, [&](std::size_t) { distances = all_distances(dataset, *vectors); }));
  answer["values"] = {{"distance", {{"items", distances}}}};
  return answer;
}

nlohmann::json run_vectors(const Job&) {
  const auto vectors = resource::open_word_vectors(kVectors, {});
  std::vector<float> numbers(vectors->dimensions());
  nlohmann::json lines = {fmt::format("{} {}", vectors->size(), vectors->dimensions())};
  for (std::uint32_t word = 0; word < vectors->size(); ++word) {
    vectors->read(word, numbers);
    lines.push_back(fmt::format("{} {}", vectors->word(word), fmt::join(numbers, " ")));
  }
  nlohmann::json answer = measured({});
  answer["lines"] = std::move(lines);
  return answer;
}

}  // namespace capella::bench
