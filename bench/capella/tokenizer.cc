// From raw captions in memory to their tokens.
#include "capella/pipeline.h"

#include "measure.h"

namespace capella::bench {

nlohmann::json run_tokenizer(const Job& job) {
  const Dataset dataset = read_dataset(job.references, {}, {});
  std::vector<std::string> lines;
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    lines = tokenize(dataset.all_references(), job.tokenizer, job.threads);
  }));
  answer["lines"] = std::move(lines);
  return answer;
}

}  // namespace capella::bench
