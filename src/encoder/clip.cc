#include "encoder/clip.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "encoder/clip_weights.h"

namespace capella::encoder {
namespace {

using tensor::After;
using tensor::Kernels;
using tensor::reserve;

// Tokens of pictures or texts that are computed together, so that memory has a bound.
constexpr std::size_t kTokensTogether = 512;

// Normed and projected, without the padding of rows: [count][width].
void project(const Kernels& kernels, const tensor::FloatNorm& norm, const tensor::FloatLinear& projection,
             float* rows, std::size_t count, Workspace& work, float* out) {
  const std::size_t inputs = projection.inputs(), width = projection.outputs();
  norm.apply(kernels, rows, inputs, count, rows, inputs);
  float* result = reserve(work.input, count * projection.stride());
  projection.apply(kernels, rows, inputs, count, result, projection.stride(), After::kStore);
  for (std::size_t k = 0; k < count; ++k)
    std::copy_n(result + k * projection.stride(), width, out + k * width);
}

// Where a text is read; what comes behind is not seen from there.
std::size_t end_of(const ClipText& text, const TokenBatch& batch, std::size_t k) {
  const auto first = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.begin(k));
  const auto last = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.end(k));
  const auto end = text.end_is_greatest ? std::max_element(first, last) : std::find(first, last, text.end);
  if (end == last)
    throw UsageError(
        fmt::format("a text has no end token ({}); does the tokenizer belong to the model?", text.end));
  return static_cast<std::size_t>(end - first) + 1;
}

struct Sequences {
  std::vector<std::size_t> ends;
  std::vector<std::size_t> read;  // the row of each that is projected
};

void embed_text(const ClipText& text, std::span<const std::int32_t> ids, float* rows) {
  const std::size_t width = text.layers.width();
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const float* word = text.words.data() + static_cast<std::size_t>(ids[t]) * width;
    const float* place = text.places.data() + t * width;
    for (std::size_t i = 0; i < width; ++i) rows[t * width + i] = word[i] + place[i];
  }
}

// One row per patch, the numbers in the order of the patches' weights: channel, row, column.
void cut_patches(const float* pixels, const ClipVision& vision, std::size_t stride, float* out) {
  const std::size_t patch = vision.patch, size = vision.side * patch;
  for (std::size_t k = 0; k < vision.side * vision.side; ++k) {
    const float* corner = pixels + k / vision.side * patch * size + k % vision.side * patch;
    float* to = out + k * stride;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      for (std::size_t y = 0; y < patch; ++y, to += patch)
        std::copy_n(corner + (channel * size + y) * size, patch, to);
    }
  }
}

// The rows of one picture: the class's row, then its patches.
void embed_image(const Kernels& kernels, const ClipVision& vision, const float* pixels, Workspace& work,
                 float* rows) {
  const std::size_t width = vision.layers.width(), count = vision.side * vision.side;
  const std::size_t stride = tensor::round_up(vision.patches.inputs(), tensor::kLanes);
  float* patches = reserve(work.input, count * stride);
  cut_patches(pixels, vision, stride, patches);
  std::copy(vision.first.begin(), vision.first.end(), rows);
  vision.patches.apply(kernels, patches, stride, count, rows + width, width, After::kStore);
  for (std::size_t i = 0; i < (1 + count) * width; ++i) rows[i] += vision.places[i];
  vision.first_norm.apply(kernels, rows, width, 1 + count, rows, width);
}

}  // namespace

Clip::Clip(const ModelFolder& folder) : parts_(std::make_unique<Parts>(folder)) {}
Clip::~Clip() = default;
Clip::Clip(Clip&&) noexcept = default;

std::size_t Clip::width() const {
  return parts_->width;
}

std::size_t Clip::image_size() const {
  return parts_->vision.patch * parts_->vision.side;
}

std::size_t Clip::vocabulary() const {
  return parts_->text.vocabulary;
}

std::size_t Clip::most_tokens() const {
  return parts_->text.positions;
}

std::int32_t Clip::end_token() const {
  return parts_->text.end;
}

void Clip::texts(const Kernels& kernels, const TokenBatch& batch, float* out) const {
  const ClipText& text = parts_->text;
  check_tokens(batch, text.vocabulary, text.positions);
  const std::size_t width = text.layers.width();
  BorrowedWorkspace work;
  for (std::size_t k = 0; k < batch.size();) {
    Sequences sequences;
    const std::size_t first = k;
    for (std::size_t tokens = 0; k < batch.size() && tokens < kTokensTogether; ++k) {
      const std::size_t length = end_of(text, batch, k);
      float* rows = reserve(work->hidden, (tokens + length) * width) + tokens * width;
      embed_text(text, std::span(batch.ids).subspan(batch.begin(k), length), rows);
      tokens += length;
      sequences.ends.push_back(tokens);
      sequences.read.push_back(tokens - 1);
    }
    float* read = reserve(work->result, sequences.ends.size() * width);
    text.layers.run_and_read(kernels, sequences.ends, sequences.read, work->hidden.data(), read, *work);
    project(kernels, text.norm, text.projection, read, sequences.ends.size(), *work,
            out + first * this->width());
  }
}

void Clip::images(const Kernels& kernels, const float* pixels, std::size_t count, float* out) const {
  const ClipVision& vision = parts_->vision;
  const std::size_t width = vision.layers.width(), tokens = 1 + vision.side * vision.side;
  const std::size_t size = 3 * image_size() * image_size();
  const std::size_t together = std::max<std::size_t>(kTokensTogether / tokens, 1);
  BorrowedWorkspace work;
  for (std::size_t first = 0; first < count; first += together) {
    Sequences sequences;
    const std::size_t here = std::min(together, count - first);
    float* rows = reserve(work->hidden, here * tokens * width);
    for (std::size_t k = 0; k < here; ++k) {
      embed_image(kernels, vision, pixels + (first + k) * size, *work, rows + k * tokens * width);
      sequences.ends.push_back((k + 1) * tokens);
      sequences.read.push_back(k * tokens);
    }
    float* read = reserve(work->result, here * width);
    vision.layers.run_and_read(kernels, sequences.ends, sequences.read, rows, read, *work);
    project(kernels, vision.last_norm, vision.projection, read, here, *work, out + first * this->width());
  }
}

}  // namespace capella::encoder
