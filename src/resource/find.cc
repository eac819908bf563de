#include "resource/find.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include "capella/error.h"

namespace capella::resource {
namespace {

namespace fs = std::filesystem;

// A program is asked of the system: the name that it was called with may be anything.
fs::path own_path() {
  Dl_info info{};
  link_map* object = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(&search_path), &info, reinterpret_cast<void**>(&object),
                RTLD_DL_LINKMAP) == 0)
    return {};
  const fs::path file = *object->l_name == '\0' ? "/proc/self/exe" : object->l_name;
  std::error_code error;
  const fs::path self = file.is_absolute() ? fs::canonical(file, error) : fs::path();
  return error ? fs::path() : self.parent_path();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Empty if it is not known.
std::string home_if_known() {
  if (const std::string own = environment("CAPELLA_HOME"); !own.empty()) return own;
  const std::string user = environment("HOME");
  return user.empty() ? "" : (fs::path(user) / ".cache" / "capella").string();
}

}  // namespace

std::string home() {
  std::string folder = home_if_known();
  if (folder.empty()) throw FileError("no folder for data: set CAPELLA_HOME to one that can be written");
  return folder;
}

std::string own_folder() {
  return own_path().string();
}

std::vector<std::string> search_path() {
  std::vector<std::string> folders;
  if (std::string own_data = home_if_known(); !own_data.empty()) folders.push_back(std::move(own_data));
  if (const fs::path own = own_path(); !own.empty()) {
    folders.push_back((own / "data").string());  // a Python package or a build folder
    folders.push_back(
        (own.parent_path() / CAPELLA_INSTALL_DATA).lexically_normal().string());  // bin/ and share/
  }
  return folders;
}

std::optional<std::string> find(std::string_view relative) {
  for (const std::string& folder : search_path()) {
    const fs::path path = fs::path(folder) / relative;
    std::error_code error;
    if (fs::exists(path, error)) return path.string();
  }
  return std::nullopt;
}

std::string need(std::string_view relative) {
  if (auto path = find(relative)) return *path;
  throw FileError(
      fmt::format("{}: not found in {}; install Capella again or set CAPELLA_HOME to the folder that has it",
                  relative, fmt::join(search_path(), ", ")));
}

}  // namespace capella::resource
