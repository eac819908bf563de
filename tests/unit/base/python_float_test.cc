#include "base/python_float.h"

#include <limits>

#include <gtest/gtest.h>

namespace capella {
namespace {

// As repr() of Python 3 writes them.
TEST(PythonFloat, IsRepr) {
  EXPECT_EQ(python_float(0), "0.0");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(1), "1.0");
  EXPECT_EQ(python_float(0.1), "0.1");
  EXPECT_EQ(python_float(2. / 3), "0.6666666666666666");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(0.00001), "1e-05");
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(1.5e300), "1.5e+300");
  EXPECT_EQ(python_float(5e-324), "5e-324");
  EXPECT_EQ(python_float(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(python_float(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(python_float(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace capella
