// Any captions with trees come back from their text as they were.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "syntax/conll.h"

namespace capella::syntax {
namespace {

rc::Gen<std::string> field() {
  return rc::gen::elementOf(
      std::vector<std::string>{"a", "dog", "-LRB-", "#", "'s", "1", "caf\u00E9", "_a", "# text ="});
}

/// Every word depends on one before it in a random order; some are left out of the graph.
rc::Gen<Tree> tree() {
  return rc::gen::exec([] {
    Tree made;
    const int size = *rc::gen::inRange(1, 8);
    for (int i = 0; i < size; ++i) made.tokens.push_back({*field(), *field(), *field(), kNoHead, ""});
    std::vector<int> in_graph;
    for (int i = 0; i < size; ++i) {
      if (!*rc::gen::weightedElement<bool>({{4, true}, {1, false}})) continue;
      Token& token = made.tokens[static_cast<std::size_t>(i)];
      token.head = in_graph.empty() ? 0 : *rc::gen::elementOf(in_graph);
      token.relation = *field();
      in_graph.push_back(i + 1);
    }
    return made;
  });
}

TEST(ConllProperty, ReadsBackWhatItWrites) {
  EXPECT_TRUE(rc::check("the same captions", [] {
    std::vector<ParsedCaption> captions;
    for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
      captions.push_back({*field() + *rc::gen::element(std::string(), std::string(" ")),
                          *rc::gen::resize(3, rc::gen::container<std::vector<Tree>>(tree()))});
    }
    RC_ASSERT(parse_trees("t", write_trees(captions)) == captions);
  }));
}

}  // namespace
}  // namespace capella::syntax
