// CSV or TSV with a header that names an id column and a caption column; other columns are ignored.
// A cell of `captions` or `references` may be a JSON list of strings.
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_csv_rows(const Source& source);
CaptionTable read_csv_rows(const Source& source, const ReadOptions& options);

}  // namespace capella::io
