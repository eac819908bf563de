#include "base/random.h"

#include <array>
#include <cmath>

namespace capella {
namespace {

using Wide = unsigned __int128;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) {
  return static_cast<Wide>(high) << 64 | low;
}

constexpr Wide kMultiplier = wide(0x2360ED051FC65DA4u, 0x4385DF649FCCF645u);

// numpy's SeedSequence (after O'Neill's seed_seq): a pool of four 32-bit words into which the seed is hashed.
class SeedSequence {
 public:
  explicit SeedSequence(std::uint64_t seed) {
    const std::array<std::uint32_t, 4> entropy = {static_cast<std::uint32_t>(seed),
                                                  static_cast<std::uint32_t>(seed >> 32), 0, 0};
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = hash(entropy[i]);
    for (std::size_t from = 0; from < pool_.size(); ++from) {
      for (std::size_t to = 0; to < pool_.size(); ++to) {
        if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
      }
    }
  }

  std::uint64_t next() {
    const std::uint64_t low = next32();
    return low | static_cast<std::uint64_t>(next32()) << 32;
  }

 private:
  std::uint32_t hash(std::uint32_t value) {
    value ^= hash_;
    hash_ *= 0x931E8875u;
    value *= hash_;
    return value ^ value >> 16;
  }

  static std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t result = 0xCA01F9DDu * x - 0x4973F715u * y;
    return result ^ result >> 16;
  }

  std::uint32_t next32() {
    std::uint32_t value = pool_[at_++ % pool_.size()] ^ output_hash_;
    output_hash_ *= 0x58F38DEDu;
    value *= output_hash_;
    return value ^ value >> 16;
  }

  std::array<std::uint32_t, 4> pool_;
  std::uint32_t hash_ = 0x43B0D7E5u;
  std::uint32_t output_hash_ = 0x8B51F9DDu;
  std::size_t at_ = 0;
};

}  // namespace

Random::Random(std::uint64_t seed) {
  SeedSequence words(seed);
  const std::uint64_t state_high = words.next();
  const std::uint64_t state_low = words.next();
  const std::uint64_t stream_high = words.next();
  const std::uint64_t stream_low = words.next();
  increment_ = wide(stream_high, stream_low) << 1 | 1;
  state_ = (increment_ + wide(state_high, state_low)) * kMultiplier + increment_;
}

std::uint64_t Random::next() {
  state_ = state_ * kMultiplier + increment_;
  const std::uint64_t folded = static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
  const unsigned turn = static_cast<unsigned>(state_ >> 122);
  return folded >> turn | folded << (-turn & 63);
}

std::uint32_t Random::next32() {
  if (has_half_) {
    has_half_ = false;
    return half_;
  }
  const std::uint64_t both = next();
  half_ = static_cast<std::uint32_t>(both >> 32);
  has_half_ = true;
  return static_cast<std::uint32_t>(both);
}

// Lemire's method: the high half of a product, with the few products left out that would favour some numbers.
std::uint32_t Random::below(std::uint32_t bound) {
  if (bound == 1) return 0;  // numpy draws nothing here
  std::uint64_t product = static_cast<std::uint64_t>(next32()) * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t unfair = -bound % bound;
    while (static_cast<std::uint32_t>(product) < unfair)
      product = static_cast<std::uint64_t>(next32()) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double Random::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

void Random::coins(std::span<std::uint8_t> out) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    bits = i % 32 == 0 ? next32() : bits >> 1;
    out[i] = bits & 1;
  }
}

double Random::normal() {
  for (;;) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const double square = x * x + y * y;
    if (square < 1 && square > 0) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

}  // namespace capella
