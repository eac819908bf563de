// What sentence-transformers write beside a model: how the vectors of tokens become one of a text.
#pragma once

#include <cstddef>

#include "encoder/model_folder.h"
#include "encoder/sentence_encoder.h"

namespace capella::encoder {

struct SentenceOptions {
  Pooling pooling = Pooling::mean;
  std::size_t most_tokens = 0;  ///< special ones counted; 0: as many as the model takes
  bool lowers = false;          ///< whether texts are lowered before anything else
  bool normalizes = false;      ///< whether vectors are brought to length 1
};

/// Reads modules.json, the pooling's config.json and sentence_bert_config.json, as far as they are there.
/// Throws FileError if they ask for something that is not understood, e.g. another layer behind the pooling.
SentenceOptions read_sentence_options(const ModelFolder& folder);

}  // namespace capella::encoder
