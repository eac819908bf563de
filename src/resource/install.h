// Installing data packages: fetched, proved, converted, and put into place whole or not at all.
#pragma once

#include "capella/data.h"

#include "resource/packages.h"

namespace capella::resource {

/// See get_data().
bool install(const Package& package, const GetDataOptions& options);

}  // namespace capella::resource
