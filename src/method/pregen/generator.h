// Caption generators as the pre-gen study has them, seen from outside: four ways to give an image to a
// recurrent network. The networks themselves are in the torch plug-in, behind the interface below; here is
// what they are made of and what they are asked, without a tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/progress.h"

#include "io/token_probabilities.h"
#include "tensor/network_array.h"

namespace capella::method::pregen {

/// Where the image enters: as the first state of the network; as its first input; beside every word it reads;
/// beside its state, when it names the next word.
enum class Architecture { init, pre, par, merge };
inline constexpr std::string_view kArchitectureNames[] = {"init", "pre", "par", "merge"};

/// Word ids: 0 is the edge (start and end of a caption, and padding), 1 an unknown word.
inline constexpr std::int32_t kEdge = 0;
inline constexpr std::int32_t kUnknown = 1;

/// What a network is and how it is trained. recipe() gives the authors' values.
struct Recipe {
  Architecture architecture = Architecture::init;
  std::size_t vocabulary = 0;  ///< words, edge and unknown included
  std::size_t image = 0;       ///< numbers of an image's feature
  std::size_t size = 512;      ///< of embeddings, state and projected image alike
  bool xavier = false;  ///< weights start as xavier normal numbers, else as unit normal ones; both clipped
  double clip = .1;     ///< weights start in -clip ... clip
  double image_dropout = 0;
  double embedding_dropout = .5;
  double state_dropout = .5;
  double l2 = 0;  ///< times half the sum of the squares of all matrices
  double rate = 1e-3;
  std::size_t batch = 32;  ///< captions
  std::size_t beam = 3;
};
Recipe recipe(Architecture architecture, std::size_t vocabulary, std::size_t image);

/// What recipes are checked by, before anything is allocated.
inline constexpr std::size_t kMostSize = std::size_t{1} << 14;
inline constexpr std::size_t kMostBatch = std::size_t{1} << 20;
inline constexpr std::size_t kMostBeam = 1000;

/// How many numbers the network learns.
std::size_t parameter_count(const Recipe& recipe);

/// Images and their captions as word ids, flat as in TokenProbabilities.
struct CaptionData {
  std::vector<float> features;  ///< images x width; networks scale each to length 1
  std::size_t width = 0;
  std::vector<std::size_t> captions = {0};  ///< where each image's captions begin, and the end
  std::vector<std::size_t> words = {0};     ///< where each caption's words begin, and the end
  std::vector<std::int32_t> ids;            ///< without edges

  std::size_t image_count() const { return captions.size() - 1; }
  std::size_t caption_count() const { return words.size() - 1; }
  std::span<const float> feature(std::size_t image) const {
    return std::span(features).subspan(image * width, width);
  }
  std::span<const std::int32_t> caption(std::size_t k) const {
    return std::span(ids).subspan(words[k], words[k + 1] - words[k]);
  }
};

struct BeamOptions {
  std::size_t width = 3;
  std::size_t least_words = 4;  ///< a caption may end after so many
  std::size_t most_words = 50;  ///< ... and ends after so many
  std::size_t batch = 0;        ///< images at a time; 0: as many as are quick
};

struct GeneratedCaption {
  std::vector<std::int32_t> ids;
  double log2_probability = 0;
};

/// An array of a network, by the name the authors' files have it under ("nn/out/W"), or of its optimiser.
using tensor::kOptimiser;
using tensor::NetworkArray;

/// Tells how much of the whole is done.
using Steps = std::function<void(std::size_t done, std::size_t total)>;

/// One network on one device, with its optimiser. Probabilities and captions have the same bits for any
/// number of threads; training has where its network is so small that products are not shared among threads,
/// else the last bits of products may differ.
class Generator {
 public:
  virtual ~Generator() = default;

  virtual const Recipe& recipe() const = 0;

  /// The network's arrays, and those of the optimiser ("adam/..."), to be kept in a file; and back again.
  /// Throws DataError that names an array which is missing or has another shape.
  virtual std::vector<NetworkArray> arrays(bool optimiser) const = 0;
  virtual void set_arrays(std::span<const NetworkArray> arrays) = 0;

  /// Learns from the captions in the order given, in batches. Dropout depends on `seed` alone. Losses are
  /// divided by batch x longest, the words (with the end) of the longest training caption. Returns the mean
  /// of the batches' losses.
  virtual double train_epoch(const CaptionData& data, std::span<const std::uint32_t> order,
                             std::size_t longest, std::uint64_t seed, const Steps& steps) = 0;

  /// Of every word of every caption, and of its end. Words beyond the vocabulary are `unknown`.
  virtual io::TokenProbabilities probabilities(const CaptionData& data, const Steps& steps) const = 0;

  /// One caption per image of `data`, whose captions are not looked at.
  virtual std::vector<GeneratedCaption> generate(const CaptionData& data, const BeamOptions& options,
                                                 const Steps& steps) const = 0;
};

/// What the plug-in offers.
class GeneratorMaker {
 public:
  virtual ~GeneratorMaker() = default;
  /// `device`: "cpu" or "cuda". Throws UsageError if there is none. `threads`: on the CPU; 0: one per core.
  virtual std::unique_ptr<Generator> make(const Recipe& recipe, const std::string& device, std::uint64_t seed,
                                          std::size_t threads) const = 0;
  /// Libraries and devices, for people.
  virtual std::string description() const = 0;
};

/// The plug-in's only symbol is `extern "C" const GeneratorMaker* capella_torch_generators(int version)`; it
/// gives null for a version it was not built for. The version has the sizes of what goes through the
/// interface in it; count kInterface up for every other change.
inline constexpr int kInterface = 1;
inline constexpr int kPluginVersion =
    static_cast<int>(((kInterface * 256 + sizeof(Recipe) / 8) * 256 + sizeof(CaptionData) / 8) * 256 +
                     sizeof(io::TokenProbabilities) / 8);
inline constexpr const char* kPluginSymbol = "capella_torch_generators";

}  // namespace capella::method::pregen
