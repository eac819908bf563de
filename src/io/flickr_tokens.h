// Flickr8k.token.txt: lines of ID#K, a tab, a caption; K numbers the captions of an image.
#pragma once

#include "io/format.h"

namespace capella::io {

bool is_flickr_tokens(const Source& source);
CaptionTable read_flickr_tokens(const Source& source, const ReadOptions& options);

}  // namespace capella::io
