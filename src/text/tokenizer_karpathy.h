// The tokens of Karpathy's dataset.json files (Flickr8k, Flickr30k, COCO), which caption generators learn
// from: made from the raw captions, as the files' `tokens` are.
#pragma once

#include <string>
#include <string_view>

namespace capella::text {

/// Appends the caption's tokens to `out`, joined by single spaces: lower case; cut at blanks and at each of
/// - / , and with each of . ! ? ; ' " deleted. All other marks stay, so `&` is a word and `(left)` is another
/// than `left`.
void tokenize_karpathy(std::string_view caption, std::string& out);

}  // namespace capella::text
