#include "encoder/activation.h"

#include <fmt/format.h>

#include "base/names.h"

namespace capella::encoder {

tensor::After activation(const ModelFolder& folder, std::string_view key, tensor::After fallback) {
  const std::optional<std::string> name = folder.text(key);
  if (!name) return fallback;
  if (*name == "gelu") return tensor::After::kGelu;
  if (*name == "quick_gelu") return tensor::After::kQuickGelu;
  if (*name == "relu") return tensor::After::kRelu;
  folder.reject(fmt::format("the configuration's '{}' is '{}', expected gelu, quick_gelu or relu", key,
                            excerpt(*name)));
}

}  // namespace capella::encoder
