// The extension module capella._core. The typed package around it is what users see.
#include "capella/version.h"

#include "bindings.h"

NB_MODULE(_core, module) {
  using namespace capella::python;
  module.attr("__version__") = nb::str(capella::kVersion.data(), capella::kVersion.size());
  bind_errors(module);
  bind_dataset(module);
  bind_result(module);
  bind_score(module);
  bind_statistics(module);
  bind_composite(module);
  bind_pregen(module);
  bind_deneb(module);
  bind_adapter(module);
  bind_logic(module);
  bind_mln_stages(module);
  bind_mln(module);
  bind_reward(module);
  bind_parse(module);
  bind_tools(module);
  bind_data(module);
}
