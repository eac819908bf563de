// Lines of an .mln file that begin with //@: what names stand for, where constants may stand, what was
// counted when formulas were learned. Other programs skip them as comments.
#pragma once

#include <vector>

#include "logic/language/lexer.h"
#include "logic/language/vocabulary.h"

namespace capella::logic {

/// To be called when all else has been read. Throws DataError "FILE:LINE: ..." for what is no directive.
void apply_directives(const std::vector<DirectiveLine>& lines, Network& network, Vocabulary& vocabulary);

/// The directives that stand before the formulas, a line each.
std::string write_labels(const Network& network);
std::string write_domains(const Network& network);
/// That of the formula with this number.
std::string write_statistics(std::size_t formula, const FormulaStatistics& statistics);

}  // namespace capella::logic
