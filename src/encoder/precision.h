// How exact the weights of an encoder's layers are.
#pragma once

#include <cstdint>

namespace capella::encoder {

enum class Precision : std::uint8_t {
  kFloat,  ///< 32 bits, as networks are trained
  kInt8,   ///< 8 bits, and so are the inputs of products: some times as fast, nearly the same
};

}  // namespace capella::encoder
