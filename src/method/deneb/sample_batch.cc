#include "method/deneb/sample_batch.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::method::deneb {
namespace {

void check_table(const VectorTable& table, std::size_t width, std::size_t layers, const char* name) {
  if (table.width != width || table.layers != layers)
    throw DataError(fmt::format("vectors of {} have {} x {} numbers, the network reads {} x {}", name,
                                table.layers, table.width, layers, width));
  const std::size_t numbers = table.floats.size() + table.halves.size();
  if (numbers % (width * layers) != 0 || (!table.floats.empty() && !table.halves.empty()))
    throw DataError(fmt::format("the table of {} is no whole number of vectors", name));
}

void check_tables(const Recipe& recipe, const Features& features) {
  if (recipe.image) check_table(features.images, recipe.clip_width, 1, "images");
  if (recipe.clip_width > 0) check_table(features.captions, recipe.clip_width, 1, "captions");
  if (recipe.sentence_width == 0) return;
  check_table(features.sentences, recipe.sentence_width, recipe.sentence_layers, "sentences");
  const std::size_t rows = features.sentences.rows(), sums = rows * recipe.sentence_layers;
  if (mixes_layers(recipe) &&
      (features.sums.size() != sums || features.squares.size() != sums || features.tokens.size() != rows))
    throw DataError("sentences of several layers need sums, squares and numbers of tokens");
}

bool all_below(std::span<const std::uint32_t> rows, std::size_t count) {
  return std::ranges::all_of(rows, [&](std::uint32_t row) { return row < count; });
}

void read_row(const VectorTable& table, std::size_t row, float* out) {
  const std::size_t size = table.width * table.layers;
  if (!table.floats.empty()) {
    std::ranges::copy(table.floats.subspan(row * size, size), out);
    return;
  }
  for (std::size_t i = 0; i < size; ++i)
    out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(table.halves[row * size + i]) << 16);
}

}  // namespace

bool mixes_layers(const Recipe& recipe) {
  return recipe.sentence_width > 0 && recipe.sentence_layers > 1;
}

void check_samples(const Recipe& recipe, const Features& features, const Samples& samples) {
  check_tables(recipe, features);
  for (const auto captions : {std::span(samples.candidates), std::span(samples.references)}) {
    if ((recipe.clip_width > 0 && !all_below(captions, features.captions.rows())) ||
        (recipe.sentence_width > 0 && !all_below(captions, features.sentences.rows())))
      throw DataError("a sample has a caption that has no vector");
  }
  if (recipe.image &&
      (samples.images.size() != samples.size() || !all_below(samples.images, features.images.rows())))
    throw DataError("a sample has an image that has no vector");
  if (samples.ends.size() != samples.size())
    throw DataError("samples: candidates and references are not equally many");
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples.ends[k] <= samples.begin(k) || samples.ends[k] > samples.references.size())
      throw DataError(fmt::format("sample {} has no references; the network needs at least one", k));
  }
}

SampleBatch::SampleBatch(const Recipe& recipe, const Features& features, const Samples& samples,
                         std::size_t begin, std::size_t end, const LayerMix& mix)
    : recipe_(recipe),
      clip_(recipe.clip_width),
      sentence_(recipe.sentence_width),
      images_(recipe.image ? recipe.clip_width : 0) {
  for (std::size_t k = begin; k < end; ++k) counts_.push_back(samples.references_of(k).size());
  if (recipe.cut_references) std::ranges::fill(counts_, *std::ranges::min_element(counts_));
  for (const std::size_t count : counts_) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + count);
  if (recipe.image) {
    for (std::size_t k = begin; k < end; ++k) read_row(features.images, samples.images[k], images_.next());
  }
  if (recipe.clip_width > 0) {
    for_each_caption(samples, begin, [&](std::uint32_t caption, std::size_t place) {
      read_row(features.captions, caption, (place == 0 ? clip_.candidates : clip_.references).next());
    });
  }
  if (recipe.sentence_width > 0) gather_sentences(features, samples, begin, mix);
}

template <class Take>
void SampleBatch::for_each_caption(const Samples& samples, std::size_t begin, const Take& take) const {
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    take(samples.candidates[begin + k], std::size_t{0});
    for (std::size_t i = 0; i < counts_[k]; ++i) take(samples.references_of(begin + k)[i], i + 1);
  }
}

std::vector<encoder::MixStatistics> SampleBatch::place_statistics(const Features& features,
                                                                  const Samples& samples,
                                                                  std::size_t begin) const {
  std::vector<std::vector<std::size_t>> captions(1 + *std::ranges::max_element(counts_));
  for_each_caption(samples, begin,
                   [&](std::uint32_t caption, std::size_t place) { captions[place].push_back(caption); });
  const encoder::SentenceSums sums{recipe_.sentence_layers, recipe_.sentence_width, features.sums,
                                   features.squares, features.tokens};
  std::vector<encoder::MixStatistics> all;
  for (const auto& some : captions) all.push_back(encoder::mix_statistics(sums, some));
  return all;
}

void SampleBatch::gather_sentences(const Features& features, const Samples& samples, std::size_t begin,
                                   const LayerMix& mix) {
  std::vector<encoder::MixStatistics> statistics;
  if (mix.mix != nullptr && mix.kept == nullptr) statistics = place_statistics(features, samples, begin);
  std::vector<float> states(recipe_.sentence_layers * recipe_.sentence_width);
  for_each_caption(samples, begin, [&](std::uint32_t caption, std::size_t place) {
    float* const out = (place == 0 ? sentence_.candidates : sentence_.references).next();
    if (mix.mix == nullptr) return read_row(features.sentences, caption, out);
    read_row(features.sentences, caption, states.data());
    mix.mix->mix(states.data(), recipe_.sentence_width, mix.kept ? *mix.kept : statistics[place], out);
  });
}

encoder::HeadSamples SampleBatch::samples() const {
  return {{clip_.candidates.data(), clip_.references.data(), images_.data()},
          {sentence_.candidates.data(), sentence_.references.data(), nullptr},
          ends_};
}

}  // namespace capella::method::deneb
