// Word vectors that a test writes down itself.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "resource/word_vectors.h"
#include "resource/word_vectors_writer.h"
#include "support/temp_dir.h"

namespace capella::test {

class SmallWordVectors {
 public:
  /// All vectors must have the same length.
  explicit SmallWordVectors(const std::map<std::string, std::vector<float>>& words) {
    const std::string path = (folder_.path() / "small.vectors").string();
    resource::WordVectorsWriter writer(path, words.begin()->second.size(), /*eight_bit=*/false);
    for (const auto& [word, numbers] : words) writer.add(word, numbers);
    writer.finish();
    vectors_ = std::make_unique<resource::WordVectors>(path, "small");
  }

  const resource::WordVectors& get() const { return *vectors_; }

 private:
  TempDir folder_;
  std::unique_ptr<resource::WordVectors> vectors_;
};

}  // namespace capella::test
