// Finding a list among the members of a JSON object.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "io/json_document.h"

namespace capella::io {

struct JsonMember {
  simdjson::dom::array list;
  std::size_t ordinal;  ///< the member's place in the object, for lines_of_children
};

/// The member `name` of `root`, if root is an object that has it and it is a list.
inline std::optional<JsonMember> find_list(element root, std::string_view name) {
  simdjson::dom::object object;
  if (root.get(object)) return std::nullopt;
  std::size_t ordinal = 0;
  for (const auto& [key, value] : object) {
    simdjson::dom::array list;
    if (key == name && !value.get(list)) return JsonMember{list, ordinal};
    ++ordinal;
  }
  return std::nullopt;
}

}  // namespace capella::io
