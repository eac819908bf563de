// What a model's files tell twice must agree; where it does not, they are of different models, and whatever
// was computed with them would mean nothing. All of these throw FileError that names both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "encoder/model_folder.h"
#include "encoder/tokenizer/tokenizer.h"

namespace capella::encoder {

/// One size of a tensor, and the name under which the configuration has it.
struct ToldSize {
  std::string key;
  std::string tensor;
  std::size_t axis = 0;
  std::optional<std::size_t> usual = {};  ///< what it means if the configuration does not have it
};

/// Nothing is checked where the configuration does not say and there is no usual size.
void expect_size(const ModelFolder& folder, const ToldSize& told);

/// The number of layers whose tensors begin with `layers` and a number ("encoder.layer." and "0."), which
/// must be what the configuration has under `key`, if it has it.
std::size_t expect_layers(const ModelFolder& folder, const std::string& key, const std::string& layers,
                          std::optional<std::size_t> usual = {});

/// Heads that the configuration has under `key` must share a layer's width.
void expect_heads(const ModelFolder& folder, const std::string& key, std::size_t heads, std::size_t width);

/// The tokenizer's pieces must have rows in the table of words. That may have more: some are rounded up to a
/// multiple of 8, 64, 128 or 512, and some were made larger than was ever needed. But if rows beyond such a
/// multiple have learnt something, the table belongs to another tokenizer.
void expect_vocabulary(const ModelFolder& folder, const Tokenizer& tokenizer, std::size_t rows);

}  // namespace capella::encoder
