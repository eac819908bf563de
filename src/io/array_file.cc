#include "io/array_file.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "resource/mapped_file.h"

namespace capella::io {

Matrix read_matrix(const std::string& path, std::string_view variable) {
  const resource::MappedFile file(path);
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  if (bytes.empty()) throw FileError(path + ": the file is empty, expected features as .npy or .mat");
  if (bytes.starts_with("\x93NUMPY")) {
    if (!variable.empty())
      throw UsageError(fmt::format("{}: an .npy file has no variables, but '{}' was asked for; leave it out",
                                   path, variable));
    return npy_matrix(bytes, path);
  }
  return mat_matrix(bytes, path, variable);
}

}  // namespace capella::io
