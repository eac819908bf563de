#include "io/flickr_tokens.h"

#include "base/names.h"
#include "io/problems.h"
#include "io/text_lines.h"

namespace capella::io {

bool split_token_line(std::string_view line, TokenLine& parts) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return false;
  const std::string_view key = line.substr(0, tab);
  const std::size_t hash = key.rfind('#');
  if (hash == std::string_view::npos || hash == 0 || hash + 1 == key.size()) return false;
  if (key.find_first_not_of("0123456789", hash + 1) != std::string_view::npos) return false;
  parts = {key, key.substr(0, hash), line.substr(tab + 1)};
  return true;
}

bool is_flickr_tokens(const Source& source, const ReadOptions&) {
  const std::size_t begin = source.content.find_first_not_of("\r\n");
  const std::size_t end = source.content.find('\n', begin);
  TokenLine parts;
  return split_token_line(source.content.substr(begin, end - begin), parts);
}

CaptionTable read_flickr_tokens(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder builder(source.name);
  builder.keep(source.text);
  Problems problems(options.skip_bad);
  for_each_line(source.content, [&](std::string_view line, std::size_t number) {
    TokenLine parts;
    if (is_blank(line)) return;
    if (split_token_line(line, parts)) {
      builder.add_view(parts.id, parts.caption, number);
    } else {
      problems.add(number, "", "the line is not of the form ID#NUMBER<TAB>CAPTION: " + excerpt(line));
    }
  });
  builder.set_skipped(problems.settle(source.name, {}));
  return builder.build();
}

}  // namespace capella::io
