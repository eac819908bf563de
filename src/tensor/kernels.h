// The inner loops of the networks, in one version per level of base/cpu_level.h, chosen when the program
// runs.
//
// All versions give the same bits. Products of 8-bit integers are exact. Float sums have one order, written
// down with each kernel; a multiply-add is fused in all versions (multiply_panels, attend, gelu, numbers that
// multiply_int8 takes as floats) or in none; exp and erf are our own. So a result depends neither on the
// machine nor on how many rows are computed together: a row's result depends on that row alone.
//
// Rows of floats begin at a cache line: strides are multiples of 16 floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cpu_level.h"

namespace capella::tensor {

constexpr std::size_t kLanes = 16;  ///< floats in a vector, and outputs in a panel of packed weights
constexpr std::size_t kDepth = 64;  ///< inputs of 8-bit products come in multiples of this
constexpr std::size_t kBlock = 32;  ///< 8-bit rows and packed outputs are there in multiples of this

/// What becomes of a sum x of products: it is stored, added to what is there, or stored as max(x, 0), x * (1
/// + erf(x / sqrt(2))) / 2, x / (1 + exp(-1.702 x)), tanh(x). Results are within 1e-6 * max(1, |x|) of these
/// formulas.
enum class After { kStore, kAdd, kRelu, kGelu, kQuickGelu, kTanh };

/// Two numbers of each row that are not among its integers: they give v0 * lines[p0][o] + v1 * lines[p1][o]
/// to output o, in this order, each step one fused multiply-add.
struct TakenNumbers {
  const float* lines = nullptr;  ///< [inputs][stride], float weights; null: there are no such numbers
  std::size_t stride = 0;
  const std::uint32_t* places = nullptr;  ///< [count][2]: p0, p1
  const float* values = nullptr;          ///< [count][2]: v0, v1
};

/// One product of 8-bit matrices: (rows x weights^T) scaled back, plus bias. For row r and output o, `after`
/// has
///   float(sum_k rows[r][k] * weights[o][k]) * (row_scale[r] * scale[o]) + bias[o].
struct Int8Product {
  const std::int8_t* rows;  ///< [count rounded up to kBlock][depth], each in -127..127
  const float* row_scale;   ///< [count]
  std::size_t count;
  std::size_t depth;           ///< a multiple of kDepth; unused inputs are 0
  const std::int8_t* weights;  ///< packed by pack_weights
  const float* scale;          ///< [outputs]
  const float* bias;           ///< [outputs]
  std::size_t outputs;         ///< a multiple of kBlock; unused outputs have weights, scale and bias 0
  float* out;                  ///< [count][stride]
  std::size_t stride;          ///< at least `outputs`
  After after;
  TakenNumbers taken = {};  ///< what they give is added to the bias of their row
};

/// Products of float rows and packed weights. For row r and output o, `after` has
///   sum_k rows[r][k] * weights[o][k] + bias[o],
/// where k ascends from a sum of 0 and every step is one fused multiply-add.
struct PanelProduct {
  const float* rows;       ///< [count][row_stride]
  std::size_t row_stride;  ///< at least `depth`; a row can be read up to a multiple of 4
  std::size_t count;
  std::size_t depth;
  const float* weights;  ///< packed by pack_panels
  const float* bias;     ///< [outputs]
  std::size_t outputs;   ///< a multiple of kLanes; unused outputs have weights and bias 0
  float* out;            ///< [count][stride]; not `rows`
  std::size_t stride;    ///< at least `outputs`
  float* scratch;        ///< of kPanelScratch floats
  After after;
};

/// out[r][c] = sum over k, in ascending order, of a[r][k] * b[k][c].
struct FloatProduct {
  const float* a;
  std::size_t a_row;   ///< from a[r][k] to a[r + 1][k]
  std::size_t a_step;  ///< from a[r][k] to a[r][k + 1]
  const float* b;
  std::size_t b_stride;
  float* out;
  std::size_t out_stride;
  std::size_t rows;
  std::size_t depth;
  std::size_t columns;  ///< a multiple of kLanes
};

/// One head of self-attention within one sequence, for its last `queries` positions:
///   out[i] = sum_j softmax_j(scale * (query[i] . key[j])) value[j].
/// All sums go over their index in ascending order, with fused multiply-adds.
struct AttentionHead {
  const float* query;  ///< [queries][query_stride]
  std::size_t query_stride;
  std::size_t queries;  ///< at most `positions`
  const float* key;     ///< [positions][stride]
  const float* value;   ///< [positions][stride]
  std::size_t stride;
  std::size_t positions;
  std::size_t width;  ///< of the head, a multiple of kLanes
  float scale;
  bool causal;  ///< whether a position sees only itself and those before it
  float* out;   ///< [queries][out_stride]
  std::size_t out_stride;
  float* scratch;  ///< of attention_scratch(queries, positions, width) floats
};

/// A row of logits seen from one of them, the target.
struct LogitSummary {
  float highest;          ///< the greatest logit
  float target;           ///< the target's
  double exponentials;    ///< the sum of exp(logit - highest)
  std::uint32_t greater;  ///< how many are greater than the target's
};

/// How many floats an AttentionHead needs as scratch.
std::size_t attention_scratch(std::size_t queries, std::size_t positions, std::size_t width);

constexpr std::size_t kPanelScratch = 96 * (512 + 512);  ///< floats that a PanelProduct needs as scratch

struct Kernels {
  CpuLevel level;

