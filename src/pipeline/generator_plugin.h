// Opens the torch plug-in, once, for those jobs that train or ask caption generators.
#pragma once

#include <string>

#include "method/pregen/generator.h"

namespace capella::pipeline {

/// Where the plug-in lies; throws FileError that says how to get it.
std::string find_generator_plugin();

/// Stays open until the program ends. Throws FileError if the plug-in is not there, cannot be opened or
/// belongs to another version of Capella.
const method::pregen::GeneratorMaker& load_generators();

}  // namespace capella::pipeline
