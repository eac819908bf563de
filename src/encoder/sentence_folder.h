// What sentence-transformers write beside a model: how the vectors of tokens become one of a text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

/// The names of the files that say so, whether or not they are there.
std::vector<std::string> sentence_files(const ModelFolder& folder);

/// What the model is called by its configuration ("_name_or_path") and by its folder; see
/// SentenceEncoder::names().
std::vector<std::string> model_names(const ModelFolder& folder);

}  // namespace capella::encoder
