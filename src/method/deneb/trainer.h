// Metrics that learn from people's scores how to weigh what frozen encoders see (DENEB, Polos, and what the
// ablations of DENEB are), seen from outside. The networks themselves are in the torch plug-in, behind the
// interface below; here is what they are made of, what they learn from and what they are asked, without a
// tensor.
//
// A sample is an image, a candidate caption, one or more reference captions and, to learn from, a score in
// [0, 1]. Images and captions are rows of tables of vectors that encoders have made before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/network_array.h"

namespace capella::method::deneb {

using tensor::NetworkArray;

/// DENEB as its authors' program has it (two transformers, one for each encoder's similarity vectors), as
/// its paper has it (one transformer for all), and Polos.
enum class Architecture { released, paper, polos };
inline constexpr std::string_view kArchitectureNames[] = {"released", "paper", "polos"};

/// What tokens are made of: products and differences of the candidate's vectors and the others', or these
/// vectors themselves.
enum class TokenKind { sim_vec, raw };
inline constexpr std::string_view kTokenKindNames[] = {"sim-vec", "raw"};

/// What joins tokens to one vector: attention, read at a token of its own; or the same layers without
/// attention, and the mean over tokens.
enum class Joiner { transformer, mlp };
inline constexpr std::string_view kJoinerNames[] = {"transformer", "mlp"};

/// All references in one go, or each alone and then the best or the mean score.
enum class References { together, best, mean };
inline constexpr std::string_view kReferencesNames[] = {"together", "best", "mean"};

/// Whether the layers of the sentence encoder are normalised by statistics of the training set, which makes a
/// score independent of its neighbours, or by those of each batch, as the authors' programs do.
enum class MixStatistics { frozen, batch };
inline constexpr std::string_view kMixStatisticsNames[] = {"frozen", "batch"};

enum class Loss { huber, squared };
inline constexpr std::string_view kLossNames[] = {"huber", "squared"};

/// How the rate goes after the warm-up: to 0 at the last step, or on.
enum class Schedule { linear, constant };
inline constexpr std::string_view kScheduleNames[] = {"linear", "constant"};

/// What a network is and how it is trained. recipe() gives the authors' values.
struct Recipe {
  Architecture architecture = Architecture::released;
  TokenKind tokens = TokenKind::sim_vec;
  Joiner joiner = Joiner::transformer;
  References references = References::together;  ///< of Polos always alone
  MixStatistics mix = MixStatistics::frozen;
  /// Every sample of a batch has as many references as the one with the fewest, as the authors' programs do;
  /// else what is missing is masked and a score is that of the sample alone.
  bool cut_references = false;

  bool image = true;                 ///< without: texts only
  std::size_t clip_width = 512;      ///< of images and captions by the first encoder; 0: there is none
  std::size_t sentence_width = 768;  ///< of captions by the second encoder; 0: there is none
  std::size_t sentence_layers = 13;  ///< of the second encoder, to be mixed; 1: vectors are taken as they are
  std::size_t width = 768;           ///< of projected products and differences; not of Polos
  std::size_t layers = 3;
  std::size_t heads = 8;
  std::size_t feed_forward = 2048;
  std::array<std::size_t, 2> hidden = {1536, 768};  ///< layers of the head
  /// The candidate's cosine with the references, half the highest and half the mean, goes straight to the
  /// score; what the layers say is added to it and is nothing at first. By the sentence encoder, if there is
  /// one. For small data: what is learnt can then hardly be worse than the cosine.
  bool cosine = false;
  /// Vectors are brought to the length of the root of their width before anything else, so that their numbers
  /// are about 1: those of encoders that give vectors of length 1 are too small for layers to learn from.
  bool scale_vectors = false;

  double dropout = .1;
  double mix_dropout = .1;  ///< of whole layers of the sentence encoder
  Loss loss = Loss::huber;
  double huber_delta = .5;
  double rate = 3e-6;
  Schedule schedule = Schedule::linear;
  std::size_t warm_up = 1000;   ///< steps of the optimiser
  std::size_t total_steps = 0;  ///< where a linear schedule ends; whoever trains sets it
  double most_gradient = 1;     ///< a longer gradient is scaled to this length; 0: none is
  double weight_decay = 0;
  std::size_t batch = 16;
  std::size_t accumulation = 1;  ///< batches whose gradients are averaged for a step
};
Recipe recipe(Architecture architecture);

/// What is wrong with a recipe; empty if nothing is.
std::string recipe_problem(const Recipe& recipe);

/// How many numbers the network learns.
std::size_t parameter_count(const Recipe& recipe);

/// "scalar_mix.mean" and "scalar_mix.variance": of each layer of the sentence encoder over the training set.
/// They stand among the arrays of a network that mixes layers, but are not learnt.
inline constexpr const char* kMixMean = "scalar_mix.mean";
inline constexpr const char* kMixVariance = "scalar_mix.variance";

/// What the cosine is multiplied by where Recipe::cosine is set; one number.
inline constexpr const char* kCosineGain = "cosine.gain";

/// Vectors, one row each. The numbers are floats or, in half the memory, bfloat16 (the upper half of a
/// float's bits). Whoever makes a table keeps the numbers.
struct VectorTable {
  std::size_t width = 0;
  std::size_t layers = 1;
  std::span<const float> floats = {};          ///< [rows][layers][width]
  std::span<const std::uint16_t> halves = {};  ///< ... or these

