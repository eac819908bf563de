// Opens the torch plug-in, once, for those jobs that train networks or run them on a GPU.
#pragma once

#include <string>

#include "encoder/device_encoder.h"
#include "encoder/encoder_engine.h"
#include "method/adapter_training/trainer.h"
#include "method/clip_training/trainer.h"
#include "method/deneb/trainer.h"
#include "method/pregen/generator.h"

namespace capella::pipeline {

/// Where the plug-in lies; throws FileError that says how to get it.
std::string find_plugin();

/// What the plug-in offers. It stays open until the program ends. Throws FileError if the plug-in is not
/// there, cannot be opened or belongs to another version of Capella.
const method::pregen::GeneratorMaker& load_generators();
const method::deneb::NetworkMaker& load_deneb();
const encoder::DeviceEncoders& load_encoders();
const method::clip_training::NetworkMaker& load_clip_training();
const method::adapter_training::NetworkMaker& load_adapter_training();

/// Where encoders run: "cpu" or "cuda". The plug-in is opened only for the second; throws as load_encoders()
/// does, and UsageError for any other name or if there is no such device.
encoder::EncoderEngine encoder_engine(const std::string& device);

}  // namespace capella::pipeline
