// The kernels for AVX-512 with VNNI.
//
// VNNI multiplies unsigned by signed bytes: it gets weights + 128, and 128 times the sum of the row's inputs
// is taken off in the end.
#if defined(__x86_64__)
#include <immintrin.h>

#include "tensor/kernel_versions.h"
#include "tensor/target_region.h"

#define CAPELLA_NATIVE_LANES 16
#define CAPELLA_NATIVE_MAX(a, b) _mm512_maskz_max_ps(0xFFFF, a, b)
#define CAPELLA_NATIVE_MIN(a, b) _mm512_maskz_min_ps(0xFFFF, a, b)
#define CAPELLA_NATIVE_FUSED(a, b, c) _mm512_fmadd_ps(a, b, c)

namespace capella::tensor {
CAPELLA_TARGET("avx512f,avx512bw,avx512vl,avx512vnni")
namespace {

constexpr std::size_t kRowsAtOnce = 8;
constexpr std::size_t kTileRows = 12;
constexpr std::size_t kTilePanels = 2;

#include "tensor/attention.inc"
#include "tensor/finish_product.inc"
#include "tensor/float_kernels.inc"
#include "tensor/panel_product.inc"

CAPELLA_INLINE void store_low_bytes(const Floats& from, std::int8_t* to) {
  _mm512_mask_cvtepi32_storeu_epi8(to, 0xFFFF, _mm512_castps_si512(from.part[0]));
}

#include "tensor/quantize_rows.inc"
#include "tensor/take_two.inc"

std::int32_t row_sum(const std::int8_t* row, std::size_t depth) {
  __m512i total = _mm512_setzero_si512();
  for (std::size_t k = 0; k < depth; k += kDepth) {
    total = _mm512_dpbusd_epi32(total, _mm512_set1_epi8(1), _mm512_loadu_si512(row + k));
  }
  std::int32_t lanes[kLanes];
  _mm512_storeu_si512(lanes, total);
  std::int32_t result = 0;
  for (const std::int32_t lane : lanes) result += lane;
  return result;
}

// total + weights * inputs. The intrinsic makes GCC copy the totals around in every step.
CAPELLA_INLINE void add_products(__m512i& total, const __m512i& weights, const __m512i& inputs) {
  asm("vpdpbusd %2, %1, %0" : "+v"(total) : "v"(weights), "v"(inputs));
}

// Of rows beyond the last, the last one's. Before the products, which need not wait for it.
template <std::size_t kRows>
CAPELLA_INLINE void gather_bias(const Int8Product& p, std::size_t row, std::size_t output,
                                float (*bias)[2 * kLanes]) {
#pragma GCC unroll 1
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::size_t from = row + r < p.count ? row + r : p.count - 1;
    store(bias_of(p, from, output), bias[r]);
    store(bias_of(p, from, output + kLanes), bias[r] + kLanes);
  }
}

// Products of kRows rows and 32 outputs, two panels. offsets[r] is -128 times the sum of row r.
template <After kAfter, std::size_t kRows>
CAPELLA_INLINE void multiply_block(const Int8Product& p, std::size_t row, std::size_t output,
                                   const std::int32_t* offsets) {
  float bias[kRows][2 * kLanes];
  gather_bias<kRows>(p, row, output, bias);
  __m512i left[kRows], right[kRows];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) left[r] = right[r] = _mm512_set1_epi32(offsets[r]);
  const __m512i sign = _mm512_set1_epi8(-128);
  const std::int8_t* rows = p.rows + row * p.depth;
  const std::int8_t* first = p.weights + output * p.depth;
  const std::int8_t* second = first + kLanes * p.depth;
  for (std::size_t k = 0; k < p.depth; k += 4, first += 4 * kLanes, second += 4 * kLanes) {
    const __m512i first_weights = _mm512_xor_si512(_mm512_loadu_si512(first), sign);
    const __m512i second_weights = _mm512_xor_si512(_mm512_loadu_si512(second), sign);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t four = 0;
      __builtin_memcpy(&four, rows + r * p.depth + k, sizeof four);
      const __m512i inputs = _mm512_set1_epi32(four);
      add_products(left[r], first_weights, inputs);
      add_products(right[r], second_weights, inputs);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
    if (row + r >= p.count) return;
    finish<kAfter>(p, row + r, output, load(bias[r]), Floats{_mm512_maskz_cvtepi32_ps(0xFFFF, left[r])});
    finish<kAfter>(p, row + r, output + kLanes, load(bias[r] + kLanes),
                   Floats{_mm512_maskz_cvtepi32_ps(0xFFFF, right[r])});
  }
}

// Rows of one block of rows. They are there in multiples of kBlock, so a few more may be read.
template <After kAfter>
CAPELLA_INLINE void multiply_rows(const Int8Product& p, std::size_t begin, std::size_t end,
                                  std::size_t output, const std::int32_t* offsets) {
  for (std::size_t row = begin; row < end;) {
    const std::size_t left = end - row;
    const std::int32_t* from = offsets + (row - begin);
    if (left > 8) {
      multiply_block<kAfter, 12>(p, row, output, from);
      row += 12;
    } else if (left > 4) {
      multiply_block<kAfter, 8>(p, row, output, from);
      row += 8;
    } else {
      multiply_block<kAfter, 4>(p, row, output, from);
      row += 4;
    }
  }
}

template <After kAfter>
void multiply_all(const Int8Product p) {
  constexpr std::size_t kRowsAtOnceInCache = 8 * kBlock;
  std::int32_t offsets[kRowsAtOnceInCache];
  for (std::size_t begin = 0; begin < p.count; begin += kRowsAtOnceInCache) {
    const std::size_t end = begin + kRowsAtOnceInCache < p.count ? begin + kRowsAtOnceInCache : p.count;
    for (std::size_t row = begin; row < end || row % 4 != 0; ++row) {
      offsets[row - begin] = -128 * row_sum(p.rows + row * p.depth, p.depth);
    }
    for (std::size_t output = 0; output < p.outputs; output += 2 * kLanes) {
      multiply_rows<kAfter>(p, begin, end, output, offsets);
    }
  }
}

void multiply_int8(const Int8Product& product) {
  choose_after(product.after, [&](auto follow) { multiply_all<follow.value>(product); });
}

}  // namespace
CAPELLA_TARGET_END

const Kernels kAvx512Kernels = {CpuLevel::avx512, quantize_rows,   take_two,   multiply_int8,
                                multiply,         multiply_panels, attend,     layer_norm,
                                softmax,          transpose,       dot,        add_relu,
                                lstm_step,        gru_reset,       gru_update, summarise_logits};

}  // namespace capella::tensor
#endif
