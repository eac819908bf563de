// Things that references mention, where there is no detector.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/progress.h"

#include "io/objects.h"

namespace capella::pipeline {

/// An object without box for every thing that the captions of an image mention; images in the file's order.
std::vector<io::ImageObjects> objects_of_references(const std::string& captions, std::size_t threads,
                                                    const Progress& progress);

}  // namespace capella::pipeline
