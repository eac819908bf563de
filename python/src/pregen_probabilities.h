// Probabilities of words as Python users hold them: lists of images, in these of captions, in these of
// (probability, rank); any of them may be an array.
#pragma once

#include "io/token_probabilities.h"
#include "strings.h"

namespace capella::python {

/// Whether numbers are probabilities is for others to check. Throws TypeError for what is no list or no
/// number, DataError for a list of another length than two and for a rank that is no whole number; each names
/// the image, caption and word.
TokenProbabilities probabilities_of(nb::handle images, std::string_view source);

}  // namespace capella::python
