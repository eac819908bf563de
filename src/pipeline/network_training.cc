#include "pipeline/network_training.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::pipeline {
namespace {

constexpr std::string_view kDevices[] = {"cpu", "cuda"};

}  // namespace

void check_device(const std::string& device) {
  if (std::ranges::find(kDevices, device) == std::end(kDevices))
    throw UsageError(unknown_name_message("device", device, kDevices));
}

void check_model_path(const std::string& path) {
  if (!path.ends_with(".safetensors"))
    throw UsageError(fmt::format("{}: expected a model's file, NAME.safetensors", path));
}

std::string checkpoint_of(const std::string& model) {
  return model + ".checkpoint";
}

void remove_checkpoint(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw FileError(path +
                    ": is not a regular file, expected a checkpoint; remove it, or name another model");
  if (status.type() == fs::file_type::not_found) return;
  fs::remove(path, problem);
  if (problem) throw FileError(fmt::format("{}: cannot be removed: {}", path, problem.message()));
}

}  // namespace capella::pipeline
