// What metrics built on an encoder of texts share: the setting that names it, and the references of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kEncoderSetting = {
    "model", "minilm",
    "the encoder: minilm, a data package, or the folder of a BERT or RoBERTa as Hugging Face writes it"};

inline constexpr SettingInfo kPrecisionSetting = {
    "precision", "float",
    "the encoder's weights: float, or int8, which is some times as fast on the CPU and nearly the same"};

/// Puts the setting `model` into the metric's wants.
void want_encoder(const Settings& settings, Info& info);

/// Whether the setting `precision` is int8.
bool wants_eight_bits(const Settings& settings);

/// The references whose vectors were made before captions came: those of some items in a row.
class PreparedReferences {
 public:
  PreparedReferences(const References& references, ItemRange range);

  std::span<const std::string_view> texts() const { return texts_; }
  std::size_t first() const { return first_; }  ///< the number of the first among all references
  std::size_t first_item() const { return first_item_; }
  std::size_t end_item() const { return end_item_; }
  /// Whether all of the batch's references are among them. A reward may bring references of its own.
  bool has(const Batch& batch) const;
  /// The place in texts() of the first reference of caption k's item.
  std::size_t place(const Batch& batch, std::size_t k) const {
    return batch.references.begin(batch.items[k]) - first_;
  }

 private:
  std::span<const std::string_view> raw_;
  std::size_t first_item_;
  std::size_t end_item_;
  std::size_t first_ = 0;  // reference
  std::span<const std::string_view> texts_;
};

/// The references of a batch's items, caption by caption.
struct BatchReferences {
  std::vector<std::string_view> texts;
  std::vector<std::size_t> places;  ///< of each caption's first
};
BatchReferences references_of(const Batch& batch);

/// How many references caption k has.
inline std::size_t reference_count(const Batch& batch, std::size_t k) {
  return batch.references.end(batch.items[k]) - batch.references.begin(batch.items[k]);
}

/// Texts of which an encoder sees only the beginning, and whose they are, so that none is cut in silence.
/// Many threads may add at once.
class CutTexts {
 public:
  CutTexts(const References& references, const Resources& resources)
      : ends_(references.ends), raw_(references.raw.data()), ids_(resources.ids) {}

  /// `cut`: places among the references that begin with number `first`.
  void add_references(std::size_t first, std::span<const std::size_t> cut) const;
  /// `cut`: places among the captions of the batch.
  void add_captions(const Batch& batch, std::span<const std::size_t> cut) const;

  /// What to tell; nothing if no text was cut.
  std::vector<std::string> warnings(std::string_view metric, std::size_t most_tokens) const;

 private:
  struct Found {
    std::size_t texts = 0;
    std::set<std::uint32_t> items;  // those that are known; a reward may cut the same ones for ever
  };
  std::string names_of(const Found& found) const;

  std::span<const std::size_t> ends_;
  const std::string_view* raw_;  // whose references these are
  std::span<const std::string_view> ids_;
  mutable std::mutex mutex_;
  mutable Found references_;
  mutable Found captions_;
};

}  // namespace capella::metric
