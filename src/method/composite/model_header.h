// What a model's file says in words: the JSON object under "capella.composite". model.cc adds the weights.
#pragma once

#include <string>

#include "method/composite/model.h"

namespace capella::method::composite {

inline constexpr char kHeaderKey[] = "capella.composite";

/// All of the model but its network. The same model gives the same text.
std::string header_text(const Model& model);

/// The model of such a text, without a network. Throws DataError that says what is wrong, without the file.
Model read_header(const std::string& text);

/// What is wrong with the words and numbers of the header, empty if nothing is.
std::string header_problem(const Model& model);

}  // namespace capella::method::composite
