// METEOR's data from a few words, for targets that need some.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "reference/meteor_small_lexicon.h"
#include "resource/meteor_convert.h"
#include "resource/meteor_data.h"

namespace capella::fuzz {

inline std::unique_ptr<const resource::MeteorData> small_meteor_table(const reference::MeteorFiles& files) {
  std::string folder = (std::filesystem::temp_directory_path() / "capella-fuzz-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) __builtin_trap();
  const std::string path = folder + "/table";
  resource::convert_meteor(
      {files.synsets, files.exceptions, files.function_words, files.prefixes, files.paraphrases}, path,
      capella::Progress());
  auto data = std::make_unique<const resource::MeteorData>(path);
  std::filesystem::remove_all(folder);  // it stays mapped
  return data;
}

}  // namespace capella::fuzz
