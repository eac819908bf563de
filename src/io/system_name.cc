#include "io/system_name.h"

#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/utf8.h"

namespace capella::io {
namespace {

namespace fs = std::filesystem;

struct Word {
  std::string given;  // NAME of NAME=FILE, or empty
  std::string path;
  std::size_t folders = 0;  // how many are shown in front of the name
};

// Names go into tables, JSON and files of stages, which all must mean the same system: invalid bytes become
// U+FFFD.
std::string in_utf8(std::string_view name) {
  std::string valid;
  for (const char32_t code_point : to_code_points(name)) append_utf8(valid, code_point);
  return valid;
}

Word take_apart(const std::string& word) {
  std::error_code ignored;
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || fs::exists(word, ignored)) return {"", word};
  return {in_utf8(word.substr(0, equals)), word.substr(equals + 1)};
}

std::string file_name(const Word& word) {
  if (!word.given.empty()) return word.given;
  if (word.path == "-") return "stdin";
  fs::path path(word.path);
  if (path.extension() == ".gz") path.replace_extension();
  fs::path name = path.stem();
  fs::path folder = path.parent_path();
  for (std::size_t i = 0; i < word.folders && folder.has_filename(); ++i) {
    name = folder.filename() / name;
    folder = folder.parent_path();
  }
  return in_utf8(name.string());
}

std::map<std::string, std::vector<std::size_t>> words_by_name(const std::vector<Word>& words) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < words.size(); ++i) groups[file_name(words[i])].push_back(i);
  return groups;
}

void check_given_names(const std::vector<Word>& words) {
  std::set<std::string> seen;
  for (const Word& word : words) {
    if (word.given.empty() || seen.insert(word.given).second) continue;
    throw UsageError(fmt::format("two systems are named '{}'; give each its own NAME=FILE", word.given));
  }
}

// Shows one folder more of every path that shares its name with another; false when no name changed by that.
bool add_folders(std::vector<Word>& words) {
  bool changed = false;
  for (const auto& [name, group] : words_by_name(words)) {
    if (group.size() < 2) continue;
    for (const std::size_t i : group) {
      ++words[i].folders;
      changed = changed || file_name(words[i]) != name;
    }
  }
  return changed;
}

}  // namespace

std::vector<SystemFile> name_systems(std::span<const std::string> command_words) {
  std::vector<Word> words;
  for (const std::string& word : command_words) words.push_back(take_apart(word));
  check_given_names(words);
  while (add_folders(words)) {
  }
  std::set<std::string> taken;
  for (const Word& word : words) taken.insert(word.given);
  std::vector<SystemFile> systems;
  for (const Word& word : words) {
    const std::string base = file_name(word);
    std::string name = base;
    for (int number = 2; word.given.empty() && !taken.insert(name).second; ++number) {
      name = fmt::format("{}#{}", base, number);
    }
    systems.push_back({name, word.path});
  }
  return systems;
}

}  // namespace capella::io
