#include "method/deneb/scorer.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/step_counter.h"
#include "encoder/paper_head.h"
#include "encoder/polos_head.h"
#include "encoder/scalar_mix.h"
#include "encoder/sim_vec_head.h"
#include "encoder/weight_source.h"
#include "method/deneb/sample_batch.h"
#include "tensor/kernels.h"

namespace capella::method::deneb {
namespace {

using encoder::HeadSamples;

constexpr std::size_t kParityBatch = 32;  // of the authors' validation
constexpr std::size_t kQuickBatch = 64;
constexpr const char* kNoStatistics =
    "the network keeps no statistics of its sentence encoder's layers: only batches can be scored, as its "
    "authors do, with 'capella deneb score --parity'";

// A network's arrays by name.
class ArraySource final : public encoder::WeightSource {
 public:
  ArraySource(std::span<const NetworkArray> arrays, std::string path) : path_(std::move(path)) {
    for (const NetworkArray& array : arrays) by_name_.emplace(array.name, &array);
  }

  const std::string& path() const override { return path_; }
  bool has(std::string_view name) const override { return by_name_.contains(name); }
  std::vector<float> floats(std::string_view name, const tensor::Shape& shape) const override {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) reject(fmt::format("there is no array '{}'; train the network again", name));
    if (found->second->shape != shape)
      reject(fmt::format("array '{}' has the shape [{}], expected [{}]; train the network again", name,
                         fmt::join(found->second->shape, ", "), fmt::join(shape, ", ")));
    return found->second->values;
  }

 private:
  std::string path_;
  std::map<std::string, const NetworkArray*, std::less<>> by_name_;
};

encoder::SimVecShape shape_of(const Recipe& recipe) {
  encoder::SimVecShape shape;
  shape.clip_width = recipe.clip_width;
  shape.sentence_width = recipe.sentence_width;
  shape.image = recipe.image;
  shape.width = recipe.width;
  shape.layers = recipe.layers;
  shape.heads = recipe.heads;
  shape.inner = recipe.feed_forward;
  shape.hidden = recipe.hidden;
  shape.raw = recipe.tokens == TokenKind::raw;
  shape.attention = recipe.joiner == Joiner::transformer;
  return shape;
}

// The same samples with vectors of the length that the recipe wants.
class ScaledSamples {
 public:
  ScaledSamples(const Recipe& recipe, const HeadSamples& samples) {
    const std::size_t count = samples.size(), references = count == 0 ? 0 : samples.ends.back();
    const auto rows = [&](const float* given, std::size_t rows_given, std::size_t width) -> const float* {
      if (given == nullptr || width == 0) return nullptr;
      return kept_.emplace_back(encoder::scaled_rows(given, rows_given, width)).data();
    };
    const std::size_t clip = recipe.clip_width, sentence = recipe.sentence_width;
    samples_.clip = {rows(samples.clip.candidates, count, clip),
                     rows(samples.clip.references, references, clip),
                     recipe.image ? rows(samples.clip.images, count, clip) : nullptr};
    samples_.sentence = {rows(samples.sentence.candidates, count, sentence),
                         rows(samples.sentence.references, references, sentence), nullptr};
    samples_.ends = samples.ends;
  }

  const HeadSamples& samples() const { return samples_; }

 private:
  std::list<std::vector<float>> kept_;
  HeadSamples samples_;
};

// One of the three networks.
class Head {
 public:
  Head(const Recipe& recipe, const encoder::WeightSource& source) : recipe_(recipe) {
    if (recipe.cosine) gain_ = source.floats(kCosineGain, {1})[0];
    if (recipe.architecture == Architecture::released) released_.emplace(source, shape_of(recipe));
    if (recipe.architecture == Architecture::paper) paper_.emplace(source, shape_of(recipe));
    if (recipe.architecture == Architecture::polos)
      polos_.emplace(source, encoder::PolosShape{recipe.clip_width, recipe.sentence_width, recipe.image,
                                                 recipe.hidden, "ff."});
  }

  std::vector<float> scores(HeadSamples samples) const {
    std::vector<float> out(samples.size());
    const std::vector<float> added = recipe_.cosine ? cosines(samples) : std::vector<float>();
    samples.added = added;
    if (released_) released_->scores(tensor::kernels(), samples, out.data());
    if (paper_) paper_->scores(tensor::kernels(), samples, out.data());
    if (polos_) polos_->scores(tensor::kernels(), samples, out.data());
    return out;
  }

 private:
  std::vector<float> cosines(const HeadSamples& samples) const {
    const bool sentence = recipe_.sentence_width > 0;
    std::vector<float> all =
        encoder::reference_cosines(sentence ? samples.sentence : samples.clip, samples.ends,
                                   sentence ? recipe_.sentence_width : recipe_.clip_width);
    for (float& value : all) value *= gain_;
    return all;
  }

  Recipe recipe_;
  float gain_ = 0;
  std::optional<encoder::SimVecHead> released_;
  std::optional<encoder::PaperHead> paper_;
  std::optional<encoder::PolosHead> polos_;
};

}  // namespace

