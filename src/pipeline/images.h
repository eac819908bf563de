// Pictures of items whose ids are not the pictures' names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "capella/dataset.h"

namespace capella::pipeline {

/// The same data set with pictures; item k's is the one that with_images would find for the id names[k].
/// Throws DataError that lists the names without a picture.
Dataset with_named_images(const Dataset& dataset, const std::string& images,
                          std::span<const std::string_view> names);

}  // namespace capella::pipeline
