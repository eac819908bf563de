// Products of 8-bit matrices on AMX: tiles of 16 rows of 64 bytes, 16384 multiplications per instruction.
#if defined(__x86_64__)
#include <immintrin.h>

#include "tensor/kernel_versions.h"
#include "tensor/target_region.h"

#define CAPELLA_NATIVE_LANES 16
#define CAPELLA_NATIVE_MAX(a, b) _mm512_maskz_max_ps(0xFFFF, a, b)
#define CAPELLA_NATIVE_MIN(a, b) _mm512_maskz_min_ps(0xFFFF, a, b)
#define CAPELLA_NATIVE_FUSED(a, b, c) _mm512_fmadd_ps(a, b, c)

namespace capella::tensor {
CAPELLA_TARGET("avx512f,avx512bw,avx512vl,avx512vnni,amx-tile,amx-int8")
namespace {

#include "tensor/finish_product.inc"

constexpr std::size_t kTileRows = 16;
constexpr std::size_t kTileBytes = 64;  // of a row
constexpr std::size_t kWeightBytesAtOnce = std::size_t{3} << 18;

struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

// Tiles 0 to 3 hold sums of 2 x 2 blocks, 4 and 5 rows, 6 and 7 weights; all have full size.
void shape_tiles() {
  TileShapes shapes;
  for (std::size_t tile = 0; tile < 8; ++tile) {
    shapes.row_bytes[tile] = kTileBytes;
    shapes.rows[tile] = kTileRows;
  }
  _tile_loadconfig(&shapes);
}

// The sums of kBlock outputs for kTileRows rows, or twice as many.
template <bool kTwice>
CAPELLA_INLINE void block_sums(const std::int8_t* rows, const std::int8_t* panels, std::size_t depth,
                               std::int32_t (*sums)[kBlock]) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  const std::int8_t* lower_rows = rows + kTileRows * depth;
  const std::int8_t* second = panels + kLanes * depth;
  for (std::size_t k = 0; k < depth; k += kDepth) {
    _tile_loadd(4, rows + k, depth);
    _tile_loadd(6, panels + k * kLanes, kTileBytes);
    _tile_dpbssd(0, 4, 6);
    _tile_loadd(7, second + k * kLanes, kTileBytes);
    _tile_dpbssd(1, 4, 7);
    if constexpr (kTwice) {
      _tile_loadd(5, lower_rows + k, depth);
      _tile_dpbssd(2, 5, 6);
      _tile_dpbssd(3, 5, 7);
    }
  }
  constexpr std::size_t kStride = kBlock * sizeof(std::int32_t);
  _tile_stored(0, sums[0], kStride);
  _tile_stored(1, sums[0] + kLanes, kStride);
  if constexpr (kTwice) {
    _tile_stored(2, sums[kTileRows], kStride);
    _tile_stored(3, sums[kTileRows] + kLanes, kStride);
  }
}

template <After kAfter>
CAPELLA_INLINE void multiply_block(const Int8Product& p, std::size_t row, std::size_t output) {
  alignas(64) std::int32_t sums[kBlock][kBlock];
  const std::int8_t* rows = p.rows + row * p.depth;
  const std::int8_t* panels = p.weights + output * p.depth;
  if (p.count - row > kTileRows) {
    block_sums<true>(rows, panels, p.depth, sums);
  } else {
    block_sums<false>(rows, panels, p.depth, sums);
  }
  const std::size_t count = p.count - row < kBlock ? p.count - row : kBlock;
  for (std::size_t r = 0; r < count; ++r) {
    finish<kAfter>(p, row + r, output, sums[r]);
    finish<kAfter>(p, row + r, output + kLanes, sums[r] + kLanes);
  }
}

// Few outputs at a time, so that their weights stay in the core's cache while the rows pass by.
template <After kAfter>
void multiply_all(const Int8Product p) {
  const std::size_t fitting = kWeightBytesAtOnce / p.depth / kBlock * kBlock;
  const std::size_t outputs_at_once = fitting > kBlock ? fitting : kBlock;
  for (std::size_t begin = 0; begin < p.outputs; begin += outputs_at_once) {
    const std::size_t end = begin + outputs_at_once < p.outputs ? begin + outputs_at_once : p.outputs;
    for (std::size_t row = 0; row < p.count; row += kBlock) {
      for (std::size_t output = begin; output < end; output += kBlock) multiply_block<kAfter>(p, row, output);
    }
  }
}

void multiply_on_tiles(const Int8Product& product) {
  shape_tiles();
  choose_after(product.after, [&](auto follow) { multiply_all<follow.value>(product); });
  _tile_release();
}

}  // namespace
CAPELLA_TARGET_END

void multiply_int8_amx(const Int8Product& product) {
  multiply_on_tiles(product);
}

}  // namespace capella::tensor
#endif
