// On a GPU the numbers of draw.h are computed with torch's operations on 64-bit integers, whose products wrap
// around as C++'s unsigned ones do; its shift to the right keeps the sign, so that the bits shifted in are
// cut off.
#include "torch/dropout.h"

#include <algorithm>

#include <ATen/Parallel.h>

#include "torch/draw.h"

namespace capella::plugin {
namespace {

constexpr std::int64_t kDrawnAhead = std::int64_t{1} << 22;
constexpr std::int64_t kFew = 4096;  // for so few, nothing is drawn ahead

std::int64_t wrapped(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}

torch::Tensor shifted_right(const torch::Tensor& bits, std::int64_t by) {
  return bits.bitwise_right_shift(by).bitwise_and_((std::int64_t{1} << (64 - by)) - 1);
}

torch::Tensor drawn_here(std::uint64_t key, std::int64_t begin, std::int64_t count) {
  torch::Tensor bits = torch::empty({count}, torch::kInt64);
  auto* out = bits.data_ptr<std::int64_t>();
  at::parallel_for(0, count, 1 << 14, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i)
      out[i] = wrapped(mixed(key, static_cast<std::uint64_t>(begin + i)) >> 32);
  });
  return bits;
}

}  // namespace

torch::Tensor drawn_by_torch(std::uint64_t key, std::int64_t begin, std::int64_t count,
                             torch::Device device) {
  const auto options = torch::TensorOptions(device).dtype(torch::kInt64);
  torch::Tensor z = torch::arange(begin + 1, begin + count + 1, options);
  z.mul_(wrapped(0x9E3779B97F4A7C15u)).add_(wrapped(key));
  z.bitwise_xor_(shifted_right(z, 30)).mul_(wrapped(0xBF58476D1CE4E5B9u));
  z.bitwise_xor_(shifted_right(z, 27)).mul_(wrapped(0x94D049BB133111EBu));
  z.bitwise_xor_(shifted_right(z, 31));
  return shifted_right(z, 32);
}

torch::Tensor Dropout::draws(std::int64_t count, torch::Device device) {
  const std::int64_t begin = next_;
  next_ += count;
  if (device.is_cpu()) return drawn_here(key_, begin, count);
  if (!pool_.defined() || next_ > pool_begin_ + pool_.size(0)) {
    pool_begin_ = begin;
    pool_ = drawn_by_torch(key_, begin, count <= kFew ? count : std::max(count, kDrawnAhead), device);
  }
  return pool_.narrow(0, begin - pool_begin_, count);
}

torch::Tensor Dropout::operator()(const torch::Tensor& values) {
  if (share_ <= 0) return values;
  const torch::Tensor bits = draws(values.numel(), values.device());
  const torch::Tensor kept = bits.ge(static_cast<std::int64_t>(share_ * 0x1p32)).view(values.sizes());
  return values * (kept.to(values.scalar_type()) * (1 / (1 - share_)));
}

torch::Tensor Dropout::dropped(std::int64_t count, double share, torch::Device device) {
  if (share <= 0) return torch::zeros({count}, torch::TensorOptions(device).dtype(torch::kBool));
  return draws(count, device).lt(static_cast<std::int64_t>(share * 0x1p32));
}

}  // namespace capella::plugin
