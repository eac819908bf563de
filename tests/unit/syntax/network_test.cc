// The network: files that do not fit are refused with a reason; results depend on the sentence alone.
#include "syntax/network.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_parser_model.h"
#include "support/temp_dir.h"

namespace capella::syntax {
namespace {

using test::message_of;
using test::ParserSizes;
using test::SmallParserModel;

const std::vector<Sentence> kSentences = {{{"A", "man", "is", "riding", "a", "horse", "."}},
                                          {{"dog"}},
                                          {{}},
                                          {{"Two", "red-haired", "men", "on", "the", "beach", "with", "3",
                                            "kites", "and", "a", "TV", ",", "a", "dog", "and", "Öl"}}};

// All that a network says about a sentence.
struct Answer {
  std::vector<std::size_t> tags;
  std::vector<float> arcs;
  std::vector<std::size_t> relations;
  friend bool operator==(const Answer&, const Answer&) = default;
};

std::vector<std::size_t> longest_first(std::span<const Sentence> sentences) {
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return sentences[i].words.size(); });
  return order;
}

std::vector<Answer> answers(const Network& network, std::span<const Sentence> sentences,
                            Workspace& workspace) {
  const std::vector<std::size_t> order = longest_first(sentences);
  network.run(order, sentences, workspace);
  std::vector<Answer> result(sentences.size());
  std::vector<int> heads(workspace.rows, 0);
  for (std::size_t s = 0; s < order.size(); ++s) {
    const Place& place = workspace.places[s];
    Answer& answer = result[order[s]];
    answer.tags.resize(place.words);
    network.best_tags(place, workspace, answer.tags);
    const ArcScores scores = network.arc_scores(place, workspace);
    for (std::size_t i = 1; i <= place.words; ++i) {
      for (std::size_t j = 0; j <= place.words; ++j) answer.arcs.push_back(scores.at(i, j));
      heads[place.first + i] = static_cast<int>(i) - 1;  // each word below the one before it
    }
  }
  std::vector<std::size_t> relations(workspace.rows);
  network.best_relations(heads, workspace, relations);
  for (std::size_t s = 0; s < order.size(); ++s) {
    const auto begin = relations.begin() + static_cast<std::ptrdiff_t>(workspace.places[s].first) + 1;
    result[order[s]].relations.assign(begin, begin + static_cast<std::ptrdiff_t>(workspace.places[s].words));
  }
  return result;
}

class NetworkTest : public ::testing::Test {
 protected:
  std::string write(const SmallParserModel& model) const {
    return folder_.write("parser.safetensors", model.bytes());
  }

  // What opening the model says after `change`, without the path.
  template <class Change>
  std::string problem(Change change) const {
    SmallParserModel model({}, 1);
    change(model);
    const std::string path = write(model);
    const std::string message = message_of<FileError>([&] { Network{path}; });
    EXPECT_EQ(message.substr(0, path.size() + 2), path + ": ");
    return message.substr(std::min(message.size(), path.size() + 2));
  }

  test::TempDir folder_;
};

TEST_F(NetworkTest, DoesNotDependOnTheBatch) {
  const Network network(write(SmallParserModel({}, 7)));
  Workspace workspace;
  const std::vector<Answer> together = answers(network, kSentences, workspace);
  for (std::size_t s = 0; s < kSentences.size(); ++s) {
    Workspace fresh;
    EXPECT_EQ(answers(network, std::span(&kSentences[s], 1), fresh).front(), together[s]) << s;
    EXPECT_EQ(answers(network, std::span(&kSentences[s], 1), workspace).front(), together[s]) << s;
  }
}

TEST_F(NetworkTest, DoesNotDependOnTheWordsSeenBefore) {
  const Network network(write(SmallParserModel({}, 7)));
  Workspace workspace;
  const std::vector<Answer> first = answers(network, kSentences, workspace);
  std::vector<Sentence> many(300);  // more words than a workspace keeps
  for (std::size_t i = 0; i < 9000; ++i) many[i / 30].words.push_back("word" + std::to_string(i));
  network.run(longest_first(many), many, workspace);
  EXPECT_EQ(answers(network, kSentences, workspace), first);
}

TEST_F(NetworkTest, AllKernelsGiveTheSameBits) {
  ParserSizes sizes{.width = 96, .layers = 3, .hidden = 208, .arc = 48, .label = 48};
  const std::string path = write(SmallParserModel(sizes, 3));
  Workspace first_workspace;
  const std::vector<Answer> first =
      answers(Network(path, *tensor::all_kernels().front()), kSentences, first_workspace);
  for (const tensor::Kernels* kernels : tensor::all_kernels()) {
    Workspace workspace;
    EXPECT_EQ(answers(Network(path, *kernels), kSentences, workspace), first) << name(kernels->level);
  }
}

TEST_F(NetworkTest, OnlyTheChildOfRootIsCalledRoot) {
  const Network network(write(SmallParserModel({}, 5)));
  EXPECT_EQ(network.relations()[1], "root");
  Workspace workspace;
  for (const Answer& answer : answers(network, kSentences, workspace)) {
    for (std::size_t i = 0; i < answer.relations.size(); ++i) EXPECT_EQ(answer.relations[i] == 1, i == 0);
  }
}

TEST_F(NetworkTest, RefusesWhatIsNoParser) {
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["format"] = "bert"; }),
            "not a parser: format 'bert', expected 'capella-parser-1'");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata().erase("hidden"); }),
            "'__metadata__' has no 'hidden'");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["width"] = "40"; }),
            "'width' is 40, expected a multiple of 16");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["hidden"] = "-1"; }),
            "'__metadata__': 'hidden' is '-1', expected a number from 16 to 16384");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["relations"] = "det nsubj"; }),
            "'relations' has no 'root'");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["tags"] = ""; }), "'tags' is empty");
}

TEST_F(NetworkTest, RefusesTensorsThatDoNotFit) {
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["hidden"] = "64"; }),
            "tensor 'layer.0.input.weight' is I8 [384, 32], expected I8 [512, 32]");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.metadata()["arc"] = "16"; }),
            "tensor 'arc_sides.weight' is I8 [64, 96], expected I8 [32, 96]");
  EXPECT_EQ(problem([](SmallParserModel& model) { model.tensors()[0].bytes.replace(0, 2, "xx"); }),
            "tensor 'word.weight' is I8 [13, 32], expected I8 [12, 32]");
  EXPECT_EQ(problem([](SmallParserModel& model) {
              for (auto& tensor : model.tensors()) {
                if (tensor.name == "layer.1.forward.scale") tensor.bytes.replace(0, 4, "\xFF\xFF\xFF\x7F");
              }
            }),
            "tensor 'layer.1.forward.scale' has a number that is not finite");
}

TEST_F(NetworkTest, RefusesAVocabularyWithAWordTwice) {
  const std::string path = write(SmallParserModel({.vocabulary = "a\nman\na\n"}, 1));
  EXPECT_EQ(message_of<FileError>([&] { Network{path}; }), path + ": 'vocabulary' has a word twice");
}

}  // namespace
}  // namespace capella::syntax
