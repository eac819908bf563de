#include "io/npz.h"

#include <cassert>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/npy.h"
#include "resource/archive.h"
#include "resource/zip_writer.h"

namespace capella::io {
namespace {

constexpr std::string_view kEnding = ".npy";

std::string npy_file(const NumberArray& array) {
  assert(array.shape.size() == 1 || array.shape.size() == 2);
  std::string out =
      array.shape.size() == 1 ? npy_header(array.shape[0]) : npy_header(array.shape[0], array.shape[1]);
  return out.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(float));
}

}  // namespace

NamedArrays read_npz(const std::string& path) {
  NamedArrays arrays;
  resource::visit_members(path, [&](std::string_view name, const std::string& content) {
    if (!name.ends_with(kEnding))
      throw FileError(fmt::format("{}: holds '{}', expected arrays alone (.npy), as numpy.savez writes them",
                                  path, excerpt(name)));
    const std::string_view array = name.substr(0, name.size() - kEnding.size());
    arrays[std::string(array)] = npy_array(content, fmt::format("{}: {}", path, excerpt(name)));
  });
  if (arrays.empty()) throw FileError(fmt::format("{}: no arrays, expected some", path));
  return arrays;
}

void write_npz(const std::string& path, const NamedArrays& arrays) {
  resource::ZipWriter writer(path);
  for (const auto& [name, array] : arrays) writer.add(name + std::string(kEnding), npy_file(array));
  writer.finish();
}

}  // namespace capella::io
