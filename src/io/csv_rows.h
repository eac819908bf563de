// CSV or TSV with a header that names an id column and a caption column; other columns are ignored.
// A cell may hold a list of captions, as JSON or as Python writes it. Several captions may also have a column
// each: caption_1, caption_2, ...
#pragma once

#include <string>

#include "io/format.h"

namespace capella::io {

bool is_csv_rows(const Source& source, const ReadOptions& options);
CaptionTable read_csv_rows(const Source& source, const ReadOptions& options);

/// Which column the header in the first line lacks, and what to do.
std::string csv_header_problem(const Source& source, const ReadOptions& options);

}  // namespace capella::io
