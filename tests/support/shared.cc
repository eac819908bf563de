#include "support/shared.h"

namespace capella::testing {

std::optional<std::filesystem::path> shared_data(std::string_view relative) {
  const char* folder = std::getenv("CAPELLA_TEST_DATA");
  const std::filesystem::path root = folder != nullptr && *folder != '\0' ? folder : CAPELLA_DEFAULT_SHARED;
  std::filesystem::path path = root / relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

bool shared_is_required() {
  const char* value = std::getenv("CAPELLA_REQUIRE_SHARED");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace capella::testing
