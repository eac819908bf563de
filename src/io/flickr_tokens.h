// Flickr8k.token.txt: lines of ID#K, a tab, a caption; K numbers the captions of an image.
#pragma once

#include "io/format.h"

namespace capella::io {

struct TokenLine {
  std::string_view key;  ///< ID#K
  std::string_view id;
  std::string_view caption;
};

/// Takes ID#K<TAB>caption apart; false if the line has another form.
bool split_token_line(std::string_view line, TokenLine& parts);

bool is_flickr_tokens(const Source& source, const ReadOptions&);
CaptionTable read_flickr_tokens(const Source& source, const ReadOptions& options);

}  // namespace capella::io