struct Scorer::Parts {
  Parts(const Model& model, const ArraySource& source) : recipe(model.recipe), head(model.recipe, source) {
    if (!mixes_layers(recipe)) return;
    mix.emplace(source);
    if (mix->layers() != recipe.sentence_layers)
      source.reject(fmt::format("the network mixes {} layers, its recipe has {}; train the network again",
                                mix->layers(), recipe.sentence_layers));
    if (source.has(kMixMean)) kept = encoder::kept_statistics(source, recipe.sentence_layers);
  }

  std::vector<double> each_alone(const HeadSamples& samples) const;
  void score(const HeadSamples& samples, double* out) const;  // vectors are scaled

  bool looks_at_batches() const {
    return recipe.cut_references || (mix && recipe.mix == MixStatistics::batch);
  }
  LayerMix layer_mix() const {
    const bool frozen = recipe.mix == MixStatistics::frozen;
    if (mix && frozen && !kept) throw DataError(kNoStatistics);
    return {mix ? &*mix : nullptr, frozen && kept ? &*kept : nullptr};
  }

  Recipe recipe;
  Head head;
  std::optional<encoder::ScalarMix> mix;
  std::optional<encoder::MixStatistics> kept;
};

Scorer::Scorer(const Model& model, const std::string& path)
    : parts_(std::make_unique<const Parts>(model, ArraySource(model.arrays, path))) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;

const Recipe& Scorer::recipe() const {
  return parts_->recipe;
}

std::vector<float> Scorer::sentences(std::span<const float> states) const {
  if (!parts_->mix) return {states.begin(), states.end()};
  if (!parts_->kept) throw DataError(kNoStatistics);
  const std::size_t width = parts_->recipe.sentence_width, size = width * parts_->recipe.sentence_layers;
  std::vector<float> mixed(states.size() / size * width);
  for (std::size_t k = 0; k * size < states.size(); ++k)
    parts_->mix->mix(states.data() + k * size, width, *parts_->kept, mixed.data() + k * width);
  return mixed;
}

// One score for each reference.
std::vector<double> Scorer::Parts::each_alone(const HeadSamples& samples) const {
  RowList clip(recipe.clip_width), images(recipe.image ? recipe.clip_width : 0),
      sentence(recipe.sentence_width);
  const auto add = [](RowList& rows, const float* all, std::size_t k, std::size_t width) {
    std::copy_n(all + k * width, width, rows.next());
  };
  std::vector<std::size_t> ends;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    for (std::size_t r = samples.begin(k); r < samples.ends[k]; ++r) {
      if (recipe.clip_width > 0) add(clip, samples.clip.candidates, k, recipe.clip_width);
      if (recipe.image) add(images, samples.clip.images, k, recipe.clip_width);
      if (recipe.sentence_width > 0) add(sentence, samples.sentence.candidates, k, recipe.sentence_width);
      ends.push_back(r + 1);
    }
  }
  const HeadSamples alone = {{clip.data(), samples.clip.references, images.data()},
                             {sentence.data(), samples.sentence.references, nullptr},
                             ends};
  const std::vector<float> found = head.scores(alone);
  return {found.begin(), found.end()};
}

void Scorer::scores(const HeadSamples& samples, double* out) const {
  const Recipe& recipe = parts_->recipe;
  encoder::check_samples(samples, recipe.clip_width > 0, recipe.sentence_width > 0, recipe.image);
  if (!recipe.scale_vectors) return parts_->score(samples, out);
  parts_->score(ScaledSamples(recipe, samples).samples(), out);
}

void Scorer::Parts::score(const HeadSamples& samples, double* out) const {
  if (recipe.references == References::together) {
    std::ranges::copy(head.scores(samples), out);
    return;
  }
  const std::vector<double> each = each_alone(samples);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const auto own = std::span(each).subspan(samples.begin(k), samples.ends[k] - samples.begin(k));
    double sum = 0;
    for (const double score : own) sum += score;
    out[k] = recipe.references == References::best ? *std::ranges::max_element(own)
                                                   : sum / static_cast<double>(own.size());
  }
}

std::vector<double> Scorer::scores(const Features& features, const Samples& samples,
                                   const PredictOptions& options, ThreadPool& pool,
                                   const Steps& steps) const {
  check_samples(parts_->recipe, features, samples);
  const LayerMix mix = parts_->layer_mix();
  const std::size_t usual = parts_->looks_at_batches() ? kParityBatch : kQuickBatch;
  const std::size_t batch = options.batch > 0 ? options.batch : usual;
  const std::size_t batches = (samples.size() + batch - 1) / batch;
  const Progress progress = [&steps](std::string_view, std::size_t done, std::size_t total) {
    if (steps) steps(done, total);
  };
  StepCounter counter(progress, "", batches);
  std::vector<double> found(samples.size());
  pool.parallel_for(batches, [&](std::size_t b) {
    const std::size_t begin = b * batch, end = std::min(begin + batch, samples.size());
    const SampleBatch some(parts_->recipe, features, samples, begin, end, mix);
    scores(some.samples(), found.data() + begin);
    counter.done();
  });
  return found;
}

}  // namespace capella::method::deneb
