// Names and other texts of the user in messages, and finding the name that was meant.
#pragma once

#include <cstddef>
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

/// The text cut at each `separator`, without spaces around the pieces; empty ones are left out.
std::vector<std::string_view> split_list(std::string_view text, char separator);

/// How many of many things a message lists; the rest are counted.
inline constexpr std::size_t kListed = 10;

/// "a, b, c and 4 more": the first `most` of many names.
std::string list_names(std::span<const std::string_view> names, std::size_t most = kListed);

/// A text from the input, shortened and in one line, fit to be shown inside a message.
std::string excerpt(std::string_view text);

}  // namespace capella
