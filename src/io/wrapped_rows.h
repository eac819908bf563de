// Captions that are a member of an object, as many programs write them: {"predictions": [...]}.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "io/column_names.h"
#include "io/source.h"

namespace capella::io {

/// The members that may hold the captions. A list of "annotations" is COCO's, see coco_annotations.h.
inline constexpr std::array<std::string_view, 5> kWrapperNames{"annotations", "predictions", "results",
                                                               "captions", "references"};

struct WrappedRows {
  element value;                  ///< the captions: a list, a dictionary or a row
  std::vector<std::size_t> path;  ///< leads to `value`, for lines_of_children
};

/// The member that holds the captions: a list of rows, a dictionary, or a list of captions that has no other
/// member beside it. Otherwise, and where the text is one row, the whole of it. Throws DataError where
/// several members hold captions.
WrappedRows rows_of(const Source& source, const ColumnNames& columns);

}  // namespace capella::io
