#include "pipeline/seen_together.h"

#include <algorithm>

namespace capella::pipeline {

SeenTogether::SeenTogether(std::size_t images, const NounExchange& exchange, ThreadPool& pool)
    : images_(static_cast<double>(images)),
      categories_(exchange.nouns().categories()),
      together_(categories_ * categories_) {
  constexpr std::size_t kPiece = 512;  // images that one thread does together
  std::vector<std::vector<std::uint32_t>> named(images);
  pool.parallel_for((images + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t end = std::min(images, (piece + 1) * kPiece);
    for (std::size_t image = piece * kPiece; image < end; ++image) {
      const std::vector<bool> mentioned = exchange.look_at(image).mentioned;
      for (std::uint32_t category = 0; category < categories_; ++category) {
        if (mentioned[category]) named[image].push_back(category);
      }
    }
  });
  for (const std::vector<std::uint32_t>& categories : named) {
    for (const std::uint32_t a : categories) {
      for (const std::uint32_t b : categories) ++together(a, b);
    }
  }
}

bool SeenTogether::is_usual(std::uint32_t category, const std::vector<bool>& mentioned) const {
  for (std::size_t other = 0; other < categories_; ++other) {
    if (mentioned[other] &&
        together(category, other) * images_ > together(category, category) * together(other, other))
      return true;
  }
  return false;
}

}  // namespace capella::pipeline
