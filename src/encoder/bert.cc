#include "encoder/bert.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "encoder/bert_weights.h"
#include "encoder/transformer.h"

namespace capella::encoder {

using tensor::Kernels;
using tensor::reserve;

Bert::Bert(const ModelFolder& folder, Precision precision)
    : parts_(std::make_unique<Parts>(folder, precision)) {}
Bert::~Bert() = default;
Bert::Bert(Bert&&) noexcept = default;

std::size_t Bert::width() const {
  return parts_->layers.width();
}

std::size_t Bert::layers() const {
  return parts_->layers.layers();
}

std::size_t Bert::vocabulary() const {
  return parts_->vocabulary;
}

std::size_t Bert::most_tokens() const {
  return parts_->positions - parts_->first_position;
}

bool Bert::has_pooler() const {
  return parts_->pooler.has_value();
}

void Bert::embed(const Kernels& kernels, const TokenBatch& batch, float* rows) const {
  const Parts& parts = *parts_;
  check_tokens(batch, parts.vocabulary, most_tokens());
  const std::size_t width = this->width();
  for (std::size_t k = 0; k < batch.size(); ++k) {
    std::size_t next = parts.first_position;
    for (std::size_t t = batch.begin(k); t < batch.end(k); ++t) {
      const std::int32_t id = batch.ids[t];
      const bool second = !batch.second.empty() && batch.second[t] != 0 && parts.text_kinds.size() > width;
      const bool padding = id == parts.padding;
      const std::size_t position = padding ? parts.first_position - 1 : next++;
      const float* word = parts.words.data() + static_cast<std::size_t>(id) * width;
      const float* kind = parts.text_kinds.data() + (second ? width : 0);
      const float* place = parts.places.data() + position * width;
      for (std::size_t i = 0; i < width; ++i) rows[t * width + i] = word[i] + kind[i] + place[i];
    }
  }
  parts.norm.apply(kernels, rows, width, batch.ids.size(), rows, width);
}

void Bert::run(const Kernels& kernels, const TokenBatch& batch, std::size_t layers,
               const AfterLayer& after) const {
  if (layers > this->layers())
    throw UsageError(fmt::format("{} layers were asked for, the model has {}", layers, this->layers()));
  BorrowedWorkspace work;
  float* rows = reserve(work->hidden, batch.ids.size() * width());
  embed(kernels, batch, rows);
  parts_->layers.run(kernels, batch.ends, layers, rows, after, *work);
}

void Bert::first_tokens(const Kernels& kernels, const TokenBatch& batch, float* out) const {
  BorrowedWorkspace work;
  float* rows = reserve(work->hidden, batch.ids.size() * width());
  float* read = reserve(work->result, batch.size() * width());
  embed(kernels, batch, rows);
  std::vector<std::size_t> firsts;
  for (std::size_t k = 0; k < batch.size(); ++k) firsts.push_back(batch.begin(k));
  parts_->layers.run_and_read(kernels, batch.ends, firsts, rows, read, *work);
  std::copy_n(read, batch.size() * width(), out);
}

void Bert::pool(const Kernels& kernels, const TokenBatch& batch, float* out) const {
  if (!parts_->pooler)
    throw FileError(fmt::format(
        "{}: there is no tensor 'pooler.dense.weight', expected a model with a pooler", parts_->path));
  tensor::AlignedVector<float> first(batch.size() * width());
  first_tokens(kernels, batch, first.data());
  parts_->pooler->apply(kernels, first.data(), width(), batch.size(), out, width(), tensor::After::kTanh);
}

}  // namespace capella::encoder
