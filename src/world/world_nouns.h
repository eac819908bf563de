// The generated world's nouns in the shape of FOIL's: a category per class, a super-category per kind.
#pragma once

#include "world/foil_nouns.h"
#include "world/vocabulary.h"

namespace capella::world {

/// Category c is class c. A noun of two classes ("person", "kid") may mean either and is never exchanged.
FoilNouns make_world_nouns();

}  // namespace capella::world
