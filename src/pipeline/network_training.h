// What the jobs that train networks, or run them in the torch plug-in, have in common.
#pragma once

#include <string>

namespace capella::pipeline {

/// Throws UsageError unless it is "cpu" or "cuda".
void check_device(const std::string& device);

/// Throws UsageError unless the path is a model's, NAME.safetensors.
void check_model_path(const std::string& path);

/// Where a training is kept while it lasts.
std::string checkpoint_of(const std::string& model);

/// A checkpoint is a regular file; whatever else has its name is not ours to remove, and FileError is thrown.
/// Nothing happens if there is none.
void remove_checkpoint(const std::string& path);

}  // namespace capella::pipeline
