// The names and the order of the pre-gen metrics against the header of the authors' published data.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "method/pregen/metrics.h"
#include "support/shared.h"

namespace capella::test {
namespace {

TEST(PregenGolden, NamesAndOrder) {
  CAPELLA_NEED_SHARED(path, "data/pregen/data.txt");
  std::ifstream file(path);
  std::string header;
  std::getline(file, header);
  std::istringstream columns(header);
  std::vector<std::string> names;
  for (std::string name; std::getline(columns, name, '\t');) names.push_back(name);
  const std::vector<std::string>& ours = method::pregen::metric_names();
  ASSERT_EQ(names.size(), 9 + ours.size());
  EXPECT_EQ(names[8], "WMD");
  EXPECT_EQ(std::vector(names.begin() + 9, names.end()), ours);
}

}  // namespace
}  // namespace capella::test
