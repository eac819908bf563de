#include "encoder/classifier.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "encoder/transformer.h"

namespace capella::encoder {

using tensor::After;
using tensor::AlignedVector;

Classifier::Classifier(const ModelFolder& folder) : bert_(folder) {
  const std::size_t width = bert_.width();
  std::string name = "classifier";
  if (folder.has("classifier.out_proj.weight")) {
    dense_ = read_linear(folder, "classifier.dense", width, width);
    name = "classifier.out_proj";
  } else if (!folder.has("classifier.weight")) {
    folder.reject(
        "has no classifier: there is no tensor 'classifier.weight' or 'classifier.out_proj.weight'; expected "
        "a "
        "model for sequence classification");
  } else if (!bert_.has_pooler()) {
    folder.reject("there is no tensor 'pooler.dense.weight', which a classifier on top of BERT needs");
  }
  last_ = read_linear(folder, name, folder.matrix_shape(name + ".weight")[0], width);
  read_labels(folder);
}

void Classifier::read_labels(const ModelFolder& folder) {
  for (std::size_t i = 0; i < last_.outputs(); ++i)
    labels_.push_back(folder.text(fmt::format("id2label.{}", i)).value_or(fmt::format("LABEL_{}", i)));
}

void Classifier::add_pair(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                          TokenBatch& batch) const {
  if (first.empty() || second.empty()) throw UsageError("a text has no tokens, expected its special ones");
  const std::size_t begin = batch.ids.size();
  batch.ids.insert(batch.ids.end(), first.begin(), first.end());
  if (dense_) batch.ids.push_back(first.back());  // RoBERTa: the end token twice
  const std::size_t middle = batch.ids.size();
  batch.ids.insert(batch.ids.end(), second.begin() + 1, second.end());
  batch.second.resize(begin, 0);
  batch.second.resize(middle, 0);
  batch.second.resize(batch.ids.size(), dense_ ? 0 : 1);  // RoBERTa knows one kind of text
  batch.ends.push_back(batch.ids.size());
}

void Classifier::logits(const tensor::Kernels& kernels, const TokenBatch& batch, float* out) const {
  AlignedVector<float> read(batch.size() * bert_.width());
  reads_pooled() ? bert_.pool(kernels, batch, read.data()) : bert_.first_tokens(kernels, batch, read.data());
  logits_of(kernels, read.data(), batch.size(), out);
}

void Classifier::logits_of(const tensor::Kernels& kernels, const float* read, std::size_t count,
                           float* out) const {
  const std::size_t width = bert_.width();
  AlignedVector<float> rows(count * width), result(count * last_.stride());
  if (dense_) {
    dense_->apply(kernels, read, width, count, rows.data(), width, After::kTanh);
    read = rows.data();
  }
  last_.apply(kernels, read, width, count, result.data(), last_.stride(), After::kStore);
  for (std::size_t k = 0; k < count; ++k)
    std::copy_n(result.data() + k * last_.stride(), labels_.size(), out + k * labels_.size());
}

}  // namespace capella::encoder
