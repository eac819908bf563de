// Plain text: one caption per line, no ids. Line n belongs to item n, so empty lines are captions, too.
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_plain_lines(const Source& source, const ReadOptions&);
CaptionTable read_plain_lines(const Source& source, const ReadOptions& options);

}  // namespace capella::io
