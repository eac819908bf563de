// The encoders on another device: the torch plug-in's engine (`--device cuda`), seen from outside and without
// a tensor. It gives what Bert and Clip of this folder give, up to rounding; the two check each other.
//
// Nothing but the standard library here, since the plug-in is built where our other libraries are not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "encoder/token_batch.h"
#include "tensor/kernels.h"
#include "tensor/network_array.h"

namespace capella::encoder {

/// What the arrays do not tell about a stack of layers.
struct TowerFacts {
  std::size_t heads = 0;
  tensor::After activation = tensor::After::kGelu;  ///< kGelu, kQuickGelu or kRelu
  float epsilon = 1e-5f;                            ///< of the layer norms
};

/// BERT or RoBERTa. Names are those of Hugging Face's BertModel without anything before them
/// ("embeddings.word_embeddings.weight", "encoder.layer.0.attention.self.query.weight", ...); the pooler may
/// be missing.
struct BertModel {
  TowerFacts tower;
  std::size_t first_position = 0;            ///< RoBERTa's is the padding's number + 1
  std::optional<std::int32_t> padding = {};  ///< RoBERTa's, which has the position before the first
  std::vector<tensor::NetworkArray> arrays;
};

/// CLIP. Names are those of Hugging Face's CLIPModel ("text_model...", "vision_model...").
struct ClipModel {
  TowerFacts text;
  TowerFacts vision;
  std::int32_t end = 0;
  bool end_is_greatest = true;  ///< a text is read at its greatest id rather than at the first `end`
  std::vector<tensor::NetworkArray> arrays;
};

enum class DevicePrecision { kFloat32, kBFloat16 };

struct DeviceSettings {
  std::string device = "cuda";  ///< or "cpu"
  DevicePrecision precision = DevicePrecision::kFloat32;
  std::size_t threads = 0;          ///< on the CPU; 0: one per core
  std::size_t tokens_together = 0;  ///< at most; 0: as many as are quick
};

class DeviceBert {
 public:
  virtual ~DeviceBert() = default;

  virtual std::size_t width() const = 0;
  virtual std::size_t layers() const = 0;

  /// Hidden states of all tokens after the embeddings (0) or after so many layers: [chosen][tokens][width].
  /// Here and below, throws UsageError if an id, a length or a layer is out of range.
  virtual void hidden(const TokenBatch& batch, std::span<const std::size_t> chosen, float* out) const = 0;
  /// The first token's hidden state after the last layer, [sequences][width].
  virtual void first_tokens(const TokenBatch& batch, float* out) const = 0;
  /// ... after the embeddings and after each layer, [sequences][layers + 1][width]. Where `sums` is not null,
  /// also the sums over all numbers of all tokens of a sequence, and of their squares:
  /// [sequences][layers + 1].
  virtual void first_tokens_of_all_layers(const TokenBatch& batch, float* out, double* sums,
                                          double* squares) const = 0;
  /// tanh(W h + b) of the first token's last hidden state, [sequences][width]; throws UsageError if the model
  /// has no pooler.
  virtual void pool(const TokenBatch& batch, float* out) const = 0;
};

class DeviceClip {
 public:
  virtual ~DeviceClip() = default;

  virtual std::size_t width() const = 0;       ///< of both results
  virtual std::size_t image_size() const = 0;  ///< pixels on a side

  /// As projected, not normalised: [sequences][width].
  virtual void texts(const TokenBatch& batch, float* out) const = 0;
  /// `pixels` is [count][3][image_size][image_size], normalised.
  virtual void images(const float* pixels, std::size_t count, float* out) const = 0;
  /// `rgb` is [count][image_size][image_size][3]; a quarter of the bytes to the device, where they become
  /// (value / 255 - mean) / deviation.
  virtual void images(const std::uint8_t* rgb, std::size_t count, const std::array<float, 3>& mean,
                      const std::array<float, 3>& deviation, float* out) const = 0;
};

/// What the plug-in offers.
class DeviceEncoders {
 public:
  virtual ~DeviceEncoders() = default;
  /// Throws UsageError if there is no such device.
  virtual void expect(const std::string& device) const = 0;
  /// Throws UsageError if there is no such device, DataError that names an array which is missing or has
  /// another shape.
  virtual std::unique_ptr<const DeviceBert> bert(const BertModel& model,
                                                 const DeviceSettings& settings) const = 0;
  virtual std::unique_ptr<const DeviceClip> clip(const ClipModel& model,
                                                 const DeviceSettings& settings) const = 0;
};

/// The plug-in's symbol is `extern "C" const DeviceEncoders* capella_torch_encoders(int version)`; it gives
/// null for a version it was not built for. The version has the sizes of what goes through the interface in
/// it; count kDeviceInterface up for every other change.
inline constexpr int kDeviceInterface = 2;
inline constexpr int kDeviceVersion =
    static_cast<int>(((kDeviceInterface * 256 + sizeof(BertModel) / 8) * 256 + sizeof(ClipModel) / 8) * 256 +
                     sizeof(DeviceSettings) / 8 + sizeof(TokenBatch));
inline constexpr const char* kDeviceSymbol = "capella_torch_encoders";

}  // namespace capella::encoder
