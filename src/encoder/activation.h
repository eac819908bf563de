// The names that configurations have for what stands between two linear maps.
#pragma once

#include <string_view>

#include "encoder/model_folder.h"
#include "tensor/kernels.h"

namespace capella::encoder {

/// The activation named under `key` of the configuration, `fallback` if there is none. Throws FileError if it
/// is not one that we have.
tensor::After activation(const ModelFolder& folder, std::string_view key, tensor::After fallback);

}  // namespace capella::encoder
