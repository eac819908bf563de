// What a model's file says in words: a JSON text. model_file.cc adds the arrays.
#pragma once

#include <cstdint>
#include <string>

#include "method/deneb/model_file.h"

namespace capella::method::deneb {

/// All of the model but its arrays; of these it holds a number that changes with every bit.
std::string header_text(const Model& model, std::uint64_t arrays_hash);

/// What such a text says. Throws DataError that says what is wrong, without the file.
struct ModelHeader {
  Model model;
  std::uint64_t arrays_hash = 0;
};
ModelHeader read_header(const std::string& text, const std::string& key);

/// What two recipes do not agree on, in words of the options: "rate 0.1 instead of 0.2, ..."; empty: nothing.
/// total_steps, which whoever trains sets, is not compared.
std::string recipe_difference(const Recipe& found, const Recipe& expected);

/// What is wrong with a model apart from its arrays, empty if nothing is.
std::string header_problem(const Model& model);

}  // namespace capella::method::deneb
