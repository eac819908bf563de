// The kernels in plain C++ (and the compiler's vectors, as wide as every machine of the kind has them).
#include "tensor/kernel_versions.h"

#define CAPELLA_NATIVE_LANES 4
#define CAPELLA_NATIVE_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CAPELLA_NATIVE_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CAPELLA_NATIVE_FUSED(a, b, c)                                                                     \
  NativeFloats {                                                                                          \
    __builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1]), __builtin_fmaf(a[2], b[2], c[2]), \
        __builtin_fmaf(a[3], b[3], c[3])                                                                  \
  }

namespace capella::tensor {
namespace {

constexpr std::size_t kRowsAtOnce = 4;
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTilePanels = 1;

#include "tensor/attention.inc"
#include "tensor/finish_product.inc"
#include "tensor/float_kernels.inc"
#include "tensor/panel_product.inc"

CAPELLA_INLINE void store_low_bytes(const Floats& from, std::int8_t* to) {
  std::int32_t lanes[kLanes];
  __builtin_memcpy(lanes, &from, sizeof lanes);
  for (std::size_t i = 0; i < kLanes; ++i) to[i] = static_cast<std::int8_t>(lanes[i]);
}

#include "tensor/quantize_rows.inc"
#include "tensor/take_two.inc"

typedef std::int8_t EightBytes __attribute__((vector_size(8)));
typedef std::int16_t Shorts __attribute__((vector_size(16)));
constexpr std::size_t kPairs = kLanes / 2;  // of outputs; a pair's weights for four inputs fill a vector

CAPELLA_INLINE Shorts widen(const std::int8_t* from) {
  EightBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return __builtin_convertvector(bytes, Shorts);
}

// Four inputs, twice.
CAPELLA_INLINE Shorts four_twice(const std::int8_t* from) {
  const std::int16_t a = from[0], b = from[1], c = from[2], d = from[3];
  return Shorts{a, b, c, d, a, b, c, d};
}

// The sums of sixteen outputs of one row, eight inputs at a time: two products of 8-bit integers fit 16 bits,
// as inputs are above -128.
void panel_sums(const std::int8_t* row, const std::int8_t* panel, std::size_t depth, std::int32_t* sums) {
  NativeInts total[kPairs] = {};
  for (std::size_t k = 0; k < depth; k += 8, panel += 8 * kLanes) {
    const Shorts first = four_twice(row + k);
    const Shorts second = four_twice(row + k + 4);
#pragma GCC unroll 8
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      const std::int8_t* weights = panel + 8 * pair;
      const NativeInts products =
          reinterpret_cast<NativeInts>(widen(weights) * first + widen(weights + 4 * kLanes) * second);
      total[pair] += (products >> 16) + ((products << 16) >> 16);
    }
  }
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    sums[2 * pair] = total[pair][0] + total[pair][1];
    sums[2 * pair + 1] = total[pair][2] + total[pair][3];
  }
}

template <After kAfter>
void multiply_all(const Int8Product p) {
  for (std::size_t output = 0; output < p.outputs; output += kLanes) {
    for (std::size_t row = 0; row < p.count; ++row) {
      std::int32_t sums[kLanes];
      panel_sums(p.rows + row * p.depth, p.weights + output * p.depth, p.depth, sums);
      finish<kAfter>(p, row, output, sums);
    }
  }
}

void multiply_int8(const Int8Product& product) {
  choose_after(product.after, [&](auto follow) { multiply_all<follow.value>(product); });
}

}  // namespace

const Kernels kPortableKernels = {
    CpuLevel::portable, quantize_rows,   take_two,  multiply_int8, multiply, multiply_panels, attend,
    layer_norm,         softmax,         transpose, dot,           add_relu, lstm_step,       gru_reset,
    gru_update,         summarise_logits};

}  // namespace capella::tensor
