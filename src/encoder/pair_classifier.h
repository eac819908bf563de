// Pairs of texts to what a classifier on top of BERT or RoBERTa says of them: a model's folder with its
// tokenizer.
//
// Each pair is judged once, however often it is asked about; short and long ones do not share batches. An
// answer depends on its pair alone, so neither threads nor batches change a bit.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/encoder_engine.h"
#include "encoder/encoding.h"

namespace capella::encoder {

struct PairAnswers {
  std::size_t labels = 0;
  std::vector<float> logits;     ///< [pairs][labels], before any softmax
  std::vector<std::size_t> cut;  ///< pairs, ascending, that have more tokens than the model takes
  std::size_t distinct = 0;      ///< pairs that the model was asked about

  std::span<const float> row(std::size_t pair) const { return {logits.data() + pair * labels, labels}; }
};

class PairClassifier {
 public:
  /// A folder as Hugging Face writes BertForSequenceClassification or RobertaForSequenceClassification.
  /// Throws FileError.
  explicit PairClassifier(const std::string& folder, const EncoderEngine& engine = {});
  ~PairClassifier();
  PairClassifier(PairClassifier&&) noexcept;

  /// "roberta-large-mnli(0f3a91c2)": the folder's name and the first digits of the fingerprint.
  const std::string& description() const;
  const std::string& labels_file() const;  ///< where labels have their names: for errors
  const std::vector<std::string>& labels() const;
  /// Tokens of a pair, special ones counted. Of a longer one the ends are left out, of the longer text first.
  std::size_t most_tokens() const;

  /// Of texts that belong together, place by place. Any thread may call it at any time.
  PairAnswers answers(std::span<const std::string_view> first, std::span<const std::string_view> second,
                      const EncodeWork& work = {}) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::encoder
