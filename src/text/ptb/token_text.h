// The text of a token whose rule does not write it as it stands.
#pragma once

#include <string>
#include <string_view>

#include "text/ptb/tables.h"

namespace capella::text::ptb {

/// Applies the rule's actions to the token's units; case is left alone.
std::u16string token_text(const RuleEntry& rule, std::u16string_view units);

}  // namespace capella::text::ptb
