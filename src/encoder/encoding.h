// Lists of texts or pictures to vectors: what comes out, and how the work is cut. Shared by the encoders.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "capella/progress.h"

#include "base/hash.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"

namespace capella::encoder {

/// One vector per text or picture.
struct Features {
  std::size_t width = 0;
  std::vector<float> values;  ///< [rows][width]
  /// Rows, ascending, of which not all was seen: texts with more tokens than the model takes, pictures whose
  /// files end early.
  std::vector<std::size_t> cut;

  std::size_t size() const { return width == 0 ? 0 : values.size() / width; }
  std::span<const float> row(std::size_t i) const { return {values.data() + i * width, width}; }
};

/// Who does the work, and who is told how far it is.
struct EncodeWork {
  ThreadPool* pool = nullptr;  ///< null: the calling thread alone
  Progress progress = {};
};

/// Does work(0) ... work(pieces - 1).
template <class Work>
void for_each_piece(const EncodeWork& how, std::string_view stage, std::size_t pieces, const Work& work) {
  StepCounter steps(how.progress, stage, pieces);
  const auto one = [&](std::size_t piece) {
    work(piece);
    steps.done();
  };
  if (how.pool != nullptr) return how.pool->parallel_for(pieces, one);
  for (std::size_t piece = 0; piece < pieces; ++piece) one(piece);
}

/// How many pieces of `at_once` things there are.
constexpr std::size_t pieces_of(std::size_t count, std::size_t at_once) {
  return (count + at_once - 1) / at_once;
}

/// Each of a list's texts once, in the order in which they come first, and which of them each one is.
struct Distinct {
  std::vector<std::string_view> texts;
  std::vector<std::size_t> of;
};

template <class Texts>
Distinct distinct(const Texts& texts) {
  Distinct result;
  tsl::robin_map<std::string_view, std::size_t, StringHash> places;
  places.reserve(texts.size());
  for (const std::string_view text : texts) {
    const auto [place, is_new] = places.emplace(text, result.texts.size());
    if (is_new) result.texts.push_back(text);
    result.of.push_back(place->second);
  }
  return result;
}

}  // namespace capella::encoder
