// BERT and RoBERTa (also MiniLM, SimCSE): the forward pass, packed, on the CPU. Post-norm layers, exact gelu
// unless the configuration says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "encoder/model_folder.h"
#include "encoder/precision.h"
#include "encoder/token_batch.h"
#include "tensor/kernels.h"

namespace capella::encoder {

class Bert {
 public:
  /// `precision` is that of the layers; embeddings and pooler have 32 bits. Throws FileError if a tensor is
  /// missing or has another shape than the configuration says.
  explicit Bert(const ModelFolder& folder, Precision precision = Precision::kFloat);
  ~Bert();
  Bert(Bert&&) noexcept;

  std::size_t width() const;
  std::size_t layers() const;
  std::size_t vocabulary() const;
  /// Tokens that a sequence may have, the special ones counted.
  std::size_t most_tokens() const;

  /// Hidden states of all tokens, [tokens][stride]: after the embeddings (layer 0) and after each layer.
  using AfterLayer = std::function<void(std::size_t layer, const float* rows, std::size_t stride)>;
  /// Runs the first `layers` layers. Throws UsageError if an id or a length is out of range. Any thread may
  /// call it at any time.
  void run(const tensor::Kernels& kernels, const TokenBatch& batch, std::size_t layers,
           const AfterLayer& after) const;

  /// The first token's last hidden state, [batch.size()][width()].
  void first_tokens(const tensor::Kernels& kernels, const TokenBatch& batch, float* out) const;
  /// tanh(W h + b) of the first token's last hidden state, [batch.size()][width()]; throws FileError if the
  /// folder has no pooler.
  void pool(const tensor::Kernels& kernels, const TokenBatch& batch, float* out) const;
  bool has_pooler() const;

 private:
  void embed(const tensor::Kernels& kernels, const TokenBatch& batch, float* rows) const;

  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::encoder
