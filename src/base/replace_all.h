// Replacing text inside text.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace capella {

/// The text with each `from` replaced by `to`, left to right, as Python's str.replace has it. `from` must not
/// be empty.
template <class Char>
std::basic_string<Char> replace_all(std::basic_string_view<Char> text,
                                    std::type_identity_t<std::basic_string_view<Char>> from,
                                    std::type_identity_t<std::basic_string_view<Char>> to) {
  std::basic_string<Char> out;
  std::size_t done = 0;
  for (std::size_t place = text.find(from); place != text.npos; place = text.find(from, done)) {
    out.append(text, done, place - done).append(to);
    done = place + from.size();
  }
  return out.append(text, done);
}

}  // namespace capella
