// A geometric mean needs the logarithm of a product. As many numbers are multiplied at a time as stay well
// inside a double's range, and only the products' logarithms are summed: fewer of these, and fewer roundings.
#include "method/pregen/metrics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/pairwise_sum.h"

namespace capella::method::pregen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr int kMostBits = 500;  // a product between 2^-500 and 2^500 has lost no digits
constexpr double kLeast = 0x1p-500;
constexpr std::size_t kFew = 32;

// Of values between `least` and `most`.
double geometric_mean(std::span<const double> values, double least, double most) {
  if (least == 0) return 0;
  if (most == kInfinity) return kInfinity;
  const int bits = std::max(std::abs(std::ilogb(least)), std::abs(std::ilogb(most))) + 1;
  const auto together = static_cast<std::size_t>(std::max(1, kMostBits / bits));
  double log2 = 0;
  for (std::size_t begin = 0; begin < values.size(); begin += together) {
    double product = 1;
    for (const double value : values.subspan(begin, std::min(together, values.size() - begin)))
      product *= value;
    log2 += std::log2(product);
  }
  return std::exp2(log2 / static_cast<double>(values.size()));
}

// The number that would stand at `place` if the values were sorted. None is negative, so their bits have the
// order of the numbers: the values are counted by ranges of bits, and only those of one range are looked at.
double sorted_at(std::span<const double> values, std::size_t place, double least, double most,
                 std::vector<double>& scratch) {
  constexpr std::size_t kRanges = 1024;
  const auto first = std::bit_cast<std::uint64_t>(least);
  const auto spread = std::bit_cast<std::uint64_t>(most) - first;
  const int shift = std::max(0, static_cast<int>(std::bit_width(spread)) - std::countr_zero(kRanges));
  const auto range_of = [=](double value) { return (std::bit_cast<std::uint64_t>(value) - first) >> shift; };
  std::array<std::uint32_t, kRanges> counts{};
  for (const double value : values) ++counts[range_of(value)];
  std::size_t range = 0;
  for (; counts[range] <= place; ++range) place -= counts[range];
  scratch.resize(counts[range] + 1);
  std::size_t kept = 0;
  for (const double value : values) {  // without a branch: what is not kept is written over
    scratch[kept] = value;
    kept += range_of(value) == range ? 1 : 0;
  }
  scratch.pop_back();
  const auto found = scratch.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(scratch.begin(), found, scratch.end());
  return *found;
}

double median(std::span<const double> values, double least, double most, std::vector<double>& scratch) {
  const std::size_t half = values.size() / 2;
  const double upper = sorted_at(values, half, least, most, scratch);
  if (values.size() % 2 == 1) return upper;
  std::size_t smaller = 0;
  double largest_smaller = least;
  for (const double value : values) {
    smaller += value < upper ? 1 : 0;
    largest_smaller = std::max(largest_smaller, value < upper ? value : least);
  }
  return ((smaller == half ? largest_smaller : upper) + upper) / 2;
}

using Aggregates = std::array<double, kTier4.size()>;

// Sum, mean, median, geometric mean, largest and smallest of many values.
Aggregates aggregate(std::span<const double> values, std::vector<double>& scratch) {
  const double sum = pairwise_sum(values.data(), values.size());
  double least = values[0];
  double most = values[0];
  for (const double value : values) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const double geomean = geometric_mean(values, least, most);
  const double middle = median(values, least, most, scratch);
  return {sum, sum / static_cast<double>(values.size()), middle, geomean, most, least};
}

// The same of few values, which are sorted.
Aggregates aggregate_few(std::span<const double> values, std::vector<double>& scratch) {
  const double sum = pairwise_sum(values.data(), values.size());
  scratch.assign(values.begin(), values.end());
  for (std::size_t i = 1; i < scratch.size(); ++i) {
    const double value = scratch[i];
    std::size_t place = i;
    for (; place > 0 && scratch[place - 1] > value; --place) scratch[place] = scratch[place - 1];
    scratch[place] = value;
  }
  const std::size_t half = scratch.size() / 2;
  const double middle = scratch.size() % 2 == 1 ? scratch[half] : (scratch[half - 1] + scratch[half]) / 2;
  const double geomean = geometric_mean(values, scratch.front(), scratch.back());
  return {sum, sum / static_cast<double>(values.size()), middle, geomean, scratch.back(), scratch.front()};
}

std::vector<std::string> make_names() {
  std::vector<std::string> names;
  for (const char* of_data_set : kTier4) {
    for (const char* of_image : kTier3) {
      for (const char* of_caption : kTier2) {
        for (const char* words : kTier1)
          names.push_back(fmt::format("{}_{}_{}_{}", of_data_set, of_image, of_caption, words));
      }
    }
  }
  return names;
}

