// A small encoder of sentences with random weights in a folder as sentence-transformers write it, and what it
// says of single texts.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "encoder/bert.h"
#include "encoder/model_folder.h"
#include "encoder/sentence_encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "reference/encoder_scores_reference.h"
#include "support/small_encoders.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::test {

class SmallSentenceEncoder {
 public:
  static constexpr std::size_t kTokens = 20;            ///< that a text may have
  static constexpr std::size_t kTokensInSentence = 12;  ///< that a sentence's vector sees

  explicit SmallSentenceEncoder(std::size_t layers = 2) {
    folder_.write("vocab.txt", word_lines({"a", "dog", "cat", "run", "##s", "on", "grass", "red", ",", "!"}));
    folder_.write("config.json", small_bert_config("bert", layers).dump());
    folder_.write("model.safetensors", small_bert("", layers).bytes());
    folder_.write("modules.json", R"([{"type": "sentence_transformers.models.Transformer", "path": ""},
      {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
      {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"}])");
    folder_.write("1_Pooling/config.json",
                  R"({"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false})");
    folder_.write("sentence_bert_config.json", R"({"max_seq_length": 12})");
  }

  std::string path() const { return folder_.path().string(); }
  const TempDir& folder() const { return folder_; }

  /// The tokens of one text, encoded alone: vectors after each layer, the embeddings first.
  std::vector<reference::TokenText> layers(const std::string& text, std::size_t most = kTokens) const {
    const encoder::ModelFolder folder(path());
    const auto tokenizer = encoder::open_tokenizer(folder);
    const auto ids = tokenizer->tokens(text, most).ids;
    std::vector<reference::TokenText> layers;
    const encoder::Bert bert(folder);
    bert.run(tensor::kernels(), token_batch({ids}), bert.layers(),
             [&](std::size_t, const float* rows, std::size_t stride) {
               reference::TokenText& layer = layers.emplace_back();
               for (std::size_t t = 0; t < ids.size(); ++t) {
                 layer.tokens.emplace_back(tokenizer->piece(ids[t]));
                 layer.vectors.emplace_back(rows + t * stride, rows + t * stride + bert.width());
               }
             });
    return layers;
  }

  /// The mean of the last layer's vectors.
  reference::Vector sentence(const std::string& text) const {
    const reference::TokenText last = layers(text, kTokensInSentence).back();
    reference::Vector mean(last.vectors[0].size());
    for (const reference::Vector& vector : last.vectors) {
      for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] += vector[i] / static_cast<double>(last.vectors.size());
    }
    return mean;
  }

 private:
  TempDir folder_;
};

}  // namespace capella::test
