// A home with all that SPICE needs, made of small things: a parser with random weights and METEOR's data of a
// few words. It is $CAPELLA_HOME as long as it lives.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "reference/meteor_small_lexicon.h"
#include "resource/meteor_convert.h"
#include "resource/meteor_data.h"
#include "support/small_parser_model.h"
#include "support/temp_dir.h"

namespace capella::test {

class SmallHome {
 public:
  explicit SmallHome(std::uint64_t seed = 1) {
    if (const char* old = std::getenv(kVariable)) old_ = old;
    const reference::MeteorFiles files = reference::small_meteor_files("0.5\nzzz\nbig dog\n");
    resource::convert_meteor(
        {files.synsets, files.exceptions, files.function_words, files.prefixes, files.paraphrases},
        (folder_.path() / resource::MeteorData::kFileName).string(), Progress());
    set_model(seed);
    ::setenv(kVariable, folder_.path().c_str(), 1);
  }
  ~SmallHome() { old_ ? ::setenv(kVariable, old_->c_str(), 1) : ::unsetenv(kVariable); }
  SmallHome(const SmallHome&) = delete;
  SmallHome& operator=(const SmallHome&) = delete;

  void set_model(std::uint64_t seed) const {
    folder_.write("models/parser.safetensors", SmallParserModel(ParserSizes{}, seed).bytes());
  }

 private:
  static constexpr const char* kVariable = "CAPELLA_HOME";
  TempDir folder_;
  std::optional<std::string> old_;
};

}  // namespace capella::test