  std::size_t rows() const {
    const std::size_t row = width * layers;
    return row == 0 ? 0 : (floats.size() + halves.size()) / row;
  }
};

/// What the encoders have made. A caption has the same row in `captions` and `sentences`.
struct Features {
  VectorTable images;     ///< as projected by CLIP, not normalised
  VectorTable captions;   ///< likewise
  VectorTable sentences;  ///< the first token's hidden states

  /// If sentences have several layers: sums over all tokens of a caption and all numbers of their hidden
  /// states, and over the squares of these, [rows][layers]; and how many tokens there are, [rows].
  std::span<const double> sums = {};
  std::span<const double> squares = {};
  std::span<const std::uint32_t> tokens = {};
};

struct Samples {
  std::vector<std::uint32_t> images;      ///< rows of Features::images; none without an image
  std::vector<std::uint32_t> candidates;  ///< rows of captions
  std::vector<std::size_t> ends;          ///< where each sample's references end
  std::vector<std::uint32_t> references;  ///< rows of captions; each sample has at least one
  std::vector<float> scores;              ///< in [0, 1]; none where nothing is learnt

  std::size_t size() const { return candidates.size(); }
  std::size_t begin(std::size_t k) const { return k == 0 ? 0 : ends[k - 1]; }
  std::span<const std::uint32_t> references_of(std::size_t k) const {
    return std::span(references).subspan(begin(k), ends[k] - begin(k));
  }
};

enum class Precision { float32, bfloat16 };

struct PredictOptions {
  std::size_t batch = 0;  ///< samples at a time; 0: as many as are quick, or 32 with statistics of batches
  Precision precision = Precision::float32;
};

/// Tells how much of the whole is done.
using Steps = std::function<void(std::size_t done, std::size_t total)>;

/// Features where the network is. The numbers that they were loaded from must live as long.
class LoadedFeatures {
 public:
  virtual ~LoadedFeatures() = default;
};

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

  /// Throws DataError if a table does not fit the recipe.
  virtual std::unique_ptr<const LoadedFeatures> load(const Features& features) const = 0;

  /// Sets the statistics of layers to those of all captions that these samples have, as often as they have
  /// them. Does nothing if no layers are mixed.
  virtual void freeze_statistics(const Features& features, const Samples& samples) = 0;

  /// Learns from samples in the order given, in batches; what is left of `accumulation` at the end makes a
  /// step of its own. Rate and dropout depend on the seed and on the optimiser's steps before, so that an
  /// order may be given in parts. Returns the sum of the samples' losses; throws DataError if it is no number
  /// or if a sample has no references or rows that are not there.
  virtual double train(const LoadedFeatures& features, const Samples& samples,
                       std::span<const std::uint32_t> order, std::uint64_t seed, const Steps& steps) = 0;

  /// One score in [0, 1] per sample.
  virtual std::vector<double> predict(const LoadedFeatures& features, const Samples& samples,
                                      const PredictOptions& options, const Steps& steps) const = 0;
};

/// What the plug-in offers.
class NetworkMaker {
 public:
  virtual ~NetworkMaker() = default;
  /// `device`: "cpu" or "cuda". Throws UsageError if there is none, or if the recipe cannot be. `threads`: on
  /// the CPU; 0: one per core.
  virtual std::unique_ptr<Network> make(const Recipe& recipe, const std::string& device, std::uint64_t seed,
                                        std::size_t threads) const = 0;
  /// Libraries and devices, for people.
  virtual std::string description() const = 0;
};

/// The plug-in's symbol is `extern "C" const NetworkMaker* capella_torch_deneb(int version)`; it gives null
/// for a version it was not built for. The version has the sizes of what goes through the interface in it;
/// count kInterface up for every other change.
inline constexpr int kInterface = 2;
inline constexpr int kPluginVersion = static_cast<int>(
    ((kInterface * 256 + sizeof(Recipe) / 8) * 256 + sizeof(Features) / 8) * 256 + sizeof(Samples) / 8);
inline constexpr const char* kPluginSymbol = "capella_torch_deneb";

}  // namespace capella::method::deneb
