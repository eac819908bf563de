#include "reference/resize_bicubic_reference.h"

#include <cmath>

namespace capella::reference {
namespace {

// Keys, "Cubic convolution interpolation", 1981, with a = -1/2, multiplied out.
double keys(double x) {
  x = std::fabs(x);
  if (x < 1) return 1.5 * x * x * x - 2.5 * x * x + 1;
  if (x < 2) return -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2;
  return 0;
}

long to_fixed_point(double weight) {
  return std::lround(weight * 4194304.0);  // 2^22
}

// One sample of a resized line; `sample(x)` are the old ones. The centre and the reach are in old pixels.
template <class Sample>
int resized_sample(int place, int from, int to, Sample sample) {
  if (from == to) return sample(place);
  const double scale = static_cast<double>(from) / to;
  const double widened = scale > 1 ? scale : 1;
  const double centre = (place + 0.5) * scale;
  double all = 0;
  const auto weight = [&](int x) { return keys((x + 0.5 - centre) / widened); };
  const auto counts = [&](int x) {
    return x >= std::floor(centre - 2 * widened + 0.5) && x < std::floor(centre + 2 * widened + 0.5);
  };
  for (int x = 0; x < from; ++x) {
    if (counts(x)) all += weight(x);
  }
  long long sum = 2097152;  // one half
  for (int x = 0; x < from; ++x) {
    if (counts(x)) sum += to_fixed_point(weight(x) / all) * sample(x);
  }
  const double value = std::floor(static_cast<double>(sum) / 4194304.0);
  return value < 0 ? 0 : value > 255 ? 255 : static_cast<int>(value);
}

}  // namespace

std::vector<std::uint8_t> resize_bicubic(const std::vector<std::uint8_t>& pixels, int width, int height,
                                         int new_width, int new_height) {
  std::vector<std::uint8_t> wide;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < new_width; ++x) {
      for (int c = 0; c < 3; ++c)
        wide.push_back(static_cast<std::uint8_t>(
            resized_sample(x, width, new_width, [&](int old) { return pixels[(y * width + old) * 3 + c]; })));
    }
  }
  std::vector<std::uint8_t> out;
  for (int y = 0; y < new_height; ++y) {
    for (int x = 0; x < new_width; ++x) {
      for (int c = 0; c < 3; ++c)
        out.push_back(static_cast<std::uint8_t>(resized_sample(
            y, height, new_height, [&](int old) { return wide[(old * new_width + x) * 3 + c]; })));
    }
  }
  return out;
}

}  // namespace capella::reference
