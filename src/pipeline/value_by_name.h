// Choices that are made by name.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "capella/error.h"

#include "base/names.h"

namespace capella::pipeline {

template <class Value, std::size_t count>
using NamedValues = std::array<std::pair<std::string_view, Value>, count>;

/// The value that goes with a name; throws UsageError for another name. `what` it is goes into the message.
template <class Value, std::size_t count>
Value value_by_name(std::string_view what, std::string_view name, const NamedValues<Value, count>& values) {
  std::vector<std::string_view> names;
  for (const auto& [known, value] : values) {
    if (known == name) return value;
    names.push_back(known);
  }
  throw UsageError(unknown_name_message(what, name, names));
}

}  // namespace capella::pipeline
