#include "pipeline/plugin.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/pregen.h"

#include "base/cpu_level.h"
#include "pipeline/network_training.h"
#include "resource/find.h"

namespace capella::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libcapella_torch.so";

std::vector<std::string> possible_places() {
  std::vector<std::string> places;
  if (const char* given = std::getenv("CAPELLA_TORCH"); given != nullptr && *given != '\0') return {given};
  if (const std::string own = resource::own_folder(); !own.empty()) {
    places.push_back((fs::path(own) / kFile).string());  // a build folder
    places.push_back((fs::path(own).parent_path() / CAPELLA_INSTALL_LIBRARIES / kFile).string());
  }
  return places;
}

// What libraries read from the environment when they are loaded, unless the user has set it. OpenBLAS picks
// its kernels, and older releases take the slowest ones for a processor that is newer than they are: the
// level of our own kernels decides instead. OpenMP's threads spin while they wait, which is slow where others
// need the cores.
void set_up_libraries() {
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
#if defined(__x86_64__)
  const char* core = cpu_level() >= CpuLevel::avx512 ? "SkylakeX"
                     : cpu_level() >= CpuLevel::avx2 ? "Haswell"
                                                     : nullptr;
  if (core != nullptr) ::setenv("OPENBLAS_CORETYPE", core, 0);
#endif
}

void* open() {
  const std::string path = find_plugin();
  set_up_libraries();
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw FileError(fmt::format("{}: cannot be opened: {}", path, ::dlerror()));
  return library;
}

void* plugin() {
  static void* const library = open();
  return library;
}

// What is behind one of the plug-in's symbols, `extern "C" const Offer* symbol(int version)`.
template <class Offer>
const Offer& offer(const char* symbol, int version) {
  using Entry = const Offer* (*)(int);
  const auto entry = reinterpret_cast<Entry>(::dlsym(plugin(), symbol));
  const Offer* offered = entry != nullptr ? entry(version) : nullptr;
  if (offered == nullptr)
    throw FileError(
        fmt::format("{}: is from another version of Capella; build it again with ./run build torch, or set "
                    "CAPELLA_TORCH to "
                    "the one of this version",
                    find_plugin()));
  return *offered;
}

}  // namespace

std::string find_plugin() {
  const std::vector<std::string> places = possible_places();
  for (const std::string& place : places) {
    std::error_code error;
    if (fs::is_regular_file(place, error)) return place;
  }
  throw FileError(fmt::format(
      "{}: found no torch plug-in at {}; build it with ./run build torch in a clone of Capella, or "
      "set CAPELLA_TORCH to its path",
      kFile, fmt::join(places, ", ")));
}

const method::pregen::GeneratorMaker& load_generators() {
  using namespace method::pregen;
  return offer<GeneratorMaker>(kPluginSymbol, kPluginVersion);
}

const method::deneb::NetworkMaker& load_deneb() {
  using namespace method::deneb;
  return offer<NetworkMaker>(kPluginSymbol, kPluginVersion);
}

const method::clip_training::NetworkMaker& load_clip_training() {
  using namespace method::clip_training;
  return offer<NetworkMaker>(kPluginSymbol, kPluginVersion);
}

const method::adapter_training::NetworkMaker& load_adapter_training() {
  using namespace method::adapter_training;
  return offer<NetworkMaker>(kPluginSymbol, kPluginVersion);
}

const encoder::DeviceEncoders& load_encoders() {
  return offer<encoder::DeviceEncoders>(encoder::kDeviceSymbol, encoder::kDeviceVersion);
}

encoder::EncoderEngine encoder_engine(const std::string& device) {
  check_device(device);
  encoder::EncoderEngine engine;
  if (device == "cpu") return engine;
  engine.device = &load_encoders();
  engine.settings.device = device;
  engine.device->expect(device);
  return engine;
}

}  // namespace capella::pipeline

namespace capella {

std::string generator_plugin() {
  return fmt::format("{} ({})", pipeline::find_plugin(), pipeline::load_generators().description());
}

}  // namespace capella
