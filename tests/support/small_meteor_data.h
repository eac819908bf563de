// METEOR's data of a few words, converted as the real one is.
#pragma once

#include <memory>
#include <string>

#include "reference/meteor_small_lexicon.h"
#include "resource/meteor_convert.h"
#include "resource/meteor_data.h"
#include "support/temp_dir.h"

namespace capella::test {

class SmallMeteorData {
 public:
  explicit SmallMeteorData(const resource::MeteorSources& sources) {
    const std::string path = (folder_.path() / "table").string();
    resource::convert_meteor(sources, path, Progress());
    data_ = std::make_unique<resource::MeteorData>(path);
  }
  explicit SmallMeteorData(const reference::MeteorFiles& files)
      : SmallMeteorData(resource::MeteorSources{files.synsets, files.exceptions, files.function_words,
                                                files.prefixes, files.paraphrases}) {}
  /// The small English with these paraphrases.
  explicit SmallMeteorData(const std::string& paraphrases)
      : SmallMeteorData(reference::small_meteor_files(paraphrases)) {}

  const resource::MeteorData& get() const { return *data_; }

 private:
  TempDir folder_;
  std::unique_ptr<resource::MeteorData> data_;
};

}  // namespace capella::test
