// Which engine encodes: the program's own on the CPU, or that of another device.
#pragma once

#include <string>

#include "encoder/device_encoder.h"

namespace capella::encoder {

struct EncoderEngine {
  const DeviceEncoders* device = nullptr;  ///< null: the program's own
  DeviceSettings settings = {};            ///< of the device

  /// What tells vectors of this engine from those of another, in caches and signatures; empty: the program's
  /// own.
  std::string mark() const { return device == nullptr ? "" : "|" + settings.device; }
};

}  // namespace capella::encoder
