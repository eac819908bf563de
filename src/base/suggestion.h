// Finding the name that was meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace capella {

/// The name that was meant, for the end of a message: "; did you mean 'x'?", or nothing. Beside slips it
/// forgives capitals and an end that is missing.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace capella
