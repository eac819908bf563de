// What a learned metric knows before captions come: the network, and the vectors of pictures and references.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/clip_encoder.h"
#include "encoder/state_encoder.h"
#include "method/deneb/model_file.h"
#include "method/deneb/sample_batch.h"
#include "method/deneb/scorer.h"
#include "metric/encoder_texts.h"
#include "metric/metric.h"

namespace capella::method::deneb {

/// The vectors of a batch's captions, references and pictures.
struct BatchVectors {
  explicit BatchVectors(const Recipe& recipe)
      : clip(recipe.clip_width),
        clip_references(recipe.clip_width),
        images(recipe.image ? recipe.clip_width : 0),
        sentences(recipe.sentence_width),
        sentence_references(recipe.sentence_width) {}

  encoder::HeadSamples samples() const {
    return {{clip.data(), clip_references.data(), images.data()},
            {sentences.data(), sentence_references.data(), nullptr},
            ends};
  }

  RowList clip;
  RowList clip_references;
  RowList images;
  RowList sentences;
  RowList sentence_references;
  std::vector<std::size_t> ends;
};

class DenebState final : public metric::State {
 public:
  /// Throws FileError if the encoders are not those that the network was trained with, DataError if an item
  /// has no references.
  DenebState(const metric::Info& info, const std::string& path, Model opened,
             const metric::References& references, const metric::Resources& resources);

  const Scorer& scorer() const { return scorer_; }
  const Model& model() const { return model_; }               ///< as it is used, without arrays
  std::uint64_t fingerprint() const { return fingerprint_; }  ///< of the model's file

  /// `counted`: texts that were cut are to be told.
  BatchVectors vectors(const metric::Batch& batch, bool counted) const;
  const std::string& picture_path(const metric::Batch& batch, std::size_t k) const {
    return paths_[batch.items[k]];
  }
  /// The mean of the pictures of all items.
  std::vector<float> mean_picture() const;

  std::vector<std::string> warnings() const;

 private:
  // Vectors of texts by both encoders; those of an encoder that is not there are null or empty.
  struct Texts {
    std::shared_ptr<const encoder::Features> clip;
    std::vector<float> sentences;
    std::vector<std::size_t> cut_sentences;  // places of texts that the sentence encoder did not see whole
  };
  Texts encode(std::span<const std::string_view> texts, const encoder::EncodeWork& work) const;
  void add_sentences(std::span<const std::string_view> texts, const encoder::EncodeWork& work,
                     Texts& made) const;
  void check_items(const metric::References& references);
  void add_picture(const metric::Batch& batch, std::size_t k, RowList& out) const;

  std::string name_;
  const encoder::ClipEncoder* clip_;
  const encoder::StateEncoder* text_;
  std::span<const std::string> paths_;
  std::uint64_t fingerprint_;
  Model model_;
  Scorer scorer_;
  metric::PreparedReferences texts_;
  std::size_t first_item_;
  std::size_t end_item_;
  metric::CutTexts cut_by_clip_;
  metric::CutTexts cut_by_text_;
  std::shared_ptr<const encoder::Features> pictures_;
  Texts references_;
  std::vector<std::string> warnings_;
};

}  // namespace capella::method::deneb
