// What images are about, as people labelled them: JSON lines {"image_id", "labels": [...]}, or with one
// "concept" where there are no labels.
#pragma once

#include <string>
#include <vector>

namespace capella::io {

struct ConceptRow {
  std::string image;
  std::vector<std::string> labels;  ///< of the labellers, in the file's order
};

/// One for each image, in the file's order; an image may have several rows, say one per labeller. Throws
/// DataError "FILE:LINE: ...".
std::vector<ConceptRow> read_concepts(const std::string& path);

}  // namespace capella::io
