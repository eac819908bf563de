// From a data set and a matrix of features to what generators are given: one split's images with their
// captions as word ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_file.h"
#include "io/caption_sets.h"
#include "method/pregen/generator.h"
#include "method/pregen/vocabulary.h"

namespace capella::method::pregen {

/// Throws DataError unless there is one row of features for each image of the data set.
void check_rows(const io::CaptionSets& sets, const io::Matrix& features);

/// The places of a split's images. Throws DataError that lists the splits if there are none. (`restval` is a
/// split by itself: as in the study, its images are not learnt from.)
std::vector<std::size_t> images_of_split(const io::CaptionSets& sets, std::string_view split);

/// Throws UsageError unless 0 < share <= 1.
void check_share(double share);

/// A share of the images, evenly spread over the list; at least one. The share is checked.
std::vector<std::size_t> take_share(std::span<const std::size_t> images, double share);

/// The images and all their captions. Throws DataError that names the image if a feature is not finite, or
/// cannot be scaled to length 1: all its numbers are 0, or they are too large.
CaptionData caption_data(const io::CaptionSets& sets, const io::Matrix& features,
                         const Vocabulary& vocabulary, std::span<const std::size_t> images);

/// The same images with the first caption of each.
CaptionData first_captions(const CaptionData& data);

/// Words and end of the longest caption.
std::size_t longest_caption(const CaptionData& data);

/// A number that changes with every number of the data.
std::uint64_t fingerprint(const CaptionData& data);

}  // namespace capella::method::pregen