// A caption: what each filter keeps of its words, in the order of kTier1, and the scores of that.
class CaptionWords {
 public:
  CaptionWords(std::span<const double> probabilities, std::span<const std::uint32_t> ranks, Filter0 filter0)
      : probabilities_(probabilities), ranks_(ranks), filter0_keeps_first_(filter0 == Filter0::paper) {
    std::size_t i = 0;
    for (; i < ranks.size() && ranks[i] == 0; ++i) products_[0] *= probabilities[i];
    products_[2] = products_[0];
    counts_ = {ranks.size(), 0, i};
    for (; i < ranks.size(); ++i) products_[0] *= probabilities[i];
    for (i = 0; i < ranks.size(); ++i) {
      const bool keep = (ranks[i] == 0) == filter0_keeps_first_;
      counts_[1] += keep ? 1 : 0;
      products_[1] *= keep ? probabilities[i] : 1;
    }
  }

  /// In the order of kTier2.
  std::array<double, kTier2.size()> scores(std::size_t t1) const {
    const auto count = static_cast<double>(counts_[t1]);
    const double share = count / static_cast<double>(probabilities_.size());
    if (counts_[t1] == 0) return {0, kInfinity, count, share};
    // The sign: a probability of -0 is no negative one.
    return {std::fabs(products_[t1]), std::exp2(-log2_of_product(t1) / count), count, share};
  }

 private:
  // A product may be 0, or have lost digits, only because it is very small.
  double log2_of_product(std::size_t t1) const {
    if (products_[t1] >= kLeast) return std::log2(products_[t1]);
    double log2 = 0;
    for (std::size_t i = 0; i < probabilities_.size(); ++i) {
      if (t1 == 1 && (ranks_[i] == 0) != filter0_keeps_first_) continue;
      if (t1 == 2 && ranks_[i] != 0) break;
      log2 += std::log2(probabilities_[i]);
    }
    return log2;
  }

  std::span<const double> probabilities_;
  std::span<const std::uint32_t> ranks_;
  bool filter0_keeps_first_;
  std::array<double, kTier1.size()> products_ = {1, 1, 1};
  std::array<std::size_t, kTier1.size()> counts_{};
};

}  // namespace

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names = make_names();
  return names;
}

CaptionScores::CaptionScores(const io::TokenProbabilities& table, Filter0 filter0)
    : first_caption_(table.captions) {
  const std::size_t captions = table.caption_count();
  for (std::vector<double>& scores : caption_scores_) scores.resize(captions);
  for (std::size_t c = 0; c < captions; ++c) {
    const std::size_t begin = table.words[c];
    const std::size_t length = table.words[c + 1] - begin;
    const CaptionWords caption(std::span(table.probabilities).subspan(begin, length),
                               std::span(table.ranks).subspan(begin, length), filter0);
    for (std::size_t t1 = 0; t1 < kTier1.size(); ++t1) {
      const auto scores = caption.scores(t1);
      for (std::size_t t2 = 0; t2 < kTier2.size(); ++t2)
        caption_scores_[t2 * kTier1.size() + t1][c] = scores[t2];
    }
  }
  score_images();
}

void CaptionScores::score_images() {
  for (std::vector<double>& scores : image_scores_) scores.resize(image_count());
  std::vector<double> scratch;
  for (std::size_t s = 0; s < kScores; ++s) {
    for (std::size_t image = 0; image < image_count(); ++image) {
      const std::size_t first = first_caption_[image];
      const std::size_t captions = first_caption_[image + 1] - first;
      const std::span of_image = std::span(caption_scores_[s]).subspan(first, captions);
      const Aggregates found =
          captions <= kFew ? aggregate_few(of_image, scratch) : aggregate(of_image, scratch);
      for (std::size_t t3 = 0; t3 < found.size(); ++t3) image_scores_[t3 * kScores + s][image] = found[t3];
    }
  }
}

std::vector<double> CaptionScores::metrics() const {
  std::vector<std::size_t> all(image_count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return metrics(all);
}

std::vector<double> CaptionScores::metrics(std::span<const std::size_t> images) const {
  if (images.empty()) throw DataError("pre-gen metrics of no images; give one or more");
  std::vector<double> out(kMetricCount);
  std::vector<double> values;
  std::vector<double> scratch;
  const auto put = [&](std::size_t column) {
    const Aggregates found = aggregate(values, scratch);
    for (std::size_t t4 = 0; t4 < found.size(); ++t4) out[t4 * kTier3.size() * kScores + column] = found[t4];
  };
  for (std::size_t column = 0; column < image_scores_.size(); ++column) {
    values.clear();
    for (const std::size_t image : images) values.push_back(image_scores_[column][image]);
    put(column);
  }
  for (std::size_t s = 0; s < kScores; ++s) {
    values.clear();
    const auto first = caption_scores_[s].begin();
    for (const std::size_t image : images)
      values.insert(values.end(), first + static_cast<std::ptrdiff_t>(first_caption_[image]),
                    first + static_cast<std::ptrdiff_t>(first_caption_[image + 1]));
    put(image_scores_.size() + s);
  }
  return out;
}

}  // namespace capella::method::pregen
