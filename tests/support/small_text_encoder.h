// A small BERT with a tokenizer, in a folder as Hugging Face or sentence-transformers write it.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/small_encoders.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::test {

class SmallTextEncoder {
 public:
  static constexpr std::size_t kLayers = 3;  ///< with that of the embeddings

  /// Other seeds give other models. `pooled`: with what sentence-transformers say about pooling.
  explicit SmallTextEncoder(unsigned seed = 5, bool pooled = false) {
    MemoryWeights weights = small_bert();
    std::mt19937_64 random(seed);
    weights.fill("embeddings.word_embeddings.weight", {60, kSmallWidth}, random, 1.0f);
    folder_.write("model.safetensors", weights.bytes());
    folder_.write("config.json", small_bert_config().dump());
    folder_.write("vocab.txt",
                  word_lines({"a", "dog", "cat", "runs", "sleeps", "on", "grass", "red", "two"}));
    folder_.write("tokenizer_config.json", R"({"do_lower_case": true})");
    if (!pooled) return;
    folder_.write("modules.json", R"([
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}])");
    std::filesystem::create_directory(folder_.path() / "1_Pooling");
    folder_.write("1_Pooling/config.json",
                  R"({"word_embedding_dimension": 32, "pooling_mode_mean_tokens": true})");
  }

  std::string path() const { return folder_.path().string(); }
  const TempDir& folder() const { return folder_; }

 private:
  TempDir folder_;
};

}  // namespace capella::test
