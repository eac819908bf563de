#include "capella/data.h"

#include "resource/install.h"

namespace capella {

bool get_data(std::string_view name, const GetDataOptions& options) {
  return resource::install(resource::package_by_name(name), options);
}

}  // namespace capella
