// Nebula and Polaris: captions with references and the mean of people's five-point ratings, from 0 to 1.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "io/benchmark_builder.h"
#include "io/benchmark_readers.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

struct RatedCaptions {
  Benchmark benchmark;
  std::size_t judgements = 0;  ///< how many are behind the scores; 0 if the file does not say
};

RatedCaptions read_rated_captions(const std::string& path) {
  const Source source = open_records(path, "rated captions");
  BenchmarkBuilder builder;
  RatedCaptions result;
  for_each_record(source, [&](const Record& record) {
    const double score = record.number({"score", "human_score"}, {0, 1});
    const FieldNames image_names{"imgid", "file_name", "image_id", "image", "img"};
    const std::string image =
        record.has(image_names) ? record.id(image_names) : fmt::format("row {}", builder.rows());
    builder.add_row(image, builder.copy(record.text({"mt", "cand"})),
                    builder.copy(record.texts({"refs", "references"})));
    builder.benchmark().ratings.push_back(score);
    if (record.has({"judgements"})) result.judgements += record.whole({"judgements"}, 1'000'000);
  });
  result.benchmark = builder.build();
  return result;
}

// Nebula's scores were corrected after the first publication, in files of the same shape. The first version
// of the test split is recognised by its size and its mean.
bool is_original_nebula_test(const Benchmark& benchmark) {
  constexpr std::size_t kRows = 3298;
  constexpr double kMean = 0.5203494477988493;
  const double sum = std::accumulate(benchmark.ratings.begin(), benchmark.ratings.end(), 0.0);
  return benchmark.rows() == kRows && std::abs(sum / kRows - kMean) < 1e-9;
}

std::string prepared_version(std::size_t judgements) {
  return fmt::format("means of {} judgements, as the file says", grouped(judgements));
}

}  // namespace

Benchmark read_nebula(const std::string& path, const BenchmarkOptions&) {
  auto [benchmark, judgements] = read_rated_captions(path);
  if (is_original_nebula_test(benchmark)) {
    benchmark.version = "test split, original scores";
    benchmark.published = true;
  } else if (judgements > 0) {
    benchmark.version = prepared_version(judgements);
  } else {
    benchmark.version = "scores as in the file; it does not say whether original or corrected";
  }
  return benchmark;
}

Benchmark read_polaris(const std::string& path, const BenchmarkOptions&) {
  auto [benchmark, judgements] = read_rated_captions(path);
  benchmark.version = judgements > 0 ? prepared_version(judgements) : "scores as in the file";
  return benchmark;
}

}  // namespace capella::io
