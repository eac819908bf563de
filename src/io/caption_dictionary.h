// A dictionary: {"7": "a dog", "8": ["a red bus", "the bus"]}. Also any JSON object that is nothing else.
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_caption_dictionary(const Source& source, const ReadOptions&);
CaptionTable read_caption_dictionary(const Source& source, const ReadOptions& options);

}  // namespace capella::io
