// A small BERT or RoBERTa-like classifier of pairs with a tokenizer, in a folder as Hugging Face writes it.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "support/small_encoders.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::test {

enum class Head { none, bert, roberta };

class SmallClassifier {
 public:
  using Labels = std::vector<std::string>;

  /// No labels: the configuration does not name them; there are three.
  explicit SmallClassifier(Head head = Head::bert,
                           const Labels& labels = {"contradiction", "neutral", "entailment"}) {
    MemoryWeights weights = small_bert("bert.");
    std::mt19937_64 random(3);
    const std::size_t count = labels.empty() ? 3 : labels.size();
    if (head == Head::roberta) weights.fill_linear("classifier.dense", kSmallWidth, kSmallWidth, random);
    if (head != Head::none)
      weights.fill_linear(head == Head::roberta ? "classifier.out_proj" : "classifier", count, kSmallWidth,
                          random);
    nlohmann::json config = small_bert_config();
    for (std::size_t k = 0; k < labels.size(); ++k) config["id2label"][std::to_string(k)] = labels[k];
    folder_.write("model.safetensors", weights.bytes());
    folder_.write("config.json", config.dump());
    folder_.write("vocab.txt",
                  word_lines({"a", "dog", "cat", "runs", "sleeps", "on", "grass", "red", "two"}));
  }

  std::string path() const { return folder_.path().string(); }
  const TempDir& folder() const { return folder_; }

 private:
  TempDir folder_;
};

}  // namespace capella::test
