// Training of an adapter, seen from outside: low-rank updates of a sentence encoder (LoRA), after which
// captions of one image lie near each other and those of other images do not. The network is in the torch
// plug-in, behind the interface below; what is learnt has the names that Hugging Face's PEFT gives it, so
// that src/encoder reads it.
//
// Nothing but the standard library here, since the plug-in is built where our other libraries are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/adapter_names.h"
#include "encoder/device_encoder.h"
#include "encoder/token_batch.h"
#include "tensor/network_array.h"

namespace capella::method::adapter_training {

using tensor::NetworkArray;

/// The linear maps of a layer, all of which are updated. Arrays are called kRoot + "encoder.layer.N." + map +
/// ".lora_A.weight" [rank][inputs] and ".lora_B.weight" [outputs][rank].
inline constexpr std::string_view kMaps[] = {"attention.self.query", "attention.self.key",
                                             "attention.self.value", "attention.output.dense",
                                             "intermediate.dense",   "output.dense"};
inline constexpr std::string_view kRoot = encoder::kAdapterRoot;

/// How the vectors of tokens become one of the caption.
enum class Reading : std::uint8_t { mean, first };
inline constexpr std::string_view kReadingNames[] = {"mean", "first"};

/// What the encoder computes with while it learns. What is learnt always has 32 bits.
enum class Numbers : std::uint8_t { float32, bfloat16 };
inline constexpr std::string_view kNumbersNames[] = {"float32", "bfloat16"};

/// What is learnt, and how.
struct Recipe {
  std::size_t rank = 16;
  double alpha = 16;  ///< updates are scaled by alpha / rank
  Reading reading = Reading::mean;
  Numbers numbers = Numbers::float32;

  std::size_t batch = 1024;    ///< images that are told apart from each other
  std::size_t references = 2;  ///< captions of an image that another one, the candidate, is compared with
  double temperature = .05;
  /// Rated captions that a step takes beside these, and what their loss counts; 0: none.
  std::size_t rated_batch = 0;
  double rated_weight = 1;
  std::size_t total_steps = 300;
  std::size_t warm_up = 20;  ///< steps in which the rate rises
  double rate = 1e-3;        ///< falls to 0, in equal parts, from the first step to behind the last
  double weight_decay = 0;
  double most_gradient = 1;  ///< a longer gradient is scaled to this length; 0: none is
  double mean_decay = .9;    ///< of AdamW
  double square_decay = .999;
  double epsilon = 1e-8;
  /// So many tokens' inner values are kept at a time; a batch that has more is encoded twice. 0: as many as
  /// the device likes.
  std::size_t chunk = 0;
};

/// What is wrong with a recipe; empty if nothing is.
std::string recipe_problem(const Recipe& recipe);

/// The rate of the step after `done` ones.
double rate_after(const Recipe& recipe, std::size_t done);

/// Captions that people have rated, each with captions of the same image. All are places in some table.
struct RatedRows {
  std::vector<std::uint32_t> candidates;
  std::vector<std::uint32_t> references;  ///< of all, one after the other
  std::vector<std::size_t> ends;          ///< where each one's end; each has one at least
  std::vector<double> ratings;

  std::size_t size() const { return candidates.size(); }
  std::span<const std::uint32_t> references_of(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : ends[row - 1];
    return std::span(references).subspan(begin, ends[row] - begin);
  }
  void add(std::uint32_t candidate, std::span<const std::uint32_t> own, double rating) {
    candidates.push_back(candidate);
    references.insert(references.end(), own.begin(), own.end());
    ends.push_back(references.size());
    ratings.push_back(rating);
  }
};

/// What a step learns from.
struct Drawn {
  std::vector<std::uint32_t> images;    ///< which they are; one may be there twice
  std::vector<std::uint32_t> captions;  ///< [images][1 + references]: the candidate first
  RatedRows rated = {};                 ///< three or more (two always lie on a line), or none

  /// How many texts there are to encode.
  std::size_t texts() const { return captions.size() + rated.size() + rated.references.size(); }
};

/// One network on one device, with its optimiser. On the CPU the same calls give the same bits again, with
/// the same number of threads.
class Network {
 public:
  virtual ~Network() = default;

  virtual const Recipe& recipe() const = 0;
  /// Of vectors.
  virtual std::size_t width() const = 0;

  /// The updates, and the arrays of the optimiser ("adam/..."), to be kept in a file; and back again. Throws
  /// DataError that names an array which is missing or has another shape.
  virtual std::vector<NetworkArray> arrays(bool optimiser) const = 0;
  virtual void set_arrays(std::span<const NetworkArray> arrays) = 0;

  /// One step. What is drawn are places in `captions`, each of which is another; images that share one, or
  /// are the same, are not told apart. Returns the loss before the step; throws DataError if it is no number,
  /// UsageError if a place or a token is out of range, there are fewer than two images, or one or two
  /// rated captions.
  ///
  /// The score of a candidate with an image is its cosine with the centroid of the image's references, the
  /// sum of their vectors of length 1. The loss is what it takes to tell, by scores over the temperature, a
  /// candidate's image from the others: the cross entropy. To that comes, where there are rated captions,
  /// what Pearson's correlation of their scores with the ratings lacks to 1, times the recipe's weight.
  virtual double step(const encoder::TokenBatch& captions, const Drawn& drawn) = 0;

  /// Vectors of captions as read, not normalised: [texts][width].
  virtual void texts(const encoder::TokenBatch& batch, float* out) const = 0;
};

/// What the plug-in offers.
class NetworkMaker {
 public:
  virtual ~NetworkMaker() = default;
  /// `device`: "cpu" or "cuda". Throws UsageError if there is none, or if the recipe cannot be; DataError
  /// that names an array of the base which is missing or has another shape. `threads`: on the CPU; 0: one per
  /// core. Updates are 0 at first: the network then gives the base's vectors.
  virtual std::unique_ptr<Network> make(const encoder::BertModel& base, const Recipe& recipe,
                                        const std::string& device, std::uint64_t seed,
                                        std::size_t threads) const = 0;
};

/// The plug-in's symbol is `extern "C" const NetworkMaker* capella_torch_adapter_training(int version)`; it
/// gives null for a version it was not built for. The version has the sizes of what goes through the
/// interface in it; count kInterface up for every other change.
inline constexpr int kInterface = 3;
inline constexpr int kPluginVersion =
    static_cast<int>(((kInterface * 256 + sizeof(Recipe) / 8) * 256 + sizeof(encoder::BertModel) / 8) * 256 +
                     sizeof(Drawn) / 8);
inline constexpr const char* kPluginSymbol = "capella_torch_adapter_training";

}  // namespace capella::method::adapter_training
