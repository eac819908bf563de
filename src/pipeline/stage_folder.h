// A folder that keeps what the stages of a long job made, so that a job that was cut off goes on and a job
// that is run again does nothing twice. A stage is done again if its own settings or anything it was made
// from has changed.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::pipeline {

/// Sizes and times of files that are too many to be read again and again, as part of a stage's settings. A
/// file that is not there counts as such.
std::string stamp_of_files(std::span<const std::string> files);

class StageFolder {
 public:
  /// Makes the folder if it is not there. Throws UsageError if it holds something else.
  StageFolder(std::string folder, std::string kind);

  std::string path(std::string_view name) const;

  /// A stage that makes the file `name`. `settings` and `inputs` (paths of files, of the folder or elsewhere)
  /// are what it depends on. `work` makes the file and returns words about it, which are kept beside it.
  /// Returns these words, and sets `reused` if nothing had to be done.
  std::string run(std::string_view name, std::string_view settings, const std::vector<std::string>& inputs,
                  const std::function<std::string()>& work, bool& reused);

  /// The stage of this file is done again when it is next run.
  void forget(std::string_view name);

 private:
  void save() const;

  struct Entry {
    std::string key;
    std::string words;
  };
  std::string folder_;
  std::string kind_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace capella::pipeline
