// Ids of items as other programs write them: with a decimal point, padded with zeros, as names of image
// files.
#pragma once

#include <optional>
#include <string_view>

#include "io/caption_table.h"

namespace capella::io {

bool is_digits(std::string_view text);
std::string_view without_zeros(std::string_view digits);

/// The number in a name such as 000000000042, 000042 or COCO_val2014_000000000042.
std::optional<std::string_view> coco_number(std::string_view stem);

/// The number of an id that is one, or the name or path of an image file that COCO numbers:
/// 42 for 42, 000042, 42.jpg and COCO_val2014_000000000042.jpg. Any other id stays as it is.
std::string_view coco_id(std::string_view id);

/// Puts coco_id() in the place of each id.
void number_ids(CaptionTable& table);

/// pandas writes whole numbers as 42.0 when a column has a gap. Where all ids look so, they become 42.
void drop_decimal_zeros(CaptionTable& table);

}  // namespace capella::io
