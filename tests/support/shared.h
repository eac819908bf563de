// Test data that is not part of the repository: golden values of reference programs and real captions.
//
// It is looked for in $CAPELLA_TEST_DATA, else in ../shared beside the repository. A test that needs it skips
// with one clear line when it is absent; with CAPELLA_REQUIRE_SHARED=1 it fails instead.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace capella::testing {

/// The file or folder, e.g. shared_data("golden/golden_ptb.tsv"); nothing if it is not there.
std::optional<std::filesystem::path> shared_data(std::string_view relative);

bool shared_is_required();

}  // namespace capella::testing

/// Declares `variable` as the path of a shared file, or ends the test.
#define CAPELLA_NEED_SHARED(variable, relative)                                                              \
  const auto variable##_found = ::capella::testing::shared_data(relative);                                   \
  if (!variable##_found) {                                                                                   \
    if (::capella::testing::shared_is_required()) FAIL() << "required test data is missing: " << (relative); \
    GTEST_SKIP() << "test data is not here: " << (relative);                                                 \
  }                                                                                                          \
  const std::filesystem::path& variable = *variable##_found
