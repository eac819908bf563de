#include "syntax/conll.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "io/source.h"
#include "io/text_lines.h"

namespace capella::syntax {
namespace {

constexpr std::string_view kNone = "_";
constexpr std::string_view kTextMark = "# text =";

/// Where the columns are; CoNLL-U has more of them than we need.
struct Layout {
  std::size_t columns, tag, head, relation;
};
constexpr Layout kOurs{6, 3, 4, 5};
constexpr Layout kConllU{10, 4, 6, 7};

using Fields = std::array<std::string_view, kConllU.columns>;

/// Cuts the line at tabs; returns how many fields there are, even if they do not all have a place.
std::size_t cut(std::string_view line, Fields& fields) {
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    if (count < fields.size()) fields[count] = line.substr(begin, end - begin);
    begin = end + 1;
  }
  return count;
}

std::optional<int> to_number(std::string_view field) {
  int number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || end != field.data() + field.size() || field.starts_with('-')) return {};
  return number;
}

/// A range such as 1-2 or an empty node such as 1.1.
bool is_extra_row(std::string_view index) {
  const std::size_t mark = index.find_first_of("-.");
  return mark != std::string_view::npos && to_number(index.substr(0, mark)) &&
         to_number(index.substr(mark + 1));
}

class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void take(std::string_view line, std::size_t number) {
    if (io::is_blank(line)) {
      end_block();
    } else if (line.starts_with('#')) {
      if (line.starts_with(kTextMark)) start_caption(line.substr(kTextMark.size()));
    } else {
      take_row(line, number);
    }
  }

  std::vector<ParsedCaption> finish() {
    end_block();
    return std::move(captions_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw DataError(fmt::format("{}:{}: {}", name_, line, what));
  }

  void start_caption(std::string_view text) {
    end_block();
    if (text.starts_with(' ')) text.remove_prefix(1);
    captions_.push_back({std::string(text), {}});
    has_text_ = true;
  }

  void take_row(std::string_view line, std::size_t number) {
    Fields fields;
    const std::size_t count = cut(line, fields);
    if (count != kOurs.columns && count != kConllU.columns) {
      fail(number,
           fmt::format("the line has {} column{}, expected 6 with tabs between them (index, word, lemma, "
                       "tag, head, relation) or the 10 of CoNLL-U: {}",
                       count, count == 1 ? "" : "s", excerpt(line)));
    }
    const Layout& layout = count == kOurs.columns ? kOurs : kConllU;
    if (layout.columns == kConllU.columns && is_extra_row(fields[0])) return;
    check_index(fields[0], number);
    if (tree_.tokens.size() == kLongestTree) {
      fail(number, fmt::format("the sentence has more than {} words, the most that are read; end it with a "
                               "blank line where a sentence ends, or leave it out",
                               kLongestTree));
    }
    if (fields[1].empty()) fail(number, "the word is empty, expected one in the second column");
    add_token(fields, layout, number);
  }

  void check_index(std::string_view field, std::size_t number) const {
    const std::size_t expected = tree_.tokens.size() + 1;
    const std::optional<int> index = to_number(field);
    if (index && static_cast<std::size_t>(*index) == expected) return;
    fail(number,
         fmt::format("the index is '{}', expected {}; words are counted from 1 and a blank line ends a "
                     "sentence",
                     excerpt(field), expected));
  }

  void add_token(const Fields& fields, const Layout& layout, std::size_t number) {
    const auto text = [](std::string_view field) { return std::string(field == kNone ? "" : field); };
    Token token{std::string(fields[1]), text(fields[2]), text(fields[layout.tag]), kNoHead,
                text(fields[layout.relation])};
    if (token.word == kNone) token.lemma = fields[2];
    if (fields[layout.head] != kNone) {
      const std::optional<int> head = to_number(fields[layout.head]);
      if (!head) {
        fail(number,
             fmt::format("the head is '{}', expected the number of a word, 0 for the root or _ for none",
                         excerpt(fields[layout.head])));
      }
      token.head = *head;
    }
    tree_.tokens.push_back(std::move(token));
    lines_.push_back(number);
  }

  void end_block() {
    if (tree_.tokens.empty()) return;
    check_heads();
    check_cycles();
    if (!has_text_) {
      std::string words;
      for (const Token& token : tree_.tokens) words += (words.empty() ? "" : " ") + token.word;
      captions_.push_back({std::move(words), {}});
    }
    captions_.back().sentences.push_back(std::move(tree_));
    tree_ = {};
    lines_.clear();
  }

  /// Every head is a word of the graph, and there is one root if there is a graph.
  void check_heads() const {
    const std::size_t size = tree_.tokens.size();
    std::size_t root = size, in_graph = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const int head = tree_.tokens[i].head;
      if (head == kNoHead) continue;
      ++in_graph;
      if (static_cast<std::size_t>(head) > size) {
        fail(lines_[i],
             fmt::format("the head is {}, but the sentence has {} word{}; expected one of them, 0 or _", head,
                         size, size == 1 ? "" : "s"));
      }
      if (head > 0 && tree_.tokens[static_cast<std::size_t>(head) - 1].head == kNoHead) {
        fail(lines_[i], fmt::format("the head is word {}, which is not in the graph (its own head is _); "
                                    "expected a word that is",
                                    head));
      }
      if (head == 0 && root != size) {
        fail(lines_[i],
             fmt::format("the sentence has a second root, the first is in line {}; expected one word "
                         "with head 0",
                         lines_[root]));
      }
      if (head == 0) root = i;
    }
    if (in_graph > 0 && root == size) {
      fail(lines_.front(), "the sentence has no root; expected one word with head 0");
    }
  }

  /// From every word the heads lead to the root. What was seen on the way from word i is marked i + 1.
  void check_cycles() const {
    std::vector<std::size_t> seen(tree_.tokens.size(), 0);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      std::size_t at = i;
      while (seen[at] == 0) {
        seen[at] = i + 1;
        const int head = tree_.tokens[at].head;
        if (head <= 0) break;
        at = static_cast<std::size_t>(head) - 1;
        if (seen[at] == i + 1) {
          fail(lines_[at],
               fmt::format("word {} depends on itself over its heads; expected a way from it to the "
                           "root",
                           at + 1));
        }
      }
    }
  }

  std::string name_;
  std::vector<ParsedCaption> captions_;
  bool has_text_ = false;  // a "# text" came, so blocks belong to the last caption
  Tree tree_;
  std::vector<std::size_t> lines_;  // of the tree's words
};

