// Data packages: getting and finding them.
#include "capella/data.h"

#include <nanobind/stl/string.h>

#include "bindings.h"

namespace capella::python {
namespace {

std::string get_package(const std::string& name, const std::string& source, const std::string& python) {
  GetDataOptions options;
  options.from = source;
  options.python = python;
  get_data(name, options);
  return data_path(name);
}

}  // namespace

void bind_data(nb::module_& module) {
  using namespace nb::literals;
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  module.def("get_data", get_package, "name"_a, "source"_a, "python"_a, Unlocked());
  module.def(
      "data_path", [](const std::string& name) { return data_path(name); }, "name"_a);
}

}  // namespace capella::python
