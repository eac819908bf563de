#include "encoder/head_samples.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::encoder {
namespace {

double product(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

double cosine(const float* a, const float* b, std::size_t width) {
  const double lengths = std::sqrt(product(a, a, width)) * std::sqrt(product(b, b, width));
  return lengths > 0 ? product(a, b, width) / lengths : 0;
}

}  // namespace

std::vector<float> scaled_rows(const float* rows, std::size_t count, std::size_t width) {
  std::vector<float> scaled(rows, rows + count * width);
  for (std::size_t k = 0; k < count; ++k) {
    float* const row = scaled.data() + k * width;
    const double length = std::sqrt(product(row, row, width));
    if (length == 0) continue;
    const auto factor = static_cast<float>(std::sqrt(static_cast<double>(width)) / length);
    for (std::size_t i = 0; i < width; ++i) row[i] *= factor;
  }
  return scaled;
}

std::vector<float> reference_cosines(const HeadVectors& vectors, std::span<const std::size_t> ends,
                                     std::size_t width) {
  std::vector<float> result;
  for (std::size_t k = 0, r = 0; k < ends.size(); ++k) {
    const std::size_t begin = r;
    double highest = -1, sum = 0;
    for (; r < ends[k]; ++r) {
      const double each = cosine(vectors.candidates + k * width, vectors.references + r * width, width);
      highest = std::max(highest, each);
      sum += each;
    }
    result.push_back(static_cast<float>((highest + sum / static_cast<double>(r - begin)) / 2));
  }
  return result;
}

namespace {

void check(bool needed, bool there, const char* what) {
  if (needed && !there) throw UsageError(fmt::format("the network needs {}, but there are none", what));
}

}  // namespace

void check_samples(const HeadSamples& samples, bool clip, bool sentence, bool image) {
  if (samples.size() == 0) return;
  check(clip, samples.clip.candidates && samples.clip.references, "CLIP's vectors of captions");
  check(image, samples.clip.images, "CLIP's vectors of images");
  check(sentence, samples.sentence.candidates && samples.sentence.references,
        "the sentence encoder's vectors of captions");
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples.ends[k] <= samples.begin(k))
      throw UsageError(fmt::format("sample {} has no reference, expected at least one", k));
  }
}

}  // namespace capella::encoder
