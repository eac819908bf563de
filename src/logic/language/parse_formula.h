// Reads one formula. The types of its variables follow from the predicates' places where they stand.
#pragma once

#include "logic/language/cursor.h"
#include "logic/language/language.h"
#include "logic/language/vocabulary.h"

namespace capella::logic {

/// Formulas nest no deeper: their trees are walked by recursion.
inline constexpr std::size_t kDeepestFormula = 200;

/// Reads as far as the formula goes; the rest of the line is the caller's. `weight` and `statistics` stay
/// unset. Throws DataError "SOURCE:LINE: ...".
Formula parse_formula(Cursor& cursor, Vocabulary& vocabulary);

/// A constant: a name that does not begin with a lower-case letter, a number or a quoted text.
std::string parse_constant(Cursor& cursor);

}  // namespace capella::logic
