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
using Sentences = std::vector<std::vector<WordTuple>>;
using Tuples = std::vector<std::vector<std::string>>;
using CaptionTuple = std::tuple<std::string, Sentences, Tuples>;

CaptionTuple to_tuple(const ParsedCaption& caption) {
  Sentences sentences;
  for (const ParsedSentence& sentence : caption.sentences) {
    std::vector<WordTuple>& words = sentences.emplace_back();
    for (const ParsedWord& word : sentence)
      words.emplace_back(word.word, word.lemma, word.tag, word.head, word.relation);
  }
  return {caption.text, std::move(sentences), caption.tuples};
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

std::string draw(std::string text, const Sentences& sentences, Tuples tuples) {
  ParsedCaption caption{"", std::move(text), {}, std::move(tuples)};
  for (const std::vector<WordTuple>& words : sentences) {
    ParsedSentence& sentence = caption.sentences.emplace_back();
    for (const auto& [word, lemma, tag, head, relation] : words)
      sentence.push_back({word, lemma, tag, head, relation});
  }
  const nb::gil_scoped_release unlocked;
  return report::draw_scenes({&caption, 1});
}

}  // namespace

void bind_parse(nb::module_& module) {
  using namespace nb::literals;
  module.def("parse", parse_captions, "captions"_a, "tokenizer"_a, "synsets"_a, "threads"_a);
  module.def("draw_parse", draw, "text"_a, "sentences"_a, "tuples"_a);
}

}  // namespace capella::python
