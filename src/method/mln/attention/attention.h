// Attention-based multiple-instance learning: how probable is it that one of several pairs of objects stands
// in a relation? One small network per predicate (Ilse, Tomczak, Welling 2018, gated or plain attention).
//
// An instance is a pair of objects, u = [features of a; features of b; box of a; box of b]. Of the instances
// of a bag, h = relu(W1 u + b1); their attention is the softmax of w . (tanh(V h + bV) * s(U h + bU)) + bw,
// without the factor s(...) if it is plain; z is the mean of h by attention, P = s(c . z + bc).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/objects.h"
#include "io/triplets.h"

namespace capella::method::mln {

/// 1 / (1 + exp(-x)).
inline double logistic(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

/// Instances of a bag, one row each.
struct Bag {
  std::size_t instances = 0;
  std::vector<double> rows;  ///< instances x inputs
  std::vector<std::pair<std::size_t, std::size_t>>
      pairs;  ///< places of the objects of each instance in their image
};

/// The network's numbers, all in row order. Without W1 (hidden layer) the inputs are the embedding h.
struct AttentionNetwork {
  bool gated = true;
  std::size_t inputs = 0, hidden = 0, attention = 0;
  std::vector<double> W1, b1;         ///< hidden x inputs, hidden; empty: no layer
  std::vector<double> V, bV, U, bU;   ///< attention x hidden, attention; U and bU are empty if not gated
  std::vector<double> w, c;           ///< attention, hidden
  std::vector<double> bw, bc;         ///< one number each
  double temperature = 1, shift = 0;  ///< calibration: P = s((c z + bc) / temperature + shift)
  double base_rate = .5;              ///< share of the predicate's possible atoms that captions tell

  static constexpr std::size_t kArrays = 10;
  /// All that is learned, in the order of kArrayNames.
  std::array<std::vector<double>*, kArrays> arrays();
  std::array<const std::vector<double>*, kArrays> arrays() const;
};
inline constexpr std::array<std::string_view, AttentionNetwork::kArrays> kArrayNames = {
    "W1", "b1", "V", "bV", "U", "bU", "w", "c", "bw", "bc"};

struct AttentionAnswer {
  double probability = .5;        ///< calibrated; of an empty bag, the base rate
  double logit = 0;               ///< before calibration
  std::vector<double> attention;  ///< one per instance
};
AttentionAnswer ask(const AttentionNetwork& network, const Bag& bag);

/// The loss of a bag, -ln P if it is positive and else -ln(1 - P), with P before calibration and kept within
/// 1e-5 ... 1 - 1e-5. Adds its gradient to `gradient`, which has the network's shape (P is not kept within
/// limits there, so that a network that is surely wrong still learns). The bag is not empty.
double add_gradient(const AttentionNetwork& network, const Bag& bag, bool positive,
                    AttentionNetwork& gradient);

/// One network per predicate, with the file they are kept in (.npz).
struct AttentionModels {
  std::map<std::string, AttentionNetwork, std::less<>> networks;
  std::size_t features = 0;  ///< numbers per object
  bool pixel_boxes = false;
};

/// What is asked of a bag: all pairs of different objects with the atom's labels (aliases count), of the best
/// `kRegions` by score for each label (on equal scores the first).
inline constexpr std::size_t kRegions = 3;
Bag make_bag(const io::ImageObjects& image, const io::Matrix& features, const io::Triplet& atom,
             bool pixel_boxes);

/// Why an atom has its probability.
enum class AtomSource {
  network,     ///< its predicate's network was asked
  empty_bag,   ///< there is no pair of such objects: the base rate
  no_network,  ///< the predicate has none: 0.5
};
struct AtomAnswer {
  AtomSource source = AtomSource::no_network;
  double probability = .5;
  Bag bag;
  std::vector<double> attention;  ///< one per pair of the bag
};
/// Throws DataError if the features have another width than those that were learned from.
AtomAnswer ask_atom(const AttentionModels& models, const io::ImageObjects& image, const io::Matrix& features,
                    const io::Triplet& atom);

/// float32 arrays "PREDICATE/W1", ... and "PREDICATE/calibration" (temperature, shift, base rate), and
/// "capella" (version, numbers per object, boxes in pixels). Throws FileError.
AttentionModels read_attention(const std::string& path);
void write_attention(const std::string& path, const AttentionModels& models);

}  // namespace capella::method::mln
