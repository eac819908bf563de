// COCO annotations: {"images": [{"id": 7}, ...], "annotations": [{"image_id": 7, "caption": "a dog"}, ...]}.
// Items come in the order of `images`; without that list, in the order of their first annotation.
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_coco_annotations(const Source& source, const ReadOptions&);
CaptionTable read_coco_annotations(const Source& source, const ReadOptions& options);

}  // namespace capella::io
