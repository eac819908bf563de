// A folder's model as another device takes it (device_encoder.h): all its arrays, under one set of names.
#pragma once

#include "encoder/device_encoder.h"
#include "encoder/model_folder.h"

namespace capella::encoder {

/// Throw FileError as Bert and Clip do.
BertModel read_bert_model(const ModelFolder& folder);
ClipModel read_clip_model(const ModelFolder& folder);

}  // namespace capella::encoder
