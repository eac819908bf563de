// JSON lines: one row object per line. Each line is parsed by itself, so one bad line does not spoil the
// others.
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_json_lines(const Source& source, const ReadOptions&);
CaptionTable read_json_lines(const Source& source, const ReadOptions& options);

}  // namespace capella::io
