#include "words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace capella::python {
namespace {

// Longer phrases come before the options they begin with. Messages may hold what other programs said, such as
// pip; so `-m`, an option of theirs too, stands here only within a phrase of ours.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"--missing skip", "missing=\"skip\""},
    {"--missing", "missing"},
    {"--skip-bad", "skip_bad=True"},
    {"--set", "settings"},
    {"with --cache", "with cache"},
    {"--cache", "cache"},
    {"--split", "split"},
    {"--id-column", "id_column"},
    {"--caption-column", "caption_column"},
    {"give --ids coco", "give ids=\"coco\""},
    {"REFS and HYPS look swapped", "refs and hyps look swapped"},
    {"--df coco-val", "df=\"coco-val\""},
    {"--df FILE", "df=FILE"},
    {"--df", "df"},
    {"add it with -m", "add it to metrics"},
    {"--ci-method", "ci_method"},
    {"--test randomization", "test=\"randomization\""},
    {"--ci", "ci=True"},
    {"--resamples", "resamples"},
    {"--scores", "scores"},
    {"--references", "references"},
    {"with -m available", "with metrics=\"available\""},
    {"capella df REFS -o FILE", "capella.write_df(refs, FILE)"},
    {"`capella metrics`", "capella.metrics()"},
    {"`capella composite features --benchmark flickr8k-expert FOLDER`",
     "capella.composite.benchmark_features(\"flickr8k-expert\", FOLDER, OUTPUT)"},
    {"`capella composite features REFS HYPS...`", "capella.composite.features(refs, hyps, output=OUTPUT)"},
    {"`capella composite features`", "capella.composite.features"},
    {"`capella composite train`", "capella.composite.train"},
    {"'capella composite train'", "capella.composite.train"},
    {"`capella pregen strata`", "capella.pregen.strata"},
    {"'capella pregen train'", "capella.pregen.train"},
    {"'capella deneb train'", "capella.deneb.train"},
    {"'capella nn train-adapter'", "capella.train_adapter"},
    {"`capella nn calibrate --replace`", "capella.calibrate(..., replace=True)"},
    {"`capella nn calibrate`", "capella.calibrate"},
    {"with 'capella deneb score --parity'", "with capella.deneb.score(..., parity=True)"},
    {"--text-only", "text_only=True"},
    {"--rated FILE", "rated=FILE"},
    {"--rated-layout", "rated_layout"},
    {"--rated-batch", "rated_batch"},
    {"--rated-weight", "rated_weight"},
    {"--strength", "strength"},
    {"--valid-layout", "validation_layout"},
    {"--clip DIR", "clip=DIR"},
    {"--text DIR", "text=DIR"},
    {"capella mln infer", "capella.mln.verify"},
    {"capella mln ground", "capella.mln.ground"},
    {"capella mln mil", "capella.mln.mil"},
    {"--method exact", "method=\"exact\""},
    {"--method ptp", "method=\"ptp\""},
    {"--method gibbs", "method=\"gibbs\""},
    {"--train", "training"},
    {"expected -o FOLDER", "expected one"},
    {"with --restart", "with restart=True"},
    {"--probs", "probs"},
    {"--least-count", "least_count"},
    {"--variable", "variable"},
    {"--device cpu", "device=\"cpu\""},
    {"--images DIR", "images=DIR"},
    {"--images", "images"},
    {"--size", "size"},
    {"--tokenizer", "tokenizer"},
    {"--refs-policy all", "refs_policy=\"all\""},
    {"--parity cuts", "parity=True cuts"},
    {"leave out --clip", "leave out clip"},
    {"leave out --text", "leave out text"},
    {"--statistics", "statistics"},
    {"--sentence-vectors mix", "sentence_vectors=\"mix\""},
    {"--sentence-vectors", "sentence_vectors"},
    {"--half", "half"},
    {"--prompt", "prompt"},
    {"--tokens", "tokens"},
    {"--joiner", "joiner"},
    {"--rate", "rate"},
    {"--width", "width"},
    {"--layers", "layers"},
    {"--feed-forward", "feed_forward"},
    {"--heads", "heads"},
    {"--hidden", "hidden"},
    {"--dropout", "dropout"},
    {"--weight-decay", "weight_decay"},
    {"--batch", "batch"},
    {"--chunk", "chunk"},
    {"--rank", "rank"},
    {"--alpha", "alpha"},
    {"--temperature", "temperature"},
    {"--steps", "steps"},
    {"--warm-up", "warm_up"},
    {"--tell-every", "tell_every"},
    {"--valid FILE", "validation=FILE"},
    {"--replace", "replace=True"},
    {"--pooling mean", "pooling=\"mean\""},
    {"--pooling first", "pooling=\"first\""},
    {"give this file alone", "give it as refs, without hyps"},
};

constexpr std::string_view kAfterWord = " \n)`'\",;:";

bool starts_word(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " \n(`'\"";
  return at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
}

bool ends_word(std::string_view text, std::size_t end) {
  return end == text.size() || kAfterWord.find(text[end]) != std::string_view::npos;
}

void replace_words(std::string& text, std::string_view words, std::string_view by) {
  std::size_t at = text.find(words);
  while (at != std::string::npos) {
    const bool whole = starts_word(text, at) && ends_word(text, at + words.size());
    if (whole) text.replace(at, words.size(), by);
    at = text.find(words, at + (whole ? by.size() : words.size()));
  }
}

// "capella data get NAME [--from PATH]" as a call, whatever the package's name.
void replace_data_commands(std::string& text) {
  constexpr std::string_view kCommand = "capella data get ";
  constexpr std::string_view kSource = " --from PATH";
  std::size_t at = text.find(kCommand);
  while (at != std::string::npos) {
    const std::size_t name = at + kCommand.size();
    std::size_t end = std::min(text.find_first_of(kAfterWord, name), text.size());
    std::string call = "capella.get_data(\"" + text.substr(name, end - name) + "\"";
    if (text.compare(end, kSource.size(), kSource) == 0) {
      call += ", source=PATH";
      end += kSource.size();
    }
    text.replace(at, end - at, call += ')');
    at = text.find(kCommand, at + call.size());
  }
}

}  // namespace

std::string in_python_words(std::string text) {
  for (const auto& [words, by] : kWords) replace_words(text, words, by);
  replace_data_commands(text);
  return text;
}

std::vector<std::string> in_python_words(std::vector<std::string> texts) {
  for (std::string& text : texts) text = in_python_words(std::move(text));
  return texts;
}

}  // namespace capella::python
