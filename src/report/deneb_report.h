// How a learned metric was trained, for people and for programs.
#pragma once

#include <string>

#include "capella/deneb.h"

#include "report/table.h"

namespace capella::report {

/// One row per epoch; JSON, the text table and Markdown tell of the network too.
std::string format_deneb(const DenebTrained& trained, Format format);

/// Agreement with people and loss, epoch by epoch.
std::string draw_deneb(const DenebTrained& trained);

}  // namespace capella::report
