// BERT's and RoBERTa's weights as the folder has them, ready to compute with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "encoder/bert.h"
#include "encoder/transformer.h"

namespace capella::encoder {

/// How a folder holds a BERT or RoBERTa: what stands before the names of its tensors, and what only the
/// configuration tells.
struct BertLayout {
  std::string prefix;
  TransformerShape shape;
  std::size_t layers = 0;
  /// RoBERTa's first position; tokens for padding have the one before. Of BERT 0.
  std::size_t first_position = 0;
  std::optional<std::int32_t> padding = {};  ///< RoBERTa's
};

/// Throws FileError.
BertLayout bert_layout(const ModelFolder& folder);

struct Bert::Parts {
  Parts(const ModelFolder& folder, Precision precision);

  std::string path;  ///< for errors
  std::size_t vocabulary = 0;
  std::size_t positions = 0;
  /// RoBERTa's first position; tokens for padding have the one before. Of BERT 0.
  std::size_t first_position = 0;
  std::optional<std::int32_t> padding;  ///< RoBERTa's
  std::vector<float> words;             ///< [vocabulary][width]
  std::vector<float> places;            ///< [positions][width]
  std::vector<float> text_kinds;        ///< [1 or 2][width]: of a first and a second text
  tensor::FloatNorm norm;
  Transformer layers;
  std::optional<tensor::FloatLinear> pooler;

 private:
  void read_embeddings(const ModelFolder& folder, const BertLayout& layout);
  void read_layers(const ModelFolder& folder, const BertLayout& layout);
};

}  // namespace capella::encoder
