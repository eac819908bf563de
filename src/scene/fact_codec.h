// Facts as bytes, for caches: a byte for the kind, then each string the kind uses, with its length before it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/facts.h"

namespace capella::scene {

std::string encode_facts(std::span<const Fact> facts);

/// Nothing if the bytes are not what encode_facts() writes.
std::optional<std::vector<Fact>> decode_facts(std::string_view bytes);

}  // namespace capella::scene
