// Which encoders a network is used with, and whether they are those it was trained with.
#pragma once

#include <string>

#include "encoder/clip_encoder.h"
#include "encoder/state_encoder.h"
#include "method/deneb/model_file.h"

namespace capella::method::deneb {

/// Encoders, null where there is none, and the names under which people know them.
struct GivenEncoders {
  const encoder::ClipEncoder* clip = nullptr;
  std::string clip_name = {};  ///< a folder's path
  const encoder::StateEncoder* text = nullptr;
  std::string text_name = {};
};

/// What a model's file says about them.
EncoderUse use_of(const GivenEncoders& given, const std::string& prompt, bool images);

/// Throws if a model was trained with other encoders than these: FileError that says so, UsageError if one is
/// not given. What is not known of the model's is not compared, and one that it does not need may be given.
void expect_encoders(const std::string& path, const Model& model, const GivenEncoders& given);

}  // namespace capella::method::deneb
