// METEOR's normaliser (its option -norm): sets punctuation apart, cuts possessives and hyphens.
#pragma once

#include <string>
#include <string_view>

#include "resource/meteor_data.h"

namespace capella::text {

/// The line with its words and punctuation marks set apart by single spaces; case is kept.
std::string meteor_normalize(std::string_view line, const resource::MeteorData& data);

/// The same in lower case: the words METEOR compares, with white space between them.
std::string meteor_words(std::string_view line, const resource::MeteorData& data);

}  // namespace capella::text
