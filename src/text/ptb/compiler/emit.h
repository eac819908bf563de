// Writes the automata as the C++ source that text/ptb/tables.h declares.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/ptb/compiler/dfa.h"
#include "text/ptb/compiler/grammar.h"
#include "text/ptb/compiler/unicode_data.h"
#include "text/ptb/compiler/unit_classes.h"

namespace capella::text::ptb::compiler {

/// Throws std::runtime_error if the grammar has outgrown the width of the tables.
std::string emit_tables(std::string_view edition, const std::vector<Rule>& rules, const UnitClasses& classes,
                        const Dfa& dfa);

/// What the editions share: the head of the file and the facts about characters.
std::string emit_head(const UnicodeData& unicode);

/// The automaton of a single expression.
Dfa compile_expression(const ExpressionPtr& expression, const UnitClasses& classes);

}  // namespace capella::text::ptb::compiler
