// The nouns that challenge sets exchange and add, with other words for the same thing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "resource/word_relations.h"
#include "world/foil_nouns.h"

namespace capella::world::challenge {

struct ChallengeNouns {
  FoilNouns nouns;
  std::vector<std::vector<std::string>> synonyms;  ///< per noun, of its number
  std::vector<std::uint32_t> addable;  ///< singulars for things that are worth telling wherever they are
};

/// For captions of real pictures: COCO's categories. Two words are synonyms if they may mean the same
/// category and share a sense in WordNet that is the usual one of at least one of them.
ChallengeNouns make_caption_nouns(const resource::WordRelations& wordnet);

/// For captions of a generated world, whose vocabulary says what means the same.
ChallengeNouns make_world_challenge_nouns();

}  // namespace capella::world::challenge
