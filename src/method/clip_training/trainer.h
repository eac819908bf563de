// Training of a small CLIP, seen from outside: pictures and captions that belong together are to have vectors
// of one direction, all others not. The networks are in the torch plug-in, behind the interface below; what
// is learnt has the names of Hugging Face's CLIPModel, so that src/encoder reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "encoder/token_batch.h"
#include "tensor/network_array.h"

namespace capella::method::clip_training {

using tensor::NetworkArray;

/// A stack of layers; the linear maps inside them are four times as wide.
struct TowerSize {
  std::size_t width = 128;
  std::size_t layers = 4;
  std::size_t heads = 4;
};

/// What a network is and how it is trained.
struct Recipe {
  std::size_t image_size = 64;  ///< pixels on a side, a multiple of `patch`
  std::size_t patch = 8;
  std::array<float, 3> mean = {.5f, .5f, .5f};  ///< pictures become (value / 255 - mean) / deviation
  std::array<float, 3> deviation = {.5f, .5f, .5f};
  TowerSize vision;
  TowerSize text;
  std::size_t vocabulary = 0;  ///< token ids are below
  std::size_t most_tokens = 32;
  std::int32_t end = 0;     ///< the token at which a caption is read; every caption has it
  std::size_t joint = 128;  ///< width of the vectors that are compared

  double temperature = .07;  ///< at first; learnt, not below .01
  double rate = 1e-3;
  std::size_t warm_up = 100;    ///< steps from 0; then the rate falls like a cosine
  std::size_t total_steps = 0;  ///< where it reaches 0; whoever trains sets it
  double weight_decay = .1;     ///< of arrays with two and more dimensions
  double most_gradient = 1;     ///< a longer gradient is scaled to this length; 0: none is
  double mean_decay = .9;       ///< of AdamW
  double square_decay = .98;
  double epsilon = 1e-6;
  std::size_t batch = 128;  ///< pairs
};

/// What is wrong with a recipe; empty if nothing is.
std::string recipe_problem(const Recipe& recipe);

/// How many numbers the network learns.
std::size_t parameter_count(const Recipe& recipe);

/// Pictures and captions; whoever makes them keeps the bytes.
struct Pairs {
  std::span<const std::uint8_t> rgb;    ///< [images][image_size][image_size][3]
  encoder::TokenBatch captions;         ///< with the special tokens at both ends
  std::vector<std::uint32_t> image_of;  ///< each caption's image
};

/// Tells how much of the whole is done.
using Steps = std::function<void(std::size_t done, std::size_t total)>;

/// One network on one device, with its optimiser. On the CPU the same calls give the same bits again, with
/// the same number of threads.
class Network {
 public:
  virtual ~Network() = default;

  virtual const Recipe& recipe() const = 0;

  /// The network's arrays, and those of the optimiser ("adam/..."), to be kept in a file; and back again.
  /// Throws DataError that names an array which is missing or has another shape.
  virtual std::vector<NetworkArray> arrays(bool optimiser) const = 0;
  virtual void set_arrays(std::span<const NetworkArray> arrays) = 0;

  /// Learns from captions and their images in the order given, in batches; a last batch of one pair, from
  /// which nothing can be learnt, is left out. Within a batch, equal captions and captions of one image are
  /// not told apart. Returns the mean of the pairs' losses; throws DataError if it is no number, UsageError
  /// if a row or a token is out of range.
  virtual double train(const Pairs& pairs, std::span<const std::uint32_t> order, const Steps& steps) = 0;

  /// As projected, not normalised: [texts][joint], [count][joint].
  virtual void texts(const encoder::TokenBatch& batch, float* out) const = 0;
  virtual void images(std::span<const std::uint8_t> rgb, float* out) const = 0;
};

/// What the plug-in offers.
class NetworkMaker {
 public:
  virtual ~NetworkMaker() = default;
  /// `device`: "cpu" or "cuda". Throws UsageError if there is none, or if the recipe cannot be. `threads`: on
  /// the CPU; 0: one per core.
  virtual std::unique_ptr<Network> make(const Recipe& recipe, const std::string& device, std::uint64_t seed,
                                        std::size_t threads) const = 0;
};

/// The plug-in's symbol is `extern "C" const NetworkMaker* capella_torch_clip_training(int version)`; it
/// gives null for a version it was not built for. The version has the sizes of what goes through the
/// interface in it; count kInterface up for every other change.
inline constexpr int kInterface = 1;
inline constexpr int kPluginVersion =
    static_cast<int>((kInterface * 256 + sizeof(Recipe) / 8) * 256 + sizeof(Pairs) / 8);
inline constexpr const char* kPluginSymbol = "capella_torch_clip_training";

}  // namespace capella::method::clip_training
