// Training and running learned metrics, with the maker of networks given: the plug-in's, or a test's own.
#pragma once

#include "capella/deneb.h"

#include "method/deneb/trainer.h"

namespace capella::pipeline {

DenebTrained train_deneb(const DenebTraining& options, const method::deneb::NetworkMaker& maker);

/// The network that the options ask for, apart from the widths of encoders. Throws UsageError.
method::deneb::Recipe recipe_of(const DenebTraining& options);

}  // namespace capella::pipeline
