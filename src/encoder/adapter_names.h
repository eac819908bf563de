// What PEFT puts before the names of a model's arrays. Nothing but the standard library here: the torch
// plug-in includes it, too.
#pragma once

#include <string_view>

namespace capella::encoder {

inline constexpr std::string_view kAdapterRoot = "base_model.model.";

}  // namespace capella::encoder
