// PEFT's adapter_config.json: how an adapter's arrays are to be added, and to what.
#pragma once

#include <cstddef>
#include <string>

#include "encoder/model_folder.h"

namespace capella::encoder {

struct AdapterConfig {
  std::size_t rank = 0;
  double scale = 1;  ///< of the product of both arrays
};

/// Throws FileError if the configuration asks for anything but W + s B A, now or in a later version of PEFT:
/// what is not known here must not be set.
AdapterConfig read_adapter_config(const ModelFolder& adapter);

/// Where the model lies that the adapter in `folder` changes: `base_model_name_or_path` is a path from that
/// folder on, a path from the root on, or the name of a model that is a data package. Throws FileError that
/// names it if it is not there.
std::string find_base(const ModelFolder& adapter, const std::string& folder);

}  // namespace capella::encoder
