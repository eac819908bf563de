// Training an adapter, with the maker of networks given: the plug-in's, or a test's own.
#pragma once

#include "capella/adapter_training.h"

#include "method/adapter_training/trainer.h"

namespace capella::pipeline {

AdapterTrained train_adapter(const AdapterTraining& options,
                             const method::adapter_training::NetworkMaker& maker);

}  // namespace capella::pipeline
