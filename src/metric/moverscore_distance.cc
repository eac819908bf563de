#include "metric/moverscore_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "metric/wmd_distances.h"

namespace capella::metric {
namespace {

using encoder::EncodedText;

std::vector<const float*> vectors_of(const EncodedText& text, std::span<const std::size_t> tokens) {
  std::vector<const float*> vectors;
  for (const std::size_t token : tokens) vectors.push_back(text.vector(token).data());
  return vectors;
}

bool are_equal(const std::vector<double>& weights) {
  return std::ranges::all_of(weights, [&](double weight) { return weight == weights.front(); });
}

// Shares of a whole that is so finely divided that rounding does not show. What is left goes to the largest.
std::vector<Amount> shares(const std::vector<double>& weights, Amount whole) {
  const auto count = static_cast<Amount>(weights.size());
  if (are_equal(weights) && whole % count == 0) return std::vector<Amount>(weights.size(), whole / count);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<Amount> amounts;
  for (const double weight : weights)
    amounts.push_back(static_cast<Amount>(std::floor(weight / total * static_cast<double>(whole))));
  const Amount left = whole - std::accumulate(amounts.begin(), amounts.end(), Amount{0});
  *std::ranges::max_element(amounts) += left;
  return amounts;
}

// One sign of ASCII, as Python's string.punctuation lists them.
bool is_punctuation(std::string_view piece) {
  constexpr std::string_view kSigns = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  return piece.size() == 1 && kSigns.find(piece[0]) != std::string_view::npos;
}

}  // namespace

// The pieces of RoBERTa that begin a word have a space, written as U+0120, in front; those of BERT that do
// not have "##".
bool MoverDistance::counts(std::int32_t token) const {
  constexpr std::string_view kSpace = "\u0120";
  const encoder::SentenceEncoder& encoder = state_.encoder();
  std::string_view piece = encoder.tokenizer().piece(token);
  const bool special =
      token == encoder.tokenizer().first_token() || token == encoder.tokenizer().last_token();
  if (special) return true;
  const bool begins = encoder.is_roberta() ? piece.starts_with(kSpace) : piece.find("##") == piece.npos;
  if (encoder.is_roberta() && begins) piece.remove_prefix(kSpace.size());
  return !is_punctuation(piece) && (begins || !options_.drops_subwords);
}

MoverDistance::Side MoverDistance::read(const EncodedText& text) const {
  Side side;
  for (std::size_t i = 0; i < text.ids.size(); ++i) {
    const double weight = state_.rarity() == nullptr ? 1.0 : (*state_.rarity())(text.ids[i]);
    if (weight <= 0.0 || !counts(text.ids[i])) continue;
    side.tokens.push_back(i);
    side.weights.push_back(weight);
  }
  return side;
}

std::optional<double> MoverDistance::find(const EncodedText& caption, const EncodedText& reference) {
  constexpr Amount kFine = Amount{1} << 40;
  caption_ = read(caption);
  reference_ = read(reference);
  const std::size_t rows = caption_.tokens.size();
  const std::size_t columns = reference_.tokens.size();
  if (rows == 0 || columns == 0) return std::nullopt;
  costs_.resize(rows * columns);
  find_distances({vectors_of(caption, caption_.tokens), caption.width},
                 {vectors_of(reference, reference_.tokens), reference.width}, costs_.data(), columns);
  if (options_.squared) {
    for (double& cost : costs_) cost *= cost;
  }
  const bool even = are_equal(caption_.weights) && are_equal(reference_.weights);
  const auto whole = even ? static_cast<Amount>(rows * columns) : kFine;
  whole_ = static_cast<double>(whole);
  return transport_.solve(shares(caption_.weights, whole), shares(reference_.weights, whole), costs_.data(),
                          columns) /
         whole_;
}

std::vector<MoverDistance::Move> MoverDistance::moves() const {
  std::vector<Move> moves;
  const std::size_t columns = reference_.tokens.size();
  for (std::size_t i = 0; i < caption_.tokens.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const Amount amount = transport_.flow(i, j);
      if (amount == 0) continue;
      moves.push_back({caption_.tokens[i], reference_.tokens[j], static_cast<double>(amount) / whole_,
                       costs_[i * columns + j]});
    }
  }
  return moves;
}

}  // namespace capella::metric
