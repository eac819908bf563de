// Scores that another program gave to the rows of a benchmark.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "io/benchmark.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

std::size_t row_of(const Record& record, const Benchmark& benchmark) {
  if (!benchmark.pairwise()) return record.whole({"row"}, benchmark.rows_of_file());
  const std::size_t pair = record.whole({"pair"}, benchmark.pairs.size());
  return 2 * pair + record.whole({"candidate"}, 2);
}

std::string name_row(std::size_t row, const Benchmark& benchmark) {
  return benchmark.pairwise() ? fmt::format("candidate {} of pair {}", row % 2, row / 2)
                              : fmt::format("row {}", row);
}

void check_complete(const Source& source, const std::vector<double>& scores, const Benchmark& benchmark) {
  const auto is_missing = [](double score) { return std::isnan(score); };
  const auto first = std::find_if(scores.begin(), scores.end(), is_missing);
  if (first == scores.end()) return;
  const auto missing = static_cast<std::size_t>(std::count_if(first, scores.end(), is_missing));
  const std::string name = name_row(static_cast<std::size_t>(first - scores.begin()), benchmark);
  throw DataError(
      fmt::format("{}: {} of {} rows have a score; the first without one is {}; give one for each",
                  source.name, grouped(scores.size() - missing), grouped(scores.size()), name));
}

}  // namespace

std::vector<double> read_scores(const std::string& path, const Benchmark& benchmark) {
  const Source source = open_records(path, "scores as JSON lines");
  std::vector<double> scores(benchmark.rows_of_file(), std::numeric_limits<double>::quiet_NaN());
  for_each_record(source, [&](const Record& record) {
    double& score = scores[row_of(record, benchmark)];
    if (!std::isnan(score)) {
      const auto row = static_cast<std::size_t>(&score - scores.data());
      throw RowProblem{fmt::format("{} has a second score, expected one", name_row(row, benchmark))};
    }
    score = record.number({"score"});
  });
  check_complete(source, scores, benchmark);
  return kept_values(benchmark, std::move(scores));
}

}  // namespace capella::io
