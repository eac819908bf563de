#include "resource/sha256.h"

#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nettle/sha2.h>

namespace capella::resource {

std::string sha256(std::string_view bytes) {
  sha256_ctx state;
  ::sha256_init(&state);
  ::sha256_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  ::sha256_digest(&state, sizeof digest, digest);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace capella::resource
