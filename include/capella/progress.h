// How long work tells the outside how far it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace capella {

/// Called with a stage's name and how many of its steps are done. May be called from any thread, one at a
/// time.
using Progress = std::function<void(std::string_view stage, std::size_t done, std::size_t total)>;

}  // namespace capella
