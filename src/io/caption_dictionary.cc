#include "io/caption_dictionary.h"

#include "io/json_rows.h"
#include "io/json_table.h"
#include "io/wrapped_rows.h"

namespace capella::io {

bool is_caption_dictionary(const Source& source, const ReadOptions&) {
  return source.json && source.json->root.is_object();
}

CaptionTable read_caption_dictionary(const Source& source, const ReadOptions& options) {
  const auto add = [](const simdjson::dom::key_value_pair& member, std::size_t ordinal,
                      CaptionTableBuilder& builder, std::string_view& id) -> std::string {
    id = member.key;
    if (id.empty()) return "the id is empty, expected a name or a number";
    return add_captions(id, member.value, ordinal, {builder});
  };
  const WrappedRows rows = rows_of(source, options.columns());
  return read_json_rows(source, rows.path, simdjson::dom::object(rows.value), options.skip_bad, add);
}

}  // namespace capella::io
