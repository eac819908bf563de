// Training and asking caption generators, with the maker of networks given: the plug-in's, or a test's own.
#pragma once

#include "capella/pregen.h"

#include "method/pregen/generator.h"

namespace capella::pipeline {

GeneratorTrained train_generator(const GeneratorTraining& options,
                                 const method::pregen::GeneratorMaker& maker);

ProbabilityRun generator_probabilities(const GeneratorRun& run, const method::pregen::GeneratorMaker& maker);

GenerationRun generate_captions(const GeneratorRun& run, const GenerationOptions& options,
                                const method::pregen::GeneratorMaker& maker);

}  // namespace capella::pipeline
