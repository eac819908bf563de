// Which things captions name of the same images: a thing that is usual where another is may be there untold.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "pipeline/noun_exchange.h"

namespace capella::pipeline {

class SeenTogether {
 public:
  SeenTogether(std::size_t images, const NounExchange& exchange, ThreadPool& pool);

  /// Whether a thing of the category is named more often than elsewhere where one of the others is.
  bool is_usual(std::uint32_t category, const std::vector<bool>& mentioned) const;

 private:
  double& together(std::size_t a, std::size_t b) { return together_[a * categories_ + b]; }
  double together(std::size_t a, std::size_t b) const { return together_[a * categories_ + b]; }

  double images_;
  std::size_t categories_;
  std::vector<double> together_;  // images by both categories; the diagonal: by one
};

}  // namespace capella::pipeline
