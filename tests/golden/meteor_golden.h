// Reading the values that METEOR 1.5 gave, and its own text files.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/progress.h"

#include "base/file.h"
#include "metric/meteor_statistics.h"
#include "resource/meteor_convert.h"
#include "resource/meteor_data.h"
#include "support/shared.h"
#include "support/temp_dir.h"

namespace capella::test {

/// Calls use(line) for each line of a file, packed or not.
template <class Use>
void for_each_line(const std::filesystem::path& path, Use use) {
  std::istringstream lines(read_file(path.string()));
  for (std::string line; std::getline(lines, line) && !::testing::Test::HasFailure();) use(line);
}

/// METEOR's resources with the paraphrases of a file, or with none if it is empty; converted once per
/// program.
inline const resource::MeteorData& meteor_table(const std::filesystem::path& resources,
                                                const std::filesystem::path& paraphrases) {
  static const TempDir folder;
  static std::map<std::filesystem::path, std::unique_ptr<const resource::MeteorData>> tables;
  std::unique_ptr<const resource::MeteorData>& table = tables[paraphrases];
  if (table == nullptr) {
    const auto read = [&](const char* name) { return read_file((resources / name).string()); };
    const resource::MeteorSources sources = {
        read("synonym/english.synsets"), read("synonym/english.exceptions"), read("function/english.words"),
        read("nonbreaking/english.prefixes"), paraphrases.empty() ? "" : read_file(paraphrases.string())};
    const std::string path = (folder.path() / std::to_string(tables.size())).string();
    resource::convert_meteor(sources, path, Progress());
    table = std::make_unique<const resource::MeteorData>(path);
  }
  return *table;
}

/// The path of METEOR's data with the full paraphrase table; empty if it is not installed.
inline std::string installed_meteor() {
  try {
    return data_path("meteor");
  } catch (const FileError&) {
    return "";
  }
}

/// "13.0 9.0 ..."
inline metric::MeteorStatistics parse_statistics(const std::string& text) {
  metric::MeteorStatistics statistics{};
  std::istringstream in(text);
  std::size_t read = 0;
  for (double number = 0; in >> number; ++read) {
    if (read < statistics.size()) statistics[read] = number;
  }
  EXPECT_EQ(read, statistics.size()) << text;
  return statistics;
}

inline std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace capella::test

/// Declares `variable` as the path of METEOR's installed data, or ends the test.
#define CAPELLA_NEED_METEOR_DATA(variable)                                                    \
  const std::string variable = ::capella::test::installed_meteor();                           \
  if (variable.empty()) {                                                                     \
    if (::capella::testing::shared_is_required()) FAIL() << "METEOR's data is not installed"; \
    GTEST_SKIP() << "METEOR's data is not installed; `capella data get meteor` gets it";      \
  }                                                                                           \
  static_assert(true)
