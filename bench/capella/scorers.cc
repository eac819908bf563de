// From captions in memory to the scores of the corpus and of every caption.
#include "capella/pipeline.h"

#include "measure.h"

namespace capella::bench {
namespace {

nlohmann::json values_of(const Result& result) {
  nlohmann::json values;
  for (std::size_t column = 0; column < result.columns.size(); ++column) {
    nlohmann::json items = nlohmann::json::array();
    for (std::size_t item = 0; item < result.ids.size(); ++item)
      items.push_back(result.item_value(0, item, column));
    values[result.columns[column].name] = {{"corpus", result.systems[0].values[column]},
                                           {"items", std::move(items)}};
  }
  return values;
}

}  // namespace

nlohmann::json run_scorers(const Job& job) {
  const Dataset dataset = read_dataset(job.references, std::vector{job.captions}, {});
  ScoreOptions options;
  options.metrics = job.metrics;
  options.tokenizer = job.tokenizer;
  options.threads = job.threads;
  Result result;
  nlohmann::json answer =
      measured(time_each(job.repetitions, [&](std::size_t) { result = score(dataset, options); }));
  answer["values"] = values_of(result);
  return answer;
}

}  // namespace capella::bench
