// Files of one JSON object per line: every reader of such rows says what a row must hold, and the line of
// what does not is named here.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "capella/claim.h"

#include "io/json_document.h"

namespace capella::io {

/// Thrown by those who read a row; whoever walks the rows adds where it is.
struct RowWrong {
  std::string why;
  bool lacks_member = false;  ///< then a message that shows what a row looks like says more
};

/// Calls `take` with every row; lines without text are left out. Throws DataError "FILE:LINE: ..." for what
/// is no JSON object and for what `take` finds wrong. `expected` tells in messages what a row looks like. "-"
/// is standard input.
void read_line_rows(const std::string& path, std::string_view expected,
                    const std::function<void(simdjson::dom::object)>& take);

// All of these throw RowWrong; `name` is how a message calls the value.

/// A member that may be missing or null.
std::optional<element> row_find(simdjson::dom::object row, std::string_view name);
/// A member that must be there.
element row_member(simdjson::dom::object row, std::string_view name);
simdjson::dom::object row_object(element value, std::string_view expected);
/// A text or a whole number, not empty.
std::string row_id(simdjson::dom::object row, std::string_view name);
std::string row_id(element value, std::string_view name);
/// A text that is not blank.
std::string row_text(element value, std::string_view name);
/// A finite number.
double row_number(element value, std::string_view name,
                  double least = -std::numeric_limits<double>::infinity());
simdjson::dom::array row_list(simdjson::dom::object row, std::string_view name);
/// [subject, predicate, object]. `place`: one of many, counted from 1, as in "triplet 2".
Claim row_claim(element value, std::string_view name, std::size_t place = 0);

}  // namespace capella::io
