#include "pipeline/generator_plugin.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/pregen.h"

#include "resource/find.h"

namespace capella::pipeline {
namespace {

namespace fs = std::filesystem;
using method::pregen::GeneratorMaker;

constexpr const char* kFile = "libcapella_torch.so";

std::vector<std::string> possible_places() {
  std::vector<std::string> places;
  if (const char* given = std::getenv("CAPELLA_TORCH"); given != nullptr && *given != '\0') return {given};
  if (const std::string own = resource::own_folder(); !own.empty()) {
    places.push_back((fs::path(own) / kFile).string());  // a build tree
    places.push_back((fs::path(own).parent_path() / CAPELLA_INSTALL_LIBRARIES / kFile).string());
  }
  places.emplace_back(CAPELLA_BUILT_PLUGIN);
  return places;
}

// What libraries read from the environment when they are loaded, unless the user has said it. OpenBLAS picks
// its kernels, and older ones take the slowest for a processor that is newer than they are: what the
// processor can do decides instead. OpenMP's threads spin while they wait, which is slow where others need
// the cores.
void set_up_libraries() {
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
#if defined(__x86_64__)
  const char* core = __builtin_cpu_supports("avx512vl")                                     ? "SkylakeX"
                     : __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") ? "Haswell"
                                                                                            : nullptr;
  if (core != nullptr) ::setenv("OPENBLAS_CORETYPE", core, 0);
#endif
}

const GeneratorMaker& open_plugin() {
  const std::string path = find_generator_plugin();
  set_up_libraries();
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw FileError(fmt::format("{}: cannot be opened: {}", path, ::dlerror()));
  using Entry = const GeneratorMaker* (*)(int);
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, method::pregen::kPluginSymbol));
  const GeneratorMaker* maker = entry != nullptr ? entry(method::pregen::kPluginVersion) : nullptr;
  if (maker == nullptr)
    throw FileError(fmt::format(
        "{}: belongs to another version of Capella; build both anew (./run build) or install them again",
        path));
  return *maker;
}

}  // namespace

std::string find_generator_plugin() {
  const std::vector<std::string> places = possible_places();
  for (const std::string& place : places) {
    std::error_code error;
    if (fs::is_regular_file(place, error)) return place;
  }
  throw FileError(
      fmt::format("{}: the plug-in that trains and runs caption generators is in none of these places: {}; "
                  "build it with ./run build (CMake option CAPELLA_TORCH), or set CAPELLA_TORCH to the file",
                  kFile, fmt::join(places, ", ")));
}

const GeneratorMaker& load_generators() {
  static const GeneratorMaker& maker = open_plugin();
  return maker;
}

}  // namespace capella::pipeline

namespace capella {

std::string generator_plugin() {
  return fmt::format("{} ({})", pipeline::find_generator_plugin(), pipeline::load_generators().description());
}

}  // namespace capella
