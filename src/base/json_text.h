// JSON documents as text, whatever bytes their strings hold.
#pragma once

#include <string>

namespace capella {

/// The document as text, in one line unless `indent` is given. The readers reject invalid UTF-8, but paths,
/// names of systems and ids may be any bytes: invalid ones become U+FFFD.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace capella
