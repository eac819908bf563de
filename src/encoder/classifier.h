// A BERT or RoBERTa with a layer on top that tells texts, or pairs of them, apart: folders trained for
// natural language inference (MNLI), for example.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "encoder/bert.h"
#include "encoder/model_folder.h"
#include "encoder/token_batch.h"
#include "tensor/float_linear.h"
#include "tensor/kernels.h"

namespace capella::encoder {

class Classifier {
 public:
  /// Reads `classifier` on top of the pooler (BERT), or `classifier.dense` and `classifier.out_proj`
  /// (RoBERTa). Throws FileError.
  explicit Classifier(const ModelFolder& folder);

  const Bert& bert() const { return bert_; }
  /// Special tokens of a pair.
  std::size_t special_tokens() const { return dense_ ? 4 : 3; }
  /// What the configuration's id2label says, e.g. "entailment"; LABEL_0, LABEL_1, ... if it says nothing.
  const std::vector<std::string>& labels() const { return labels_; }

  /// Puts two texts into one sequence, as this kind of model was trained with them. Both come with the
  /// special tokens at their ends.
  void add_pair(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                TokenBatch& batch) const;

  /// [batch.size()][labels().size()]; before any softmax. Any thread may call it at any time.
  void logits(const tensor::Kernels& kernels, const TokenBatch& batch, float* out) const;

  /// The same from what another engine gives of a batch: the pooler's vectors, or else those of the first
  /// tokens, [count][width].
  bool reads_pooled() const { return !dense_; }
  void logits_of(const tensor::Kernels& kernels, const float* read, std::size_t count, float* out) const;

 private:
  void read_labels(const ModelFolder& folder);

  Bert bert_;
  std::optional<tensor::FloatLinear> dense_;  // RoBERTa's
  tensor::FloatLinear last_;
  std::vector<std::string> labels_;
};

}  // namespace capella::encoder
