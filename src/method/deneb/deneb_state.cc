#include "method/deneb/deneb_state.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "method/deneb/deneb_metric.h"
#include "method/deneb/encoder_use.h"

namespace capella::method::deneb {
namespace {

constexpr std::size_t kCaptionsAtOnce = 2048;  // of whose hidden states all are in memory

void add_row(const float* all, std::size_t row, std::size_t width, RowList& out) {
  std::copy_n(all + row * width, width, out.next());
}

}  // namespace

DenebState::DenebState(const metric::Info& info, const std::string& path, Model opened,
                       const metric::References& references, const metric::Resources& resources)
    : name_(info.name),
      clip_(resources.clip),
      text_(resources.states),
      paths_(resources.images),
      fingerprint_(deneb::fingerprint(opened)),
      model_(stable(std::move(opened))),
      scorer_(model_, path),
      texts_(references, resources.items),
      first_item_(std::min(resources.items.begin, references.items())),
      end_item_(std::min(resources.items.end, references.items())),
      cut_by_clip_(references, resources),
      cut_by_text_(references, resources) {
  model_.arrays.clear();
  expect_encoders(path, model_, {clip_, info.clip, text_, info.states});
  check_items(references);
  const encoder::EncodeWork work{resources.pool, resources.progress};
  if (model_.recipe.image) {
    pictures_ = clip_->images(paths_.subspan(first_item_, end_item_ - first_item_), work);
    std::vector<std::string_view> ending;
    for (const std::size_t row : pictures_->cut) ending.push_back(paths_[first_item_ + row]);
    if (!ending.empty())
      warnings_.push_back(fmt::format("{}: {} picture file{} early, and what is missing was filled up: {}",
                                      name_, ending.size(), ending.size() == 1 ? " ends" : "s end",
                                      list_names(ending)));
  }
  references_ = encode(texts_.texts(), work);
  if (references_.clip) cut_by_clip_.add_references(texts_.first(), references_.clip->cut);
  cut_by_text_.add_references(texts_.first(), references_.cut_sentences);
}

void DenebState::check_items(const metric::References& references) {
  std::vector<std::string> without;
  std::vector<std::size_t> counts;
  for (std::size_t item = first_item_; item < end_item_; ++item) {
    counts.push_back(references.end(item) - references.begin(item));
    if (counts.back() == 0) without.push_back(fmt::to_string(item + 1));
  }
  if (!without.empty()) {
    const std::vector<std::string_view> numbers(without.begin(), without.end());
    throw DataError(
        fmt::format("{} needs at least one reference, but {} of {} items have none, counted from 1: "
                    "{}; leave them out",
                    name_, without.size(), counts.size(), list_names(numbers)));
  }
  warnings_ = use_warnings(name_, model_, counts);
}

void DenebState::add_sentences(std::span<const std::string_view> texts, const encoder::EncodeWork& work,
                               Texts& made) const {
  for (std::size_t begin = 0; begin < texts.size(); begin += kCaptionsAtOnce) {
    const auto some = texts.subspan(begin, std::min(kCaptionsAtOnce, texts.size() - begin));
    const encoder::CaptionStates states = text_->states(some, work);
    const std::vector<float> mixed = scorer_.sentences(states.states.first);
    made.sentences.insert(made.sentences.end(), mixed.begin(), mixed.end());
    for (const std::size_t place : states.cut) made.cut_sentences.push_back(begin + place);
  }
}

DenebState::Texts DenebState::encode(std::span<const std::string_view> texts,
                                     const encoder::EncodeWork& work) const {
  Texts made;
  if (model_.recipe.clip_width > 0) made.clip = clip_->texts(texts, model_.encoders.prompt, work);
  if (model_.recipe.sentence_width > 0) add_sentences(texts, work, made);
  return made;
}

void DenebState::add_picture(const metric::Batch& batch, std::size_t k, RowList& out) const {
  if (!texts_.has(batch))
    throw UsageError(fmt::format(
        "{} looks at the pictures of items, so captions need the items' ids, not references of their own",
        name_));
  add_row(pictures_->values.data(), batch.items[k] - first_item_, pictures_->width, out);
}

BatchVectors DenebState::vectors(const metric::Batch& batch, bool counted) const {
  const Recipe& recipe = model_.recipe;
  BatchVectors made(recipe);
  const Texts captions = encode(batch.captions, {});
  if (counted) {
    if (captions.clip) cut_by_clip_.add_captions(batch, captions.clip->cut);
    cut_by_text_.add_captions(batch, captions.cut_sentences);
  }
  const bool prepared = texts_.has(batch);
  metric::BatchReferences own;
  Texts fresh;
  if (!prepared) {
    own = metric::references_of(batch);
    fresh = encode(own.texts, {});
  }
  const Texts& references = prepared ? references_ : fresh;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const std::size_t first = prepared ? texts_.place(batch, k) : own.places[k];
    const std::size_t count = metric::reference_count(batch, k);
    if (recipe.image) add_picture(batch, k, made.images);
    if (recipe.clip_width > 0) {
      add_row(captions.clip->values.data(), k, recipe.clip_width, made.clip);
      for (std::size_t r = first; r < first + count; ++r)
        add_row(references.clip->values.data(), r, recipe.clip_width, made.clip_references);
    }
    if (recipe.sentence_width > 0) {
      add_row(captions.sentences.data(), k, recipe.sentence_width, made.sentences);
      for (std::size_t r = first; r < first + count; ++r)
        add_row(references.sentences.data(), r, recipe.sentence_width, made.sentence_references);
    }
    made.ends.push_back((made.ends.empty() ? 0 : made.ends.back()) + count);
  }
  return made;
}

std::vector<float> DenebState::mean_picture() const {
  std::vector<double> sum(pictures_->width);
  for (std::size_t row = 0; row < pictures_->size(); ++row) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(pictures_->row(row)[i]);
  }
  std::vector<float> mean;
  for (const double value : sum)
    mean.push_back(static_cast<float>(value / static_cast<double>(pictures_->size())));
  return mean;
}

std::vector<std::string> DenebState::warnings() const {
  std::vector<std::string> all = warnings_;
  const auto add = [&](const metric::CutTexts& cut, std::size_t most_tokens) {
    for (std::string& warning : cut.warnings(name_, most_tokens)) all.push_back(std::move(warning));
  };
  if (clip_ != nullptr) add(cut_by_clip_, clip_->most_tokens());
  if (text_ != nullptr) add(cut_by_text_, text_->most_tokens());
  return all;
}

}  // namespace capella::method::deneb
