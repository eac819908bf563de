#include "io/caption_dictionary.h"

#include "io/json_rows.h"
#include "io/problems.h"

namespace capella::io {

bool is_caption_dictionary(const Source& source) {
  return source.json && source.json->root.is_object();
}

CaptionTable read_caption_dictionary(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder builder(source.name);
  builder.keep(source.json);
  builder.set_locator(json_locator(source.text, source.content, {}));
  Problems problems(options.skip_bad);
  std::size_t ordinal = 0;
  for (const auto& [id, captions] : simdjson::dom::object(source.json->root)) {
    std::string problem = id.empty() ? "the id is empty, expected a name or a number"
                                     : add_captions(id, captions, ordinal, {builder});
    if (!problem.empty()) problems.add(ordinal, id, std::move(problem));
    ++ordinal;
  }
  builder.set_skipped(problems.settle(source.name, builder.table().locate));
  return builder.build();
}

}  // namespace capella::io
