#include "syntax/parser.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "syntax/lemma.h"
#include "syntax/projective_tree.h"

namespace capella::syntax {
namespace {

// Positions that go through the network together: enough captions to make use of each weight that is loaded
// in a step of the recurrences, few enough to keep what a thread works on near 20 MB.
constexpr std::size_t kBatchPositions = 1024;

// How many sentences from the first on make a batch; at least one.
std::size_t batch_size(std::span<const std::size_t> order, std::span<const Sentence> sentences) {
  std::size_t positions = 0;
  std::size_t size = 0;
  for (; size < order.size(); ++size) {
    positions += sentences[order[size]].words.size() + 2;
    if (size > 0 && positions > kBatchPositions) break;
  }
  return size;
}

}  // namespace

struct Parser::Desk {
  Workspace workspace;
  ProjectiveTreeSearch search;
  // One entry per row of the batch.
  std::vector<int> heads;
  std::vector<std::size_t> tags;
  std::vector<std::size_t> relations;
};

// A desk that goes back when it is done with.
class Parser::BorrowedDesk {
 public:
  explicit BorrowedDesk(const Parser& parser) : parser_(parser) {
    const std::lock_guard lock(parser.mutex_);
    if (parser.idle_.empty()) {
      desk_ = std::make_unique<Desk>();
    } else {
      desk_ = std::move(parser.idle_.back());
      parser.idle_.pop_back();
    }
  }
  ~BorrowedDesk() {
    const std::lock_guard lock(parser_.mutex_);
    parser_.idle_.push_back(std::move(desk_));
  }
  BorrowedDesk(const BorrowedDesk&) = delete;
  BorrowedDesk& operator=(const BorrowedDesk&) = delete;

  Desk& operator*() const { return *desk_; }

 private:
  const Parser& parser_;
  std::unique_ptr<Desk> desk_;
};

Parser::Parser(const std::string& path, const tensor::Kernels& kernels) : network_(path, kernels) {}

Parser::~Parser() = default;

std::vector<Tree> Parser::parse(std::span<const Sentence> sentences) const {
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return sentences[i].words.size(); });
  std::vector<Tree> trees(sentences.size());
  const BorrowedDesk desk(*this);
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t size = batch_size(std::span(order).subspan(begin), sentences);
    parse_batch(std::span(order).subspan(begin, size), sentences, trees, *desk);
    begin += size;
  }
  return trees;
}

void Parser::parse_batch(std::span<const std::size_t> batch, std::span<const Sentence> sentences,
                         std::span<Tree> trees, Desk& desk) const {
  network_.run(batch, sentences, desk.workspace);
  desk.heads.assign(desk.workspace.rows, 0);
  desk.tags.assign(desk.workspace.rows, 0);
  desk.relations.assign(desk.workspace.rows, 0);
  for (const Place& place : desk.workspace.places) {
    network_.best_tags(place, desk.workspace, std::span(desk.tags).subspan(place.first + 1, place.words));
    const std::vector<int>& heads = desk.search.find(network_.arc_scores(place, desk.workspace));
    std::copy(heads.begin(), heads.end(), desk.heads.begin() + static_cast<std::ptrdiff_t>(place.first));
  }
  network_.best_relations(desk.heads, desk.workspace, desk.relations);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    trees[batch[i]] = make_tree(sentences[batch[i]], desk.workspace.places[i].first + 1, desk);
  }
}

Tree Parser::make_tree(const Sentence& sentence, std::size_t first, const Desk& desk) const {
  Tree tree;
  tree.tokens.reserve(sentence.words.size());
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    const std::string& tag = network_.tags()[desk.tags[first + i]];
    tree.tokens.push_back({.word = sentence.words[i],
                           .lemma = lemma(sentence.words[i], tag),
                           .tag = tag,
                           .head = desk.heads[first + i],
                           .relation = network_.relations()[desk.relations[first + i]]});
  }
  return tree;
}

}  // namespace capella::syntax
