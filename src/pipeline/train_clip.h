// Training a small CLIP, with the maker of networks given: the plug-in's, or a test's own.
#pragma once

#include "capella/clip_training.h"

#include "method/clip_training/trainer.h"

namespace capella::pipeline {

ClipTrained train_clip(const ClipTraining& options, const method::clip_training::NetworkMaker& maker);

}  // namespace capella::pipeline
