// Which engine encodes: the program's own on the CPU, or that of another device.
#pragma once

#include <cstddef>
#include <string>

#include "encoder/device_encoder.h"
#include "encoder/precision.h"

namespace capella::encoder {

struct EncoderEngine {
  const DeviceEncoders* device = nullptr;  ///< null: the program's own
  DeviceSettings settings = {};            ///< of the device
  /// Of the program's own engine; sentence encoders alone heed it.
  Precision precision = Precision::kFloat;

  /// So many tokens or pictures in a batch are quick: of the program's own engine, which runs a batch per
  /// thread, or of the device, which runs one at a time.
  std::size_t tokens_at_once() const { return device == nullptr ? 1024 : 8192; }
  std::size_t images_at_once() const { return device == nullptr ? 8 : 64; }

  /// What tells vectors of this engine from those of another, in caches and signatures; empty: the program's
  /// own.
  std::string mark() const {
    if (device == nullptr) return precision == Precision::kInt8 ? "|int8" : "";
    return "|" + settings.device + (settings.precision == DevicePrecision::kBFloat16 ? "|bfloat16" : "");
  }
};

}  // namespace capella::encoder
