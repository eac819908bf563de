// What the public options of reading mean to the readers.
#pragma once

#include "capella/pipeline.h"

#include "io/format.h"

namespace capella::pipeline {

io::ReadOptions table_options(const ReadOptions& options);

}  // namespace capella::pipeline
