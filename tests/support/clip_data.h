// Captions with pictures drawn at random, in a folder, for metrics that look at pictures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capella/pipeline.h"

#include "support/corpus.h"
#include "support/small_clip.h"
#include "support/temp_dir.h"

namespace capella::test {

/// Item k has the picture k.png.
class ClipData {
 public:
  explicit ClipData(std::vector<Item> items) : items_(std::move(items)) {
    for (std::size_t k = 0; k < items_.size(); ++k)
      folder_.write(name(k), random_picture(k, 14 + k % 5, 19 - k % 7));
  }

  const std::vector<Item>& items() const { return items_; }
  const TempDir& folder() const { return folder_; }
  std::string images() const { return folder_.path().string(); }
  std::string picture(std::size_t k) const { return (folder_.path() / name(k)).string(); }

  Dataset dataset(const std::vector<NamedCaptions>& others = {}) const {
    return with_images(make_dataset(items_, others), images());
  }

 private:
  static std::string name(std::size_t k) { return std::to_string(k) + ".png"; }

  std::vector<Item> items_;
  TempDir folder_;
};

/// A run of these metrics, each with the model.
inline ScoreOptions clip_options(const SmallClip& model, const std::vector<std::string>& metrics) {
  ScoreOptions options;
  options.metrics = metrics;
  options.tokenizer = "none";
  options.threads = 1;
  for (const std::string& metric : metrics) options.settings.push_back(metric + ".model=" + model.path());
  return options;
}

}  // namespace capella::test
