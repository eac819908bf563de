#include "reference/pregen_strata_reference.h"

#include <regex>

namespace capella::reference {

std::vector<std::size_t> stratum_images(const std::vector<double>& scores, std::size_t strata,
                                        std::size_t stratum) {
  const std::size_t size = scores.size() / strata;
  std::vector<std::size_t> images;
  for (std::size_t image = 0; image < scores.size(); ++image) {
    std::size_t before = 0;
    for (std::size_t other = 0; other < scores.size(); ++other) {
      const bool earlier = scores[other] == scores[image] && other < image;
      if (scores[other] < scores[image] || earlier) ++before;
    }
    if (before >= size * stratum && before < size * (stratum + 1)) images.push_back(image);
  }
  return images;
}

std::string tokenize_karpathy(std::string_view caption) {
  std::string text(caption);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  text = std::regex_replace(text, std::regex("[.!?;'\"]"), "");
  text = std::regex_replace(text, std::regex("[-/,]"), " ");
  text = std::regex_replace(text, std::regex("[ \\t\\n\\v\\f\\r\\x1c-\\x1f]+"), " ");
  return std::regex_replace(text, std::regex("^ | $"), "");
}

}  // namespace capella::reference
