#include "encoder/polos_head.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tensor/aligned.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kPolosRows = 96;

// Writes vectors of one width one behind the other.
class Writer {
 public:
  Writer(float* to, std::size_t width) : to_(to), width_(width) {}
  void copy(const float* a) { to_ = std::copy_n(a, width_, to_); }
  void difference(const float* a, const float* b) {
    for (std::size_t i = 0; i < width_; ++i) *to_++ = std::fabs(a[i] - b[i]);
  }
  void product(const float* a, const float* b) {
    for (std::size_t i = 0; i < width_; ++i) *to_++ = a[i] * b[i];
  }
  float* end() const { return to_; }

 private:
  float* to_;
  std::size_t width_;
};

std::size_t inputs(const PolosShape& shape) {
  return 4 * shape.sentence_width + (shape.image ? 6 : 3) * shape.clip_width;
}

}  // namespace

PolosShape polos_shape(const ModelFolder& folder, std::size_t clip_width, std::size_t sentence_width) {
  const ScoreLayersShape last = score_layers_shape(folder);
  PolosShape shape = {clip_width, sentence_width, clip_width > 0, last.hidden, last.prefix};
  const std::size_t with_image = inputs(shape);
  if (last.inputs != with_image) shape.image = false;
  if (last.inputs != inputs(shape))
    folder.reject(
        fmt::format("the first layer has {} inputs, expected {} or, with an image, {}: do the encoders "
                    "belong to this network?",
                    last.inputs, inputs(shape), with_image));
  return shape;
}

PolosHead::PolosHead(const WeightSource& source, const PolosShape& shape)
    : shape_(shape), last_(source, {inputs(shape), shape.hidden, shape.prefix}) {}

void PolosHead::features(const HeadSamples& samples, std::size_t sample, std::size_t reference,
                         float* out) const {
  if (shape_.sentence_width > 0) {
    const float* r = samples.sentence.references + reference * shape_.sentence_width;
    const float* c = samples.sentence.candidates + sample * shape_.sentence_width;
    Writer to(out, shape_.sentence_width);
    to.copy(r);
    to.copy(c);
    to.difference(c, r);
    to.product(c, r);
    out = to.end();
  }
  if (shape_.clip_width == 0) return;
  const float* r = samples.clip.references + reference * shape_.clip_width;
  const float* c = samples.clip.candidates + sample * shape_.clip_width;
  const float* v = shape_.image ? samples.clip.images + sample * shape_.clip_width : nullptr;
  Writer to(out, shape_.clip_width);
  if (v) to.copy(v);
  to.copy(c);
  if (v) to.difference(v, c);
  if (v) to.product(v, c);
  to.difference(r, c);
  to.product(r, c);
}

void PolosHead::scores(const tensor::Kernels& kernels, const HeadSamples& samples, float* out) const {
  check_samples(samples, shape_.clip_width > 0, shape_.sentence_width > 0, shape_.image);
  if (samples.size() == 0) return;
  const std::size_t stride = tensor::round_up(last_.inputs(), tensor::kLanes), all = samples.ends.back();
  tensor::AlignedVector<float> rows(std::min(all, kPolosRows) * stride);
  std::vector<float> each(all);
  std::size_t sample = 0;
  for (std::size_t first = 0; first < all; first += kPolosRows) {
    const std::size_t count = std::min(kPolosRows, all - first);
    for (std::size_t r = 0; r < count; ++r) {
      while (samples.ends[sample] <= first + r) ++sample;
      features(samples, sample, first + r, rows.data() + r * stride);
    }
    last_.apply(kernels, rows.data(), stride, count, nullptr, each.data() + first);
  }
  for (std::size_t k = 0; k < samples.size(); ++k)
    out[k] = *std::max_element(each.begin() + static_cast<std::ptrdiff_t>(samples.begin(k)),
                               each.begin() + static_cast<std::ptrdiff_t>(samples.ends[k]));
}

}  // namespace capella::encoder
