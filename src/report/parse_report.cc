#include "report/parse_report.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "report/json_value.h"
#include "report/scene_picture.h"
#include "syntax/conll.h"

namespace capella::report {
namespace {

std::string json_lines(std::span<const ParsedCaption> captions) {
  std::string out;
  for (const ParsedCaption& caption : captions) {
    Json line = Json::object();
    if (!caption.id.empty()) line["id"] = caption.id;
    line["text"] = caption.text;
    line["tuples"] = caption.tuples;
    out += dump(line, -1) + '\n';
  }
  return out;
}

std::string conll(std::span<const ParsedCaption> captions) {
  std::vector<syntax::ParsedCaption> trees;
  for (const ParsedCaption& caption : captions) {
    syntax::ParsedCaption& own = trees.emplace_back();
    own.text = caption.text;
    for (const ParsedSentence& sentence : caption.sentences) {
      syntax::Tree& tree = own.sentences.emplace_back();
      for (const ParsedWord& word : sentence)
        tree.tokens.push_back({word.word, word.lemma, word.tag, word.head, word.relation});
    }
  }
  return syntax::write_trees(trees);
}

// A text as GraphViz reads it.
std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + '"';
}

// Names nodes c0_0, c0_1 ... within a caption: objects by their words, the others one by one.
class DotCaption {
 public:
  DotCaption(const ParsedCaption& caption, std::size_t number) : caption_(caption), number_(number) {}

  std::string text() {
    std::string out = fmt::format("  subgraph cluster_{} {{\n    label={};\n", number_, quote(caption_.text));
    for (const auto& tuple : caption_.tuples) {
      if (tuple.size() == 1)
        out += node(objects_[tuple[0]] = next(), tuple[0], "box, style=filled, fillcolor=\"#cfe3f5\"");
    }
    for (const auto& tuple : caption_.tuples) {
      const std::string middle = tuple.size() > 1 ? next() : "";
      if (tuple.size() == 2) {
        out += node(middle, tuple[1], "ellipse, style=filled, fillcolor=\"#d9f0e3\"");
        out += fmt::format("    {} -> {} [arrowhead=none];\n", object(tuple[0]), middle);
      } else if (tuple.size() == 3) {
        out += node(middle, tuple[1], "plaintext");
        out += fmt::format("    {} -> {} [arrowhead=none];\n    {} -> {};\n", object(tuple[0]), middle,
                           middle, object(tuple[2]));
      }
    }
    return out + "  }\n";
  }

 private:
  std::string next() { return fmt::format("c{}_{}", number_, nodes_++); }
  static std::string node(const std::string& name, const std::string& label, std::string_view shape) {
    return fmt::format("    {} [label={}, shape={}];\n", name, quote(label), shape);
  }
  const std::string& object(const std::string& words) { return objects_.at(words); }

  const ParsedCaption& caption_;
  std::size_t number_;
  std::size_t nodes_ = 0;
  std::map<std::string, std::string> objects_;
};

std::string dot(std::span<const ParsedCaption> captions) {
  std::string out = "digraph scenes {\n  node [fontname=\"sans-serif\"];\n  rankdir=LR;\n";
  for (std::size_t i = 0; i < captions.size(); ++i) out += DotCaption(captions[i], i).text();
  return out + "}\n";
}

}  // namespace

ParseFormat parse_format_by_name(std::string_view name) {
  const auto found = std::ranges::find(kParseFormatNames, name);
  if (found == std::end(kParseFormatNames)) {
    throw UsageError(unknown_name_message("format", name, kParseFormatNames));
  }
  return static_cast<ParseFormat>(found - std::begin(kParseFormatNames));
}

std::string format_parses(std::span<const ParsedCaption> captions, ParseFormat format) {
  switch (format) {
    case ParseFormat::conll:
      return conll(captions);
    case ParseFormat::dot:
      return dot(captions);
    case ParseFormat::svg:
      return draw_scenes(captions);
    case ParseFormat::graph:
      break;
  }
  return json_lines(captions);
}

}  // namespace capella::report
