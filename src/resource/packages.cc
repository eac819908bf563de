#include "resource/packages.h"

#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "resource/find.h"
#include "resource/meteor_data.h"

namespace capella::resource {
namespace {

void check_meteor(const std::string& path, bool whole) {
  const MeteorData data(path);
  if (whole) data.check_content();
}

constexpr PinnedFile kMeteorFiles[] = {
    {"pycocoevalcap/meteor/meteor-1.5.jar", 6'318'693,
     "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2"},
    {"pycocoevalcap/meteor/data/paraphrase-en.gz", 61'813'011,
     "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48"},
};

constexpr Package kPackages[] = {
    {"meteor", "synonyms, paraphrases and word lists of METEOR 1.5 for English; needed by meteor and spice",
     "PyPI pycocoevalcap 1.2: METEOR (LGPL 2.1) with WordNet 3.0 (WordNet licence)", "pycocoevalcap", "1.2",
     kMeteorFiles, MeteorData::kFileName, check_meteor},
};

}  // namespace

std::span<const Package> packages() {
  return kPackages;
}

const Package& package_by_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Package& package : kPackages) {
    if (package.name == name) return package;
    names.push_back(package.name);
  }
  throw UsageError(unknown_name_message("data package", name, names));
}

std::optional<std::string> find_installed(const Package& package) {
  return find(package.file_name);
}

std::string problem_with(const Package& package, bool whole) {
  const auto path = find_installed(package);
  if (!path) {
    return fmt::format("the data package {} is not there; get it with: capella data get {}", package.name,
                       package.name);
  }
  try {
    package.check(*path, whole);
    return "";
  } catch (const FileError& problem) {
    return problem.what();
  }
}

}  // namespace capella::resource