  /// Each row as 8-bit integers: scale = max |x| / 127, q = x / scale rounded to the nearest, ties to even;
  /// a row of zeros has scale 0. `width` is a multiple of kLanes; q rows have `depth` bytes, those from
  /// `width` on are set to 0.
  void (*quantize_rows)(const float* rows, std::size_t stride, std::size_t count, std::size_t width,
                        std::int8_t* out, std::size_t depth, float* scale);

  /// Takes the two greatest numbers of a row by size; of equal ones the one with the least place modulo
  /// kLanes comes first, then the one with the least place. `values` and `places` are they, the greatest
  /// first; `rest` is the row with 0 where they were. `width` is a multiple of kLanes.
  void (*take_two)(const float* row, std::size_t width, float* rest, std::uint32_t* places, float* values);

  void (*multiply_int8)(const Int8Product& product);
  void (*multiply)(const FloatProduct& product);
  void (*multiply_panels)(const PanelProduct& product);
  void (*attend)(const AttentionHead& head);

  /// Each row minus its mean, divided by its deviation (biased; epsilon is added to its square), times
  /// weight plus bias. Sums go over 16 lanes (element i to lane i mod 16), then lanes are added by halves.
  /// `width` is a multiple of kLanes; `out` may be `rows`.
  void (*layer_norm)(const float* rows, std::size_t stride, std::size_t count, std::size_t width,
                     const float* weight, const float* bias, float epsilon, float* out,
                     std::size_t out_stride);

  /// softmax of the first `count` numbers, in place; the rest up to a multiple of kLanes becomes 0. The sum
  /// is taken as in layer_norm.
  void (*softmax)(float* row, std::size_t count);

  /// out[c][r] = rows[r][c]. Rows of `out` have round_up(count, kLanes) floats; those from `count` on repeat
  /// the last. `width` is a multiple of 4, `count` at least 1.
  void (*transpose)(const float* rows, std::size_t stride, std::size_t count, std::size_t width, float* out);

  /// Sum of a[i] * b[i], over lanes as in layer_norm; `size` is a multiple of kLanes.
  float (*dot)(const float* a, const float* b, std::size_t size);

  /// out[i] = max(a[i] + b[i], 0); `size` is a multiple of kLanes.
  void (*add_relu)(const float* a, const float* b, float* out, std::size_t size);

  /// One step of an LSTM of `size` cells, a multiple of kLanes. The gates are a + b: for every kLanes cells
  /// their gates input, forget, new, output, kLanes numbers each. memory = s(forget) * memory + s(input) *
  /// tanh(new), and out = s(output) * tanh(memory), where s(x) = 1 / (1 + exp(-x)). Results are within 2e-6
  /// of these formulas (times the size of the memory where that is above 1).
  void (*lstm_step)(const float* a, const float* b, std::size_t size, float* memory, float* out);

  /// The two halves of a step of a GRU of `size` cells, a multiple of kLanes; between them the caller
  /// multiplies `kept` by the candidate's weights. The gates are a + b, first those of reset, then those of
  /// update: kept = s(reset) * state and update = s(update). Then, with a + b for the candidate, out =
  /// update * state + (1 - update) * tanh(a + b); `out` may be `state` or `a`. Results are within 1e-6 of
  /// these formulas (times the size of the state where that is above 1).
  void (*gru_reset)(const float* a, const float* b, const float* state, std::size_t size, float* kept,
                    float* update);
  void (*gru_update)(const float* a, const float* b, const float* update, const float* state,
                     std::size_t size, float* out);

  /// Adds the bias to the logits, in place, and sums the row up. `size` is a multiple of kLanes. The sum of
  /// exponentials goes over lanes as in layer_norm for every 1024 logits; these sums are added as doubles.
  LogitSummary (*summarise_logits)(float* logits, const float* bias, std::size_t size, std::size_t target);
};

/// The best version for cpu_level().
const Kernels& kernels();

/// All versions up to cpu_level(), the portable one first, the best one last.
const std::vector<const Kernels*>& all_kernels();

/// Weights [outputs][inputs] in the order in which all kernels read them: panels of 16 outputs; in a panel,
/// for every four inputs, the four weights of each output. `packed` has round_up(outputs, kBlock) *
/// round_up(inputs, kDepth) bytes, all 0 at first.
void pack_weights(const std::int8_t* weights, std::size_t outputs, std::size_t inputs, std::int8_t* packed);

/// Weights [outputs][inputs] for multiply_panels: panels of kLanes outputs; in a panel, for every input, the
/// weight of each output. `packed` has round_up(outputs, kLanes) * inputs floats, all 0 at first.
void pack_panels(const float* weights, std::size_t outputs, std::size_t inputs, float* packed);

}  // namespace capella::tensor
