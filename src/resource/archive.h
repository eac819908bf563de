// Files out of archives: zip (Python wheels, Java archives) and tar, packed or not.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace capella::resource {

inline constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

/// The content of members by the name that was asked for.
using Members = std::map<std::string, std::string, std::less<>>;

/// Reads the members whose paths are these names or end with them behind a "/"; the first one counts. Names
/// that are not there are left out. A member larger than `most` bytes is not read to its end. Throws
/// FileError if the file is no archive or is damaged.
Members read_members(const std::string& path, std::span<const std::string_view> names,
                     std::size_t most = kNoLimit);

/// The same for an archive in memory; `called` is its name in errors.
Members read_members_of(std::string_view bytes, const std::string& called,
                        std::span<const std::string_view> names);

/// Calls `visit` with the path and the content of every file in the archive, in order. Throws as above.
void visit_members(const std::string& path,
                   const std::function<void(std::string_view name, const std::string& content)>& visit);

}  // namespace capella::resource
