// Inputs that once went wrong. Each folder beside this file is one case:
//   refs.*, hyps.*   the files of the run; without hyps.* the first holds both sides
//   options.txt      one per line: skip_bad, skip_missing, tokenizer=NAME, metrics=NAME,NAME
//   expect.txt       what must come out, one per line (# begins a remark):
//                    error: PART OF THE MESSAGE   |   ok: SCORE=VALUE SCORE=VALUE ...
//                    items: COUNT                     skipped: COUNT
// Expected values come from reference programs or from reasoning, and the file says from which.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/names.h"
#include "support/message_of.h"

namespace capella {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> case_folders() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(CAPELLA_REGRESS_FOLDER)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// The file whose name without its extension is `stem`; empty if there is none.
std::string find_file(const fs::path& folder, const std::string& stem) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().stem() == stem) return entry.path().string();
  }
  return "";
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

// What stands behind `key` if the line begins with it.
bool take(const std::string& line, std::string_view key, std::string& value) {
  if (!line.starts_with(key)) return false;
  value = line.substr(key.size());
  return true;
}

struct Options {
  ReadOptions read;
  ScoreOptions score;
};

Options read_options(const fs::path& folder) {
  Options options;
  options.score.metrics = {"bleu", "rouge-l", "cider-d"};
  for (const std::string& line : read_lines(folder / "options.txt")) {
    std::string value;
    if (line == "skip_bad") {
      options.read.skip_bad = true;
    } else if (line == "skip_missing") {
      options.read.skip_missing = true;
    } else if (take(line, "tokenizer=", value)) {
      options.score.tokenizer = value;
    } else if (take(line, "metrics=", value)) {
      const auto names = split_list(value, ',');
      options.score.metrics.assign(names.begin(), names.end());
    } else {
      ADD_FAILURE() << "options.txt: " << line << " is not known";
    }
  }
  return options;
}

Result run(const fs::path& folder) {
  const Options options = read_options(folder);
  std::vector<std::string> systems{find_file(folder, "hyps")};
  if (systems[0].empty()) systems.clear();
  return score(read_dataset(find_file(folder, "refs"), systems, options.read), options.score);
}

void expect_scores(const Result& result, const std::string& list) {
  for (const std::string_view pair : split_list(list, ' ')) {
    const std::size_t equals = pair.find('=');
    const std::string name(pair.substr(0, equals));
    const double value = std::strtod(std::string(pair.substr(equals + 1)).c_str(), nullptr);
    const auto column = std::find_if(result.columns.begin(), result.columns.end(),
                                     [&](const ScoreColumn& one) { return one.name == name; });
    ASSERT_NE(column, result.columns.end()) << name;
    const auto at = static_cast<std::size_t>(column - result.columns.begin());
    EXPECT_NEAR(result.systems.at(0).values[at], value, 1e-12) << name;
  }
}

void expect_result(const Result& result, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    std::string value;
    if (take(line, "ok: ", value)) {
      expect_scores(result, value);
    } else if (take(line, "items: ", value)) {
      EXPECT_EQ(std::to_string(result.ids.size()), value) << "items";
    } else if (take(line, "skipped: ", value)) {
      EXPECT_EQ(std::to_string(result.skipped.size()), value) << "skipped";
    } else {
      ADD_FAILURE() << "expect.txt: " << line << " is not known";
    }
  }
}

class Regress : public ::testing::TestWithParam<fs::path> {};

TEST_P(Regress, GivesWhatIsExpected) {
  const std::vector<std::string> lines = read_lines(GetParam() / "expect.txt");
  ASSERT_FALSE(lines.empty());
  std::string part;
  if (!take(lines[0], "error: ", part)) return expect_result(run(GetParam()), lines);
  const std::string message = test::message_of<Error>([&] { run(GetParam()); });
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

std::string case_name(const ::testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.filename().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Inputs, Regress, ::testing::ValuesIn(case_folders()), case_name);

}  // namespace
}  // namespace capella
