// Vectors of captions by the encoder MiniLM, from texts in memory; the model is read before.
#include "capella/data.h"
#include "capella/pipeline.h"

#include "encoder/sentence_encoder.h"
#include "measure.h"

namespace capella::bench {

nlohmann::json run_sentences(const Job& job) {
  const Dataset dataset = read_dataset(job.references, std::vector{job.captions}, {});
  const encoder::SentenceEncoder encoder(data_path("minilm"));
  ThreadPool pool(job.threads);
  encoder::Features vectors;
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    vectors = encoder.sentences(dataset.systems()[0].captions, encoder::Pooling::as_told, {&pool, {}});
  }));
  answer["values"] = {{"vectors", {{"items", vectors.values}}}};
  return answer;
}

}  // namespace capella::bench
