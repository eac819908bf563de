#include "stats/weighted_sums.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace capella::stats {
namespace {

typedef double Two __attribute__((vector_size(16)));  // every machine of the kind has these

constexpr std::size_t kColumns = 4;  // of a panel
constexpr std::size_t kSamples = 4;  // at once; sixteen sums stay in registers
constexpr std::size_t kTile = 256;   // units; a panel's tile and the weights stay in the nearest cache

using TileWeights = double[kSamples][kTile];
using PanelSums = double[kSamples][kColumns];

void add_tile(const double* rows, const TileWeights& weights, std::size_t units, PanelSums& sums) {
  constexpr std::size_t kTwos = kColumns / 2;
  Two total[kSamples][kTwos] = {};
  for (std::size_t unit = 0; unit < units; ++unit) {
    Two row[kTwos];
    std::memcpy(row, rows + unit * kColumns, sizeof row);
#pragma GCC unroll 4
    for (std::size_t sample = 0; sample < kSamples; ++sample) {
#pragma GCC unroll 2
      for (std::size_t i = 0; i < kTwos; ++i) total[sample][i] += weights[sample][unit] * row[i];
    }
  }
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    for (std::size_t i = 0; i < kColumns; ++i) sums[sample][i] += total[sample][i / 2][i % 2];
  }
}

// Samples that are not there weigh nothing.
void read_weights(const std::uint32_t* weights, std::size_t stride, std::size_t samples, std::size_t units,
                  TileWeights& out) {
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t unit = 0; unit < units; ++unit)
      out[sample][unit] = static_cast<std::int32_t>(weights[sample * stride + unit]);
  }
  for (std::size_t sample = samples; sample < kSamples; ++sample)
    std::fill(out[sample], out[sample] + units, 0.0);
}

}  // namespace

WeightedSums::WeightedSums(std::span<const RowsView> views, std::size_t units) : units_(units) {
  for (const RowsView& view : views) widths_.push_back(view.width);
  const std::size_t columns = std::accumulate(widths_.begin(), widths_.end(), std::size_t{0});
  panels_ = (columns + kColumns - 1) / kColumns;
  rows_.resize(panels_ * units * kColumns);
  std::size_t column = 0;
  for (const RowsView& view : views) {
    for (std::size_t i = 0; i < view.width; ++i, ++column) {
      double* to = rows_.data() + column / kColumns * units * kColumns + column % kColumns;
      for (std::size_t unit = 0; unit < units; ++unit) to[unit * kColumns] = view.data[unit * view.width + i];
    }
  }
}

std::vector<std::vector<double>> WeightedSums::make_matrices(std::size_t samples) const {
  std::vector<std::vector<double>> matrices;
  for (const std::size_t width : widths_) matrices.emplace_back(samples * width);
  return matrices;
}

void WeightedSums::fill(const std::uint32_t* weights, std::size_t first_sample, std::size_t samples,
                        std::vector<std::vector<double>>& matrices) const {
  for (std::size_t done = 0; done < samples; done += kSamples) {
    fill_few(weights + done * units_, first_sample + done, std::min(kSamples, samples - done), matrices);
  }
}

void WeightedSums::fill_few(const std::uint32_t* weights, std::size_t first_sample, std::size_t samples,
                            std::vector<std::vector<double>>& matrices) const {
  struct Panel {
    PanelSums sums = {};
  };
  std::vector<Panel> panels(panels_);
  TileWeights tile_weights;
  for (std::size_t begin = 0; begin < units_; begin += kTile) {
    const std::size_t count = std::min(kTile, units_ - begin);
    read_weights(weights + begin, units_, samples, count, tile_weights);
    for (std::size_t panel = 0; panel < panels_; ++panel) {
      add_tile(rows_.data() + (panel * units_ + begin) * kColumns, tile_weights, count, panels[panel].sums);
    }
  }
  for (std::size_t sample = 0; sample < samples; ++sample) {
    std::size_t column = 0;
    for (std::size_t view = 0; view < widths_.size(); ++view) {
      double* out = matrices[view].data() + (first_sample + sample) * widths_[view];
      for (std::size_t i = 0; i < widths_[view]; ++i, ++column)
        out[i] = panels[column / kColumns].sums[sample][column % kColumns];
    }
  }
}

}  // namespace capella::stats
