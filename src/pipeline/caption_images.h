// Captions by image, from files of any form that is read, without images that something is tested on.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_set.h>

#include "capella/adapter_training.h"
#include "capella/dataset.h"

#include "pipeline/held_out.h"

namespace capella::pipeline {

/// The form in which captions are compared: lower case, letters and digits alone, one blank between words;
/// empty if there are fewer than five words, which images may share by chance.
std::string comparable_words(std::string_view caption);

/// The file's name of an id that names a picture's file ("Flickr8k_Dataset/909191414_1cf5d85821.jpg"), lower
/// case; empty for other ids, which mean something else in every data set.
std::string picture_name(std::string_view id);

/// What is tested on.
class HeldOutImages {
 public:
  /// Throws UsageError, FileError or DataError if something cannot be read.
  explicit HeldOutImages(const std::vector<AdapterHeldOut>& held_out);

  bool has_caption_of(std::span<const std::string_view> captions) const;
  bool has_name(std::string_view id) const;

 private:
  HeldOutTexts texts_;
  tsl::robin_set<std::string> names_;
};

struct CaptionImages {
  Dataset dataset;                                      ///< owns the texts
  std::vector<std::vector<std::string_view>> captions;  ///< of each image that is left, without blank ones
  AdapterData counts;                                   ///< with what was left out so far
  bool has_splits = false;                              ///< whether the file has some
};

/// `split` is for files that have some. Throws FileError or DataError.
CaptionImages read_caption_images(const std::string& path, const std::string& split,
                                  const HeldOutImages& held_out);

}  // namespace capella::pipeline
