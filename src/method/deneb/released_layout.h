// Files with the arrays of the authors' program: DENEB's state dictionary, saved as safetensors.
#pragma once

#include <string>

#include "method/deneb/model_file.h"

namespace capella::method::deneb {

/// Sizes follow from the arrays' shapes. Arrays of the two encoders and tables that can be computed are left
/// out. Layers are mixed by the statistics of batches, unless the file has others. Throws FileError, or
/// DataError without the file's name.
Model read_released(const std::string& path, const ModelReading& reading);

}  // namespace capella::method::deneb
