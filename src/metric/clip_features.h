// What metrics built on CLIP know before captions come: the vectors of pictures and references.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/clip_encoder.h"
#include "metric/encoder_texts.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr std::string_view kClipModelHelp =
    "the folder of a CLIP model, as Hugging Face or OpenCLIP write it: config.json, model.safetensors and "
    "the tokenizer's files";

/// The setting `prompt`, with a space behind it unless it is empty. Throws UsageError if a signature could
/// not hold it.
std::string clip_prompt(const Settings& settings);

/// Which vectors a metric wants of the references' side; pictures it always wants.
enum class ClipItems {
  pictures,             ///< of the items whose captions will come
  with_references,      ///< of these items, and of their references
  all_with_references,  ///< of all items, and of all references
};

class ClipState : public State {
 public:
  ClipState(const References& references, const Resources& resources, ClipItems wanted, std::string prompt,
            std::string_view metric);

  const encoder::ClipEncoder& clip() const { return clip_; }
  const std::string& prompt() const { return prompt_; }

  /// The picture of caption k's item. Throws UsageError if the batch brings references of its own, since
  /// nobody knows then whose pictures are meant.
  std::span<const float> picture(const Batch& batch, std::size_t k) const;
  const std::string& picture_path(const Batch& batch, std::size_t k) const;
  /// The picture of an item, and reference r, counted over all items.
  std::span<const float> picture(std::size_t item) const { return pictures_->row(item - first_item_); }
  std::span<const float> reference(std::size_t r) const { return references_->row(r - first_reference_); }

  /// The vectors of the batch's captions. `counted`: those that were cut are to be told.
  std::shared_ptr<const encoder::Features> captions(const Batch& batch, bool counted) const;

  /// "model:...|prompt:..."
  std::string choices() const;
  /// The texts and pictures of which not all was seen.
  std::vector<std::string> warnings() const;

 private:
  void warn_of_pictures(std::string_view metric);

  const encoder::ClipEncoder& clip_;
  std::string prompt_;
  std::string metric_;
  std::span<const std::string> paths_;
  const std::string_view* raw_;  // whose references these are
  std::size_t first_item_ = 0;
  std::size_t first_reference_ = 0;
  std::shared_ptr<const encoder::Features> pictures_;
  std::shared_ptr<const encoder::Features> references_;
  std::vector<std::string> warnings_;
  CutTexts cut_;
};

}  // namespace capella::metric
