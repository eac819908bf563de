// JSON lists, by themselves or in an object such as {"predictions": [...]}, and a single row object, which
// counts as a list of one:
//   rows      [{"image_id": 7, "caption": "a dog"}, ...]
//   joint     [{"image_id": 7, "test": "a dog", "refs": ["the dog", ...]}, ...]
//   captions  ["a dog", ...] or [["a dog", "the dog"], ...]    no ids: aligned, as plain lines are
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_row_list(const Source& source, const ReadOptions& options);
CaptionTable read_row_list(const Source& source, const ReadOptions& options);

bool is_joint_list(const Source& source, const ReadOptions& options);
CaptionTable read_joint_list(const Source& source, const ReadOptions& options);

bool is_caption_list(const Source& source, const ReadOptions& options);
CaptionTable read_caption_list(const Source& source, const ReadOptions& options);

}  // namespace capella::io
