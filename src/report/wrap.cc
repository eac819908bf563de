#include "report/wrap.h"

#include <algorithm>

#include "base/utf8.h"

namespace capella::report {
namespace {

// Where a line has to end: `end` in bytes, and where the next one starts.
struct Cut {
  std::size_t end, next;
};

Cut cut_at(std::string_view line, std::size_t width, LongWords words) {
  Cut cut{0, 0};
  std::size_t at = 0;
  for (std::size_t column = 0; at < line.size(); ++column) {
    if (line[at] == ' ' && at > 0 && line[at - 1] != ' ')
      cut = {at, std::min(line.find_first_not_of(' ', at), line.size())};
    if (line[at] == '|') cut = {at, at};
    if (column >= width && (cut.end > 0 || words == LongWords::cut)) break;
    decode_utf8(line, at);
  }
  return cut.end > 0 ? cut : Cut{at, at};
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return to_code_points(text).size();
}

std::vector<std::string> wrap(std::string_view line, std::size_t width, LongWords words) {
  std::vector<std::string> lines;
  while (width_of(line) > width) {
    const Cut cut = cut_at(line, width, words);
    lines.emplace_back(line.substr(0, cut.end));
    line.remove_prefix(cut.next);
  }
  if (!line.empty() || lines.empty()) lines.emplace_back(line);
  return lines;
}

std::string wrap_lines(std::string_view text, std::size_t width) {
  constexpr std::size_t kNarrowest = 20;
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (width_of(line) <= width || width < indent + kNarrowest) {
      out += line;
    } else {
      const std::string margin(indent, ' ');
      const std::string first = wrap(line.substr(indent), width - indent, LongWords::keep)[0];
      out += margin + first;
      std::string_view rest = line.substr(indent + first.size());
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      if (!rest.empty()) {
        for (const std::string& next : wrap(rest, width - indent - 2, LongWords::keep))
          out += '\n' + margin + "  " + next;
      }
    }
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string fill(std::string_view text, std::size_t width) {
  std::string out, paragraph;
  const auto end_paragraph = [&] {
    if (paragraph.empty()) return;
    for (const std::string& line : wrap(paragraph, width, LongWords::keep)) out += line + '\n';
    paragraph.clear();
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line[0] == ' ') {
      end_paragraph();
      out += std::string(line) + '\n';
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    }
  }
  end_paragraph();
  return out;
}

}  // namespace capella::report
