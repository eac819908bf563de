#include "encoder/sim_vec_head.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/names.h"

namespace capella::encoder {
namespace {

using tensor::After;
using tensor::Kernels;
using tensor::reserve;
using tensor::round_up;

constexpr std::size_t kUsualHeads = 8;
constexpr std::size_t kMaxHeadLayers = 1000;
constexpr std::size_t kPlacesKept = 64;
constexpr std::size_t kHeadTokens = 512;

std::size_t heads_of(const ModelFolder& folder) {
  std::size_t heads = kUsualHeads;
  if (const auto text = folder.metadata("heads")) {
    const auto read = std::from_chars(text->data(), text->data() + text->size(), heads);
    if (read.ec != std::errc() || read.ptr != text->data() + text->size())
      folder.reject(fmt::format("the metadata's 'heads' is '{}', expected a number", excerpt(*text)));
  }
  return folder.number("heads", heads);
}

// |other - candidate|, and behind it other * candidate; or the two as they are.
void compare(const float* other, const float* candidate, std::size_t width, std::size_t stride, bool raw,
             float* out) {
  if (raw) {
    std::copy_n(other, width, out);
    std::copy_n(candidate, width, out + stride);
    return;
  }
  for (std::size_t i = 0; i < width; ++i) out[i] = std::fabs(other[i] - candidate[i]);
  for (std::size_t i = 0; i < width; ++i) out[stride + i] = other[i] * candidate[i];
}

std::size_t sequences(const SimVecShape& shape) {
  return (shape.clip_width > 0 ? 1 : 0) + (shape.sentence_width > 0 ? 1 : 0);
}

}  // namespace

SimVecShape sim_vec_shape(const ModelFolder& folder) {
  const auto prefix = folder.prefix_of("upsampler.weight");
  SimVecShape shape;
  shape.prefix = prefix ? *prefix : folder.prefix_of("upsampler2.weight").value_or("");
  const std::string clip = shape.prefix + "upsampler.weight", sentence = shape.prefix + "upsampler2.weight";
  const bool has_clip = folder.has(clip), has_sentence = folder.has(sentence);
  if (!has_clip && !has_sentence)
    folder.reject(
        "there is neither a tensor 'upsampler.weight' nor 'upsampler2.weight', expected DENEB's head");
  shape.clip_width = has_clip ? folder.matrix_shape(clip)[1] : 0;
  shape.sentence_width = has_sentence ? folder.matrix_shape(sentence)[1] : 0;
  shape.width = folder.matrix_shape(has_clip ? clip : sentence)[0];
  const std::string layers = shape.prefix + (has_clip ? "transformer.layers." : "transformer2.layers.");
  shape.inner = folder.matrix_shape(layers + "0.linear1.weight")[0];
  shape.layers = 1;
  while (shape.layers < kMaxHeadLayers && folder.has(fmt::format("{}{}.norm1.weight", layers, shape.layers)))
    ++shape.layers;
  shape.heads = heads_of(folder);
  const ScoreLayersShape last = score_layers_shape(folder);
  shape.hidden = last.hidden;
  shape.last_prefix = last.prefix;
  shape.image = has_clip && last.inputs != sequences(shape) * 2 * shape.width;
  return shape;
}

SimVecHead::SimVecHead(const WeightSource& source, const SimVecShape& shape)
    : shape_(shape),
      width_(2 * shape.width),
      last_(source, {(sequences(shape) + (shape.image ? 1 : 0)) * width_, shape.hidden, shape.last_prefix}) {
  if (shape.clip_width > 0) clip_ = read_sequence(source, shape.clip_width, "");
  if (shape.sentence_width > 0) sentence_ = read_sequence(source, shape.sentence_width, "2");
  tensor::AlignedVector<float> places(kPlacesKept * width_);
  for (std::size_t p = 0; p < kPlacesKept; ++p) add_place(p, places.data() + p * width_);
  places_ = std::move(places);
}

SimVecHead::Sequence SimVecHead::read_sequence(const WeightSource& source, std::size_t inputs,
                                               const std::string& number) const {
  const std::string& prefix = shape_.prefix;
  const JoinerShape shape = {width_, shape_.layers, shape_.heads, shape_.inner, shape_.attention};
  return {read_linear(source, prefix + "upsampler" + number, shape_.width, inputs),
          {source, shape, prefix + "transformer" + number,
           prefix + "cls_token" + (number.empty() ? "1" : number)}};
}

void SimVecHead::add_place(std::size_t position, float* row) const {
  if (position < kPlacesKept && !places_.empty()) {
    for (std::size_t i = 0; i < width_; ++i) row[i] += places_[position * width_ + i];
    return;
  }
  for (std::size_t i = 0; i < width_; i += 2) {
    const double angle =
        static_cast<double>(position) * std::pow(1e4, -static_cast<double>(i) / static_cast<double>(width_));
    row[i] += static_cast<float>(std::sin(angle));
    row[i + 1] += static_cast<float>(std::cos(angle));
  }
}

// To work.result: difference and product of each token, projected, in two rows.
void SimVecHead::project_part(const Kernels& kernels, const Sequence& sequence, const HeadVectors& vectors,
                              const Part& part, Workspace& work) const {
  const tensor::FloatLinear& map = sequence.projection;
  const std::size_t width = map.inputs(), stride = round_up(width, tensor::kLanes);
  const std::size_t images = vectors.images ? 1 : 0;
  const std::size_t first = part.samples.begin(part.begin), last = part.samples.ends[part.end - 1];
  const std::size_t rows = 2 * (last - first + images * (part.end - part.begin));
  float* input = reserve(work.input, rows * stride);
  for (std::size_t k = part.begin; k < part.end; ++k) {
    const float* candidate = vectors.candidates + k * width;
    const auto add = [&](const float* other) {
      compare(other, candidate, width, stride, shape_.raw, input);
      input += 2 * stride;
    };
    if (images > 0) add(vectors.images + k * width);
    for (std::size_t r = part.samples.begin(k); r < part.samples.ends[k]; ++r)
      add(vectors.references + r * width);
  }
  float* out = reserve(work.result, rows * map.stride());
  map.apply(kernels, work.input.data(), stride, rows, out, map.stride(), After::kStore);
}

// What the sequence says to part.features from column `at` on; the image's token to the last columns.
void SimVecHead::read_part(const Kernels& kernels, const Sequence& sequence, const HeadVectors& vectors,
                           const Part& part, std::size_t at, Workspace& work) const {
  project_part(kernels, sequence, vectors, part, work);
  const std::size_t half = width_ / 2, stride = sequence.projection.stride();
  const std::size_t images = vectors.images ? 1 : 0, count = part.end - part.begin;
  const std::size_t first = part.samples.begin(part.begin);
  const std::span<const float> own = sequence.joiner.own();
  float* row =
      reserve(work.hidden, (part.samples.ends[part.end - 1] - first + (1 + images) * count) * width_);
  const float* projected = work.result.data();
  std::vector<std::size_t> ends;
  std::size_t tokens = 0;
  for (std::size_t k = part.begin; k < part.end; ++k) {
    if (!own.empty()) {
      std::ranges::copy(own, row);
      add_place(0, row);
      row += width_, ++tokens;
    }
    const std::size_t others = images + part.samples.ends[k] - part.samples.begin(k);
    for (std::size_t t = 0; t < others; ++t, ++tokens, row += width_, projected += 2 * stride) {
      std::copy_n(projected, half, row);
      std::copy_n(projected + stride, half, row + half);
      if (images > 0 && t == 0)
        std::copy_n(row, width_, part.features + (k - part.begin) * part.stride + last_.inputs() - width_);
      if (!own.empty()) add_place(1 + t, row);
    }
    ends.push_back(tokens);
  }
  float* out = reserve(work.result, count * width_);
  sequence.joiner.join(kernels, ends, work.hidden.data(), out, work);
  for (std::size_t k = 0; k < count; ++k)
    std::copy_n(out + k * width_, width_, part.features + k * part.stride + at);
}

void SimVecHead::scores(const Kernels& kernels, const HeadSamples& samples, float* out) const {
  const bool has_clip = shape_.clip_width > 0, has_sentence = shape_.sentence_width > 0;
  check_samples(samples, has_clip, has_sentence, shape_.image);
  const std::size_t stride = round_up(last_.inputs(), tensor::kLanes);
  HeadVectors clip = samples.clip, sentence = samples.sentence;
  if (!shape_.image) clip.images = nullptr;
  sentence.images = nullptr;
  BorrowedWorkspace work;
  tensor::AlignedVector<float> features;
  for (std::size_t begin = 0; begin < samples.size();) {
    std::size_t end = begin + 1;
    while (end < samples.size() &&
           samples.ends[end] - samples.begin(begin) + 2 * (end - begin) <= kHeadTokens)
      ++end;
    const Part part{samples, begin, end, reserve(features, (end - begin) * stride), stride};
    if (has_clip) read_part(kernels, clip_, clip, part, 0, *work);
    if (has_sentence) read_part(kernels, sentence_, sentence, part, has_clip ? width_ : 0, *work);
    last_.apply(kernels, part.features, stride, end - begin, added_from(samples, begin), out + begin);
    begin = end;
  }
}

}  // namespace capella::encoder
