// Captions taken apart: plain data for the package's classes.
#include "capella/parse.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "report/scene_picture.h"
#include "strings.h"

namespace capella::python {
namespace {

using WordTuple = std::tuple<std::string, std::string, std::string, int, std::string>;
using CaptionTuple = std::tuple<std::string, std::vector<std::vector<WordTuple>>,
                                std::vector<std::vector<std::string>>, std::string>;

CaptionTuple to_tuple(const ParsedCaption& caption) {
  std::vector<std::vector<WordTuple>> sentences;
  for (const ParsedSentence& sentence : caption.sentences) {
    std::vector<WordTuple>& words = sentences.emplace_back();
    for (const ParsedWord& word : sentence)
      words.emplace_back(word.word, word.lemma, word.tag, word.head, word.relation);
  }
  return {caption.text, std::move(sentences), caption.tuples, report::draw_scenes({&caption, 1})};
}

std::vector<CaptionTuple> parse_captions(nb::handle captions, std::string tokenizer, bool synsets,
                                         std::size_t threads) {
  const TextViews texts = TextViews::captions(captions);
  ParseOptions options;
  options.tokenizer = std::move(tokenizer);
  options.synsets = synsets;
  options.threads = threads;
  const nb::gil_scoped_release unlocked;
  std::vector<CaptionTuple> tuples;
  for (const ParsedCaption& caption : parse(texts.views(), options)) tuples.push_back(to_tuple(caption));
  return tuples;
}

}  // namespace

void bind_parse(nb::module_& module) {
  using namespace nb::literals;
  module.def("parse", parse_captions, "captions"_a, "tokenizer"_a, "synsets"_a, "threads"_a);
}

}  // namespace capella::python
