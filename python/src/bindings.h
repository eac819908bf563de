// What the extension module is made of: one function per topic adds its classes and functions.
#pragma once

#include <nanobind/nanobind.h>

namespace capella::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_dataset(nb::module_& module);
void bind_result(nb::module_& module);
void bind_score(nb::module_& module);
void bind_statistics(nb::module_& module);
void bind_composite(nb::module_& module);
void bind_pregen(nb::module_& module);
void bind_deneb(nb::module_& module);
void bind_adapter(nb::module_& module);
void bind_logic(nb::module_& module);
void bind_mln(nb::module_& module);
void bind_mln_stages(nb::module_& module);
void bind_reward(nb::module_& module);
void bind_parse(nb::module_& module);
void bind_tools(nb::module_& module);
void bind_data(nb::module_& module);

}  // namespace capella::python
