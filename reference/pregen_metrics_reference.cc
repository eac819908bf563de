#include "reference/pregen_metrics_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace capella::reference {
namespace {

using Numbers = std::vector<long double>;

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

bool has_zero(const Numbers& numbers) {
  return std::find(numbers.begin(), numbers.end(), 0.L) != numbers.end();
}

long double mean(const Numbers& numbers) {
  long double sum = 0;
  for (const long double number : numbers) sum += number;
  return sum / static_cast<long double>(numbers.size());
}

Numbers logarithms(const Numbers& numbers) {
  Numbers out;
  for (const long double number : numbers) out.push_back(std::log2(number));
  return out;
}

// Tier 1: the probabilities of the words that count.
Numbers kept(const std::string& tier, const CaptionGuesses& caption, bool paper_filter0) {
  Numbers out;
  for (const WordGuess& word : caption) {
    if (tier == "prefix0" && word.rank != 0) break;
    if (tier == "filter0" && !paper_filter0 && word.rank == 0) continue;
    if (tier == "filter0" && paper_filter0 && word.rank != 0) continue;
    out.push_back(word.probability);
  }
  return out;
}

// Tier 2: of one caption.
long double caption_score(const std::string& tier, const Numbers& words, std::size_t length) {
  if (tier == "count") return static_cast<long double>(words.size());
  if (tier == "normcount") return static_cast<long double>(words.size()) / static_cast<long double>(length);
  if (tier == "prob") {
    if (words.empty()) return 0;
    long double product = 1;
    for (const long double word : words) product *= word;
    return product;
  }
  if (tier != "pplx") throw std::invalid_argument(tier);
  if (words.empty() || has_zero(words)) return kInfinity;
  return std::exp2(-mean(logarithms(words)));
}

// Tiers 3 and 4.
long double aggregated(const std::string& tier, Numbers numbers) {
  if (tier == "sum") return mean(numbers) * static_cast<long double>(numbers.size());
  if (tier == "mean") return mean(numbers);
  if (tier == "geomean") return has_zero(numbers) ? 0 : std::exp2(mean(logarithms(numbers)));
  std::sort(numbers.begin(), numbers.end());
  if (tier == "min") return numbers.front();
  if (tier == "max") return numbers.back();
  if (tier != "median") throw std::invalid_argument(tier);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

}  // namespace

long double pregen_metric(const std::string& name, const std::vector<ImageGuesses>& images,
                          bool paper_filter0) {
  std::istringstream words(name);
  std::string tier4, tier3, tier2, tier1;
  std::getline(words, tier4, '_');
  std::getline(words, tier3, '_');
  std::getline(words, tier2, '_');
  std::getline(words, tier1, '_');
  Numbers pooled;
  for (const ImageGuesses& image : images) {
    Numbers of_image;
    for (const CaptionGuesses& caption : image)
      of_image.push_back(caption_score(tier2, kept(tier1, caption, paper_filter0), caption.size()));
    if (tier3 == "join") {
      pooled.insert(pooled.end(), of_image.begin(), of_image.end());
    } else {
      pooled.push_back(aggregated(tier3, of_image));
    }
  }
  return aggregated(tier4, pooled);
}

}  // namespace capella::reference
