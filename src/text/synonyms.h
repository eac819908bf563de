// WordNet's synonyms as METEOR finds them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "resource/meteor_data.h"

namespace capella::text {

/// The synsets of a lower-case word: its own and those of its base form, ascending, each once. Two words are
/// synonyms if they share one.
std::vector<std::uint32_t> synonym_sets(std::string_view word, const resource::MeteorData& data);

}  // namespace capella::text
