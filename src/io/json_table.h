// Reading the rows of a parsed JSON text into a table, the same for every shape.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json_document.h"
#include "io/problems.h"
#include "io/source.h"

namespace capella::io {

/// A builder for rows that are children of the container at `path` (see lines_of_children).
inline CaptionTableBuilder json_builder(const Source& source, std::vector<std::size_t> path) {
  CaptionTableBuilder builder(source.name);
  builder.keep(source.json);
  builder.set_locator(json_locator(source.text, source.content, std::move(path)));
  return builder;
}

/// Calls add(row, ordinal, builder, id) for each of the rows. It returns what is wrong with the row, or an
/// empty string, and sets the id as soon as it is known. Throws DataError for malformed rows, unless they may
/// be skipped.
template <class Rows, class Add>
CaptionTable read_json_rows(const Source& source, std::vector<std::size_t> path, const Rows& rows,
                            bool skip_bad, Add add) {
  CaptionTableBuilder builder = json_builder(source, std::move(path));
  Problems problems(skip_bad);
  std::size_t ordinal = 0;
  for (const auto& row : rows) {
    std::string_view id;
    std::string problem = add(row, ordinal, builder, id);
    if (!problem.empty()) problems.add(ordinal, id, std::move(problem));
    ++ordinal;
  }
  builder.set_skipped(problems.settle(source.name, builder.table().locate, ordinal));
  return builder.build();
}

}  // namespace capella::io
