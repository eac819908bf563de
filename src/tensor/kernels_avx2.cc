// The kernels for AVX2. Its products of 16-bit integers are exact; those of 8-bit ones saturate.
#if defined(__x86_64__)
#include <immintrin.h>

#include "tensor/kernel_versions.h"
#include "tensor/target_region.h"

#define CAPELLA_NATIVE_LANES 8
#define CAPELLA_NATIVE_MAX(a, b) _mm256_max_ps(a, b)
#define CAPELLA_NATIVE_MIN(a, b) _mm256_min_ps(a, b)
#define CAPELLA_NATIVE_FUSED(a, b, c) _mm256_fmadd_ps(a, b, c)

namespace capella::tensor {
CAPELLA_TARGET("avx2,fma")
namespace {

constexpr std::size_t kRowsAtOnce = 4;
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTilePanels = 1;

#include "tensor/attention.inc"
#include "tensor/finish_product.inc"
#include "tensor/float_kernels.inc"
#include "tensor/panel_product.inc"

CAPELLA_INLINE void store_low_bytes(const Floats& from, std::int8_t* to) {
  const __m256i mask = _mm256_set1_epi32(0xFF);
  const __m256i left = _mm256_and_si256(_mm256_castps_si256(from.part[0]), mask);
  const __m256i right = _mm256_and_si256(_mm256_castps_si256(from.part[1]), mask);
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(left, right), 0xD8);
  const __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
}

#include "tensor/quantize_rows.inc"
#include "tensor/take_two.inc"

// The sums of sixteen outputs of kRows rows. A register holds four outputs with two sums each, one of the
// even and one of the odd pairs of inputs.
template <std::size_t kRows>
CAPELLA_INLINE void panel_sums(const std::int8_t* rows, const std::int8_t* panel, std::size_t depth,
                               std::int32_t (*sums)[kLanes]) {
  __m256i total[kRows][4];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < 4; ++q) total[r][q] = _mm256_setzero_si256();
  }
  for (std::size_t k = 0; k < depth; k += 4, panel += 4 * kLanes) {
    __m256i inputs[kRows];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t four = 0;
      __builtin_memcpy(&four, rows + r * depth + k, sizeof four);
      inputs[r] = _mm256_cvtepi8_epi16(_mm_set1_epi32(four));
    }
#pragma GCC unroll 4
    for (std::size_t q = 0; q < 4; ++q) {
      const __m256i weights =
          _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(panel + 16 * q)));
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) {
        total[r][q] = _mm256_add_epi32(total[r][q], _mm256_madd_epi16(inputs[r], weights));
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t q = 0; q < 4; q += 2) {
      const __m256i pairs = _mm256_hadd_epi32(total[r][q], total[r][q + 1]);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[r] + 4 * q), _mm256_permute4x64_epi64(pairs, 0xD8));
    }
  }
}

template <After kAfter>
void multiply_all(const Int8Product p) {
  constexpr std::size_t kRows = 2;  // rows are there in multiples of kBlock
  for (std::size_t output = 0; output < p.outputs; output += kLanes) {
    for (std::size_t row = 0; row < p.count; row += kRows) {
      std::int32_t sums[kRows][kLanes];
      panel_sums<kRows>(p.rows + row * p.depth, p.weights + output * p.depth, p.depth, sums);
      for (std::size_t r = 0; r < kRows && row + r < p.count; ++r) {
        finish<kAfter>(p, row + r, output, sums[r]);
      }
    }
  }
}

void multiply_int8(const Int8Product& product) {
  choose_after(product.after, [&](auto follow) { multiply_all<follow.value>(product); });
}

}  // namespace
CAPELLA_TARGET_END

const Kernels kAvx2Kernels = {CpuLevel::avx2, quantize_rows,   take_two,   multiply_int8,
                              multiply,       multiply_panels, attend,     layer_norm,
                              softmax,        transpose,       dot,        add_relu,
                              lstm_step,      gru_reset,       gru_update, summarise_logits};

}  // namespace capella::tensor
#endif
