// Finding the name a user meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella {

/// The candidate with the fewest edits (insert, delete, replace, swap of neighbours) to `name`; empty if none
/// is near enough to be a likely slip.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// "unknown WHAT 'name'; did you mean 'x'? Valid: a, b, c"
std::string unknown_name_message(std::string_view what, std::string_view name,
                                 std::span<const std::string_view> candidates);

/// The text cut at each `separator`; empty pieces are left out.
std::vector<std::string_view> split_list(std::string_view text, char separator);

}  // namespace capella
