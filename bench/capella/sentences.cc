// Vectors of texts by the encoder MiniLM, from texts in memory; the model is read before. Captions are
// encoded; references are, too, or come from the folder in which an earlier run kept them.
#include <filesystem>
#include <numeric>

#include "capella/data.h"
#include "capella/pipeline.h"

#include "encoder/sentence_encoder.h"
#include "measure.h"
#include "support/temp_dir.h"

namespace capella::bench {
namespace {

using encoder::EmbeddingFolder;
using encoder::EncodeWork;
using encoder::SentenceEncoder;
using Texts = std::span<const std::string_view>;

// One number of each text's vectors.
using Encode = std::vector<double> (*)(const SentenceEncoder& encoder, Texts texts, const EncodeWork& work);

std::vector<double> encode_sentences(const SentenceEncoder& encoder, Texts texts, const EncodeWork& work) {
  const encoder::Features found = encoder.sentences(texts, encoder::Pooling::as_told, work);
  std::vector<double> firsts;
  for (std::size_t i = 0; i < found.size(); ++i) firsts.push_back(found.row(i)[0]);
  return firsts;
}

std::vector<double> encode_tokens(const SentenceEncoder& encoder, Texts texts, const EncodeWork& work) {
  const auto found = encoder.encode(texts, {encoder.layers(), 0, true}, work);
  std::vector<double> lasts;
  for (std::size_t i = 0; i < found->size(); ++i)
    lasts.push_back((*found)[i].vector((*found)[i].ids.size() - 1)[0]);
  return lasts;
}

// A new encoder each time, as a new process would have it.
nlohmann::json run_references(const Job& job, Encode encode, const EmbeddingFolder& kept) {
  const Dataset dataset = read_dataset(job.references, std::vector{job.captions}, {});
  ThreadPool pool(job.threads);
  const EncodeWork work{&pool, {}};
  if (!kept.path.empty())
    encode(SentenceEncoder(data_path("minilm"), {}, kept), dataset.all_references(), work);
  std::vector<SentenceEncoder> encoders;
  for (std::size_t k = 0; k < job.repetitions; ++k)
    encoders.emplace_back(data_path("minilm"), encoder::EncoderEngine{}, kept);
  std::vector<double> numbers;
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t k) {
    numbers = encode(encoders[k], dataset.all_references(), work);
  }));
  answer["values"] = {{"vectors", {{"items", numbers}}}};
  return answer;
}

}  // namespace

nlohmann::json run_sentences(const Job& job) {
  const Dataset dataset = read_dataset(job.references, std::vector{job.captions}, {});
  const Texts captions = dataset.systems()[0].captions;
  ThreadPool pool(job.threads);
  std::vector<SentenceEncoder> encoders;  // an encoder knows again what it has encoded
  for (std::size_t k = 0; k < job.repetitions; ++k) encoders.emplace_back(data_path("minilm"));
  encoder::Features vectors;
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t k) {
    vectors = encoders[k].sentences(captions, encoder::Pooling::as_told, {&pool, {}});
  }));
  answer["values"] = {{"vectors", {{"items", vectors.values}}}};
  return answer;
}

nlohmann::json run_reference_sentences(const Job& job) {
  return run_references(job, encode_sentences, {});
}
nlohmann::json run_kept_sentences(const Job& job) {
  const test::TempDir folder;
  return run_references(job, encode_sentences, {folder.path().string()});
}
nlohmann::json run_reference_tokens(const Job& job) {
  return run_references(job, encode_tokens, {});
}
nlohmann::json run_kept_tokens(const Job& job) {
  const test::TempDir folder;
  return run_references(job, encode_tokens, {folder.path().string()});
}

}  // namespace capella::bench
