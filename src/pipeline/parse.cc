// Captions to trees and tuples: see include/capella/parse.h.
#include "capella/parse.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "capella/data.h"
#include "capella/error.h"

#include "base/step_counter.h"
#include "io/read.h"
#include "io/text_lines.h"
#include "pipeline/prepared_run.h"
#include "pipeline/read.h"
#include "scene/scene_graph.h"
#include "syntax/conll.h"
#include "text/tokenizer.h"

namespace capella {
namespace {

constexpr std::size_t kParsedPerPiece = 256;  // captions that one thread parses together

std::unique_ptr<const resource::MeteorData> open_synsets(const ParseOptions& options) {
  if (!options.tuples || !options.synsets) return nullptr;
  return std::make_unique<const resource::MeteorData>(data_path("meteor"));
}

ParsedSentence words_of(const syntax::Tree& tree) {
  ParsedSentence words;
  for (const syntax::Token& token : tree.tokens)
    words.push_back({token.word, token.lemma, token.tag, token.head, token.relation});
  return words;
}

// The trees' words, and their tuples if asked for.
void fill(ParsedCaption& caption, std::span<const syntax::Tree> trees, const resource::MeteorData* data,
          const ParseOptions& options) {
  for (const syntax::Tree& tree : trees) caption.sentences.push_back(words_of(tree));
  if (!options.tuples) return;
  scene::Lexicon lexicon(data);
  scene::SceneGraph graph(lexicon);
  graph.add(scene::extract_facts(trees));
  for (const scene::Tuple& tuple : graph.sorted_tuples()) caption.tuples.push_back(graph.texts(tuple));
}

// Runs work(first, count) on pieces of `captions`, and tells how far it is.
template <class Work>
void in_pieces(std::size_t captions, const ParseOptions& options, ThreadPool& pool, Work work) {
  const std::size_t pieces = (captions + kParsedPerPiece - 1) / kParsedPerPiece;
  StepCounter steps(options.progress, "parsing", pieces);
  pool.parallel_for(pieces, [&](std::size_t piece) {
    work(piece * kParsedPerPiece, std::min(kParsedPerPiece, captions - piece * kParsedPerPiece));
    steps.done();
  });
}

// Parses the texts of `captions`, which have no trees yet.
void parse_texts(std::vector<ParsedCaption>& captions, const ParseOptions& options) {
  const auto parser = pipeline::open_parser();
  const auto data = open_synsets(options);
  ThreadPool pool(options.threads);
  const std::vector<std::string_view> raw = [&] {
    std::vector<std::string_view> views;
    for (const ParsedCaption& caption : captions) views.push_back(caption.text);
    return views;
  }();
  const text::StringColumn tokens = text::tokenize(text::tokenizer_by_name(options.tokenizer), raw, pool);
  in_pieces(captions.size(), options, pool, [&](std::size_t first, std::size_t count) {
    std::vector<std::string_view> texts;
    for (std::size_t i = first; i < first + count; ++i) texts.push_back(tokens[i]);
    const auto trees = parser->parse(texts);
    for (std::size_t i = 0; i < count; ++i) fill(captions[first + i], trees[i], data.get(), options);
  });
}

void add_rows(const io::CaptionTable& table, ParsedFile& file) {
  for (const io::CaptionRow& row : table.rows) {
    file.captions.push_back(
        {table.aligned ? std::string() : std::string(row.id), std::string(row.caption), {}, {}});
  }
  file.skipped.insert(file.skipped.end(), table.skipped.begin(), table.skipped.end());
}

// Whether the first line that is no comment and not blank is one of a tree; ids mean that it is not.
bool looks_like_trees(const io::CaptionTable& table) {
  if (!table.aligned) return false;
  for (const io::CaptionRow& row : table.rows) {
    if (!io::is_blank(row.caption) && !row.caption.starts_with('#')) return syntax::is_tree_row(row.caption);
  }
  return false;
}

}  // namespace

void check_options(const ParseOptions& options, bool from_trees) {
  text::tokenizer_by_name(options.tokenizer);
  if (!from_trees) pipeline::check_parser();
  open_synsets(options);
}

std::vector<ParsedCaption> parse(std::span<const std::string_view> captions, const ParseOptions& options) {
  std::vector<ParsedCaption> parsed;
  for (const std::string_view caption : captions) parsed.push_back({"", std::string(caption), {}, {}});
  parse_texts(parsed, options);
  return parsed;
}

ParsedFile parse_file(const std::string& path, const ReadOptions& read, const ParseOptions& options) {
  const io::ReadOptions options_of_table = pipeline::table_options(read);
  const io::CaptionTable table = io::read_table_file(path, options_of_table);
  io::check_read_options(std::vector{&table}, options_of_table);
  ParsedFile parsed;
  if (table.tests != nullptr) add_rows(*table.tests, parsed);
  add_rows(table, parsed);
  parsed.looks_like_trees = looks_like_trees(table);
  parse_texts(parsed.captions, options);
  return parsed;
}

std::vector<ParsedCaption> parse_trees_file(const std::string& path, const ParseOptions& options) {
  const std::vector<syntax::ParsedCaption> trees = syntax::read_trees(path);
  const auto data = open_synsets(options);
  std::vector<ParsedCaption> parsed;
  for (const syntax::ParsedCaption& caption : trees) parsed.push_back({"", caption.text, {}, {}});
  ThreadPool pool(options.threads);
  in_pieces(parsed.size(), options, pool, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
      fill(parsed[i], trees[i].sentences, data.get(), options);
  });
  return parsed;
}

}  // namespace capella
