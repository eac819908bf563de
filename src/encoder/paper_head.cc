#include "encoder/paper_head.h"

#include <algorithm>
#include <cmath>

namespace capella::encoder {
namespace {

using tensor::After;
using tensor::Kernels;
using tensor::reserve;

constexpr std::size_t kPaperTokens = 512;

// In the order of the table of kinds.
enum Kind : std::size_t {
  kImageProduct,
  kReferenceProduct,
  kImageDifference,
  kReferenceDifference,
  kSentenceProduct,
  kSentenceDifference,
};
enum RawKind : std::size_t { kCandidate, kImage, kReference, kSentenceCandidate, kSentenceReference };

}  // namespace

// One encoder's tokens of some samples: first as vectors, then projected.
class PaperHead::Tokens {
 public:
  Tokens(const HeadSamples& samples, const HeadVectors& vectors, std::size_t width)
      : samples_(samples),
        vectors_(vectors),
        width_(width),
        stride_(tensor::round_up(width, tensor::kLanes)) {}

  // Products before differences, the image before the references.
  void add_similarities(std::size_t k, bool sentence) {
    for (const bool product : {true, false}) {
      if (vectors_.images)
        compare(product, product ? kImageProduct : kImageDifference, k, vectors_.images + k * width_);
      const std::size_t kind = sentence  ? (product ? kSentenceProduct : kSentenceDifference)
                               : product ? kReferenceProduct
                                         : kReferenceDifference;
      for (std::size_t r = samples_.begin(k); r < samples_.ends[k]; ++r)
        compare(product, kind, k, vectors_.references + r * width_);
    }
    ends_.push_back(kinds_.size());
  }

  void add_vectors(std::size_t k, bool sentence) {
    copy(sentence ? kSentenceCandidate : kCandidate, vectors_.candidates + k * width_);
    if (vectors_.images) copy(kImage, vectors_.images + k * width_);
    for (std::size_t r = samples_.begin(k); r < samples_.ends[k]; ++r)
      copy(sentence ? kSentenceReference : kReference, vectors_.references + r * width_);
    ends_.push_back(kinds_.size());
  }

  void project(const Kernels& kernels, const tensor::FloatLinear& map) {
    projected_.resize(kinds_.size() * map.stride());
    map.apply(kernels, rows_.data(), stride_, kinds_.size(), projected_.data(), map.stride(), After::kStore);
    stride_ = map.stride();
  }

  std::size_t size() const { return kinds_.size(); }

  // Those of the sample added as number i, with their kinds.
  float* write(std::size_t i, std::span<const float> kinds, std::size_t width, float* out) const {
    for (std::size_t t = i == 0 ? 0 : ends_[i - 1]; t < ends_[i]; ++t) {
      for (std::size_t j = 0; j < width; ++j)
        *out++ = projected_[t * stride_ + j] + kinds[kinds_[t] * width + j];
    }
    return out;
  }

 private:
  float* next(std::size_t kind) {
    kinds_.push_back(kind);
    rows_.resize(rows_.size() + stride_);
    return rows_.data() + rows_.size() - stride_;
  }

  void compare(bool product, std::size_t kind, std::size_t k, const float* other) {
    const float* candidate = vectors_.candidates + k * width_;
    float* out = next(kind);
    for (std::size_t i = 0; i < width_; ++i)
      out[i] = product ? other[i] * candidate[i] : std::fabs(other[i] - candidate[i]);
  }

  void copy(std::size_t kind, const float* vector) { std::copy_n(vector, width_, next(kind)); }

  const HeadSamples& samples_;
  HeadVectors vectors_;
  std::size_t width_;
  std::size_t stride_;
  tensor::AlignedVector<float> rows_;
  tensor::AlignedVector<float> projected_;
  std::vector<std::size_t> kinds_;  // of each token
  std::vector<std::size_t> ends_;   // of each sample
};

PaperHead::PaperHead(const WeightSource& source, const SimVecShape& shape)
    : shape_(shape),
      kinds_(source.floats(shape.prefix + "type_embedding.weight", {kKinds, shape.width})),
      joiner_(source, {shape.width, shape.layers, shape.heads, shape.inner, shape.attention},
              shape.prefix + "transformer", shape.prefix + "cls_token"),
      last_(source, {shape.width, shape.hidden, shape.last_prefix}) {
  if (shape.clip_width > 0)
    clip_ = read_linear(source, shape.prefix + "upsampler", shape.width, shape.clip_width);
  if (shape.sentence_width > 0)
    sentence_ = read_linear(source, shape.prefix + "upsampler2", shape.width, shape.sentence_width);
}

std::vector<std::size_t> PaperHead::write_sequences(const Kernels& kernels, const HeadSamples& samples,
                                                    std::size_t begin, std::size_t end,
                                                    Workspace& work) const {
  HeadVectors clip = samples.clip, sentence = samples.sentence;
  if (!shape_.image) clip.images = nullptr;
  sentence.images = nullptr;
  Tokens first(samples, clip, shape_.clip_width), second(samples, sentence, shape_.sentence_width);
  const auto add = [&](Tokens& to, std::size_t k, bool is_sentence) {
    shape_.raw ? to.add_vectors(k, is_sentence) : to.add_similarities(k, is_sentence);
  };
  for (std::size_t k = begin; k < end; ++k) {
    if (shape_.clip_width > 0) add(first, k, false);
    if (shape_.sentence_width > 0) add(second, k, true);
  }
  if (shape_.clip_width > 0) first.project(kernels, clip_);
  if (shape_.sentence_width > 0) second.project(kernels, sentence_);
  const std::size_t width = shape_.width;
  float* const rows = reserve(work.hidden, (first.size() + second.size() + end - begin) * width);
  float* to = rows;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < end - begin; ++i) {
    to = std::ranges::copy(joiner_.own(), to).out;
    if (shape_.clip_width > 0) to = first.write(i, kinds_, width, to);
    if (shape_.sentence_width > 0) to = second.write(i, kinds_, width, to);
    ends.push_back(static_cast<std::size_t>(to - rows) / width);
  }
  return ends;
}

void PaperHead::scores(const Kernels& kernels, const HeadSamples& samples, float* out) const {
  check_samples(samples, shape_.clip_width > 0, shape_.sentence_width > 0, shape_.image);
  BorrowedWorkspace work;
  tensor::AlignedVector<float> joined;
  for (std::size_t begin = 0; begin < samples.size();) {
    std::size_t end = begin + 1;
    while (end < samples.size() &&
           4 * (samples.ends[end] - samples.begin(begin)) + 3 * (end - begin) <= kPaperTokens)
      ++end;
    const std::vector<std::size_t> ends = write_sequences(kernels, samples, begin, end, *work);
    float* vectors = reserve(joined, (end - begin) * shape_.width);
    joiner_.join(kernels, ends, work->hidden.data(), vectors, *work);
    last_.apply(kernels, vectors, shape_.width, end - begin, added_from(samples, begin), out + begin);
    begin = end;
  }
}

}  // namespace capella::encoder