void append_field(std::string& out, std::string_view field, bool keep_tabs = false) {
  for (const char c : field) out += c == '\n' || c == '\r' || (c == '\t' && !keep_tabs) ? ' ' : c;
}

void append_token(std::string& out, const Token& token, std::size_t index) {
  fmt::format_to(std::back_inserter(out), "{}", index);
  for (const std::string_view field :
       {std::string_view(token.word), std::string_view(token.lemma), std::string_view(token.tag)}) {
    out += '\t';
    append_field(out, field.empty() ? kNone : field);
  }
  out += '\t';
  out += token.head == kNoHead ? std::string(kNone) : std::to_string(token.head);
  out += '\t';
  append_field(out, token.relation.empty() ? kNone : token.relation);
  out += '\n';
}

}  // namespace

bool is_tree_row(std::string_view line) {
  Fields fields;
  const std::size_t count = cut(line, fields);
  return (count == kOurs.columns || count == kConllU.columns) &&
         (to_number(fields[0]) || is_extra_row(fields[0]));
}

std::vector<ParsedCaption> read_trees(const std::string& path) {
  return parse_trees(path == "-" ? "standard input" : path, read_file(path));
}

std::vector<ParsedCaption> parse_trees(const std::string& name, std::string text) {
  const io::Source source = io::open_source(name, std::move(text), "trees");
  Reader reader(source.name);
  io::for_each_line(source.content,
                    [&](std::string_view line, std::size_t number) { reader.take(line, number); });
  return reader.finish();
}

std::string write_trees(std::span<const ParsedCaption> captions) {
  std::string out;
  for (const ParsedCaption& caption : captions) {
    out += kTextMark;
    out += ' ';
    append_field(out, caption.text, true);
    out += '\n';
    for (const Tree& tree : caption.sentences) {
      for (std::size_t i = 0; i < tree.tokens.size(); ++i) append_token(out, tree.tokens[i], i + 1);
      out += '\n';
    }
  }
  return out;
}

}  // namespace capella::syntax
