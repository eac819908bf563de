#include "encoder/resize_bicubic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace capella::encoder {
namespace {

constexpr int kFraction = 22;  // bits of a weight behind the point; 8 bits and a sign fit before it
constexpr double kReach = 2.0;

// The cubic convolution kernel of Keys with a = -1/2.
double cubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * a;
  return 0.0;
}

// Which pixels of a line make one pixel of the resized line.
struct Blend {
  std::size_t first = 0;
  std::vector<std::int32_t> weights;
};

Blend blend_of(std::size_t place, std::size_t from, std::size_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double stretch = std::max(scale, 1.0);
  const double centre = (static_cast<double>(place) + 0.5) * scale;
  const double reach = kReach * stretch;
  Blend blend;
  blend.first = static_cast<std::size_t>(std::max(centre - reach + 0.5, 0.0));
  const std::size_t end = std::min(static_cast<std::size_t>(centre + reach + 0.5), from);
  std::vector<double> weights;
  double sum = 0.0;
  for (std::size_t x = blend.first; x < end; ++x) {
    weights.push_back(cubic((static_cast<double>(x) - centre + 0.5) * (1.0 / stretch)));
    sum += weights.back();
  }
  for (const double weight : weights) {
    const double scaled = weight / sum * (1 << kFraction);
    blend.weights.push_back(static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5));
  }
  return blend;
}

// The blends of consecutive places; one pixel each where a line keeps its length.
std::vector<Blend> blends_of(std::size_t first, std::size_t count, std::size_t from, std::size_t to) {
  std::vector<Blend> blends;
  for (std::size_t place = first; place < first + count; ++place)
    blends.push_back(from == to ? Blend{place, {1 << kFraction}} : blend_of(place, from, to));
  return blends;
}

std::uint8_t rounded(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kFraction, 0, 255));
}

constexpr std::int32_t kHalf = 1 << (kFraction - 1);

void blend_columns(const std::uint8_t* row, const std::vector<Blend>& blends, std::uint8_t* out) {
  for (const Blend& blend : blends) {
    const std::uint8_t* pixel = row + 3 * blend.first;
    std::int32_t sums[3] = {kHalf, kHalf, kHalf};
    for (const std::int32_t weight : blend.weights) {
      for (int c = 0; c < 3; ++c) sums[c] += *pixel++ * weight;
    }
    for (const std::int32_t sum : sums) *out++ = rounded(sum);
  }
}

// `rows` are those from number `first_row` on.
void blend_rows(const std::vector<std::uint8_t>& rows, std::size_t first_row, const Blend& blend,
                std::vector<std::int32_t>& sums, std::uint8_t* out) {
  std::ranges::fill(sums, kHalf);
  const std::uint8_t* row = rows.data() + (blend.first - first_row) * sums.size();
  for (const std::int32_t weight : blend.weights) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row[i] * weight;
    row += sums.size();
  }
  std::ranges::transform(sums, out, rounded);
}

}  // namespace

io::Image resize_bicubic(const io::Image& image, std::size_t width, std::size_t height,
                         const Window& window) {
  const auto columns = blends_of(window.left, window.width, image.width, width);
  const auto lines = blends_of(window.top, window.height, image.height, height);
  const std::size_t first_row = lines.front().first;
  const std::size_t end_row = lines.back().first + lines.back().weights.size();
  const std::size_t stride = 3 * window.width;
  std::vector<std::uint8_t> rows((end_row - first_row) * stride);
  for (std::size_t y = first_row; y < end_row; ++y)
    blend_columns(image.rgb.data() + 3 * image.width * y, columns, rows.data() + (y - first_row) * stride);
  io::Image out{window.width, window.height, std::vector<std::uint8_t>(stride * window.height),
                image.truncated};
  std::vector<std::int32_t> sums(stride);
  for (std::size_t y = 0; y < window.height; ++y)
    blend_rows(rows, first_row, lines[y], sums, out.rgb.data() + y * stride);
  return out;
}

}  // namespace capella::encoder
