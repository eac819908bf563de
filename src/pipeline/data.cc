// Data packages, for users: see include/capella/data.h. Getting them is in get_data.cc, so that programs that
// never do need no libraries for it.
#include "capella/data.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "resource/packages.h"

namespace capella {
namespace {

bool looks_whole(const resource::Package& package, const std::string& path) {
  try {
    package.check(path, false);
    return true;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace

std::vector<DataPackage> list_data() {
  std::vector<DataPackage> listed;
  for (const resource::Package& package : resource::packages()) {
    const std::string path = resource::place_of(package);
    listed.push_back({std::string(package.name), std::string(package.summary), std::string(package.source),
                      path, looks_whole(package, path)});
  }
  return listed;
}

std::string data_path(std::string_view name) {
  const resource::Package& package = resource::package_by_name(name);
  std::string path = resource::place_of(package);
  if (resource::is_there(package)) return path;
  throw FileError(fmt::format("{}: the data package {} is not there; get it with: capella data get {}", path,
                              name, name));
}

}  // namespace capella
