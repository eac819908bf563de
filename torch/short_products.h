// Products on a GPU's tensor cores: factors are rounded to 10 bits behind the point (TF32), several times as
// fast as whole floats, and good enough to learn from.
#pragma once

#include <ATen/Context.h>

namespace capella::plugin {

/// While it lives. One setting for the whole program: what compares numbers has none of these.
class ShortProducts {
 public:
  ShortProducts() : before_(at::globalContext().allowTF32CuBLAS()) {
    at::globalContext().setAllowTF32CuBLAS(true);
  }
  ~ShortProducts() { at::globalContext().setAllowTF32CuBLAS(before_); }
  ShortProducts(const ShortProducts&) = delete;
  ShortProducts& operator=(const ShortProducts&) = delete;

 private:
  bool before_;
};

}  // namespace capella::plugin
