// Captions as Python users hold them, turned into the readers' table.
//
//   "refs.json", Path("hyps.jsonl.gz")                              any file the readers know
//   {7: "a dog"}, {"7": ["a dog", "the dog"]}                       id -> caption or captions
//   [{"image_id": 7, "caption": "a dog"}, ...]                      rows; also captions, or test and refs
//   ["a dog", ...], [["a dog", "the dog"], ...]                     without ids, joined by position
//   {"images": [...], "annotations": [...]}                         a JSON document that was already parsed
#pragma once

#include <string>

#include "io/caption_table.h"
#include "io/format.h"
#include "strings.h"

namespace capella::python {

/// `source` is how messages name captions in memory. A caption of another type than str is a TypeError that
/// names its id, and is left out and listed instead with options.skip_bad.
io::CaptionTable table_of(nb::handle captions, const std::string& source, const io::ReadOptions& options);

}  // namespace capella::python
