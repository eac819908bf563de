#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "method/mln/entailment/entailment.h"
#include "resource/find.h"
#include "support/nonsense_trees.h"
#include "syntax/caption_parser.h"

namespace capella::method::mln {
namespace {

using io::EntailmentOdds;
using io::Triplet;
using Triplets = std::vector<Triplet>;
using Scene = EntailmentJudge::Scene;

/// The shipped parser and words, opened once.
struct Shipped {
  syntax::CaptionParser parser{resource::need("models/parser.safetensors")};
  resource::WordRelations words{resource::need(resource::WordRelations::kFile)};
  EntailmentJudge judge{&words};

  std::shared_ptr<const Claims> read(std::string_view text) const {
    return judge.read(parser.parse({&text, 1}).front());
  }
};

const Shipped& shipped() {
  static const Shipped made;
  return made;
}

Triplets triplets(std::string_view caption) {
  Triplets found = EntailmentJudge::triplets(*shipped().read(caption));
  std::ranges::sort(found);
  return found;
}

/// C, N or E for what is most probable.
char verdict(const EntailmentOdds& odds) {
  EXPECT_NEAR(odds[0] + odds[1] + odds[2], 1, 1e-12);
  return "CNE"[std::ranges::max_element(odds) - odds.begin()];
}

char ask(std::string_view caption, const Triplet& atom) {
  return verdict(shipped().judge.judge(*shipped().read(caption), atom));
}

char judge_pair(std::string_view premise, std::string_view hypothesis, Scene scene = Scene::any) {
  return verdict(shipped().judge.judge(*shipped().read(premise), *shipped().read(hypothesis), scene));
}

TEST(Triplets, AreLemmasWithJoinedPrepositions) {
  EXPECT_EQ(triplets("A man is riding a bike."), (Triplets{{"man", "ride", "bike"}}));
  EXPECT_EQ(triplets("Two dogs are sitting on a bench."), (Triplets{{"dog", "sit on", "bench"}}));
  EXPECT_EQ(triplets("A woman standing next to a fire hydrant."),
            (Triplets{{"woman", "stand next to", "fire hydrant"}}));
  EXPECT_EQ(triplets("A cat is on top of a car."), (Triplets{{"cat", "on", "car"}}));
}

TEST(Triplets, GrammarChangesNothing) {
  const Triplets chase = {{"dog", "chase", "ball"}};
  EXPECT_EQ(triplets("A dog chases a ball."), chase);
  EXPECT_EQ(triplets("A ball is being chased by a dog."), chase);
  EXPECT_EQ(triplets("There are two dogs chasing a ball."), chase);
  EXPECT_EQ(triplets("A dog that is chasing a ball."), chase);
  EXPECT_EQ(triplets("A group of dogs is chasing a ball."), chase);
  EXPECT_EQ(triplets("A ball chased by a dog."), chase);
}

TEST(Triplets, PlacesOfSeveralWords) {
  EXPECT_EQ(triplets("A cup is to the right of a book."), (Triplets{{"cup", "right of", "book"}}));
  EXPECT_EQ(triplets("A cup right of a book."), (Triplets{{"cup", "right of", "book"}}));
  EXPECT_EQ(triplets("A tree in front of a house."), (Triplets{{"tree", "in front of", "house"}}));
  EXPECT_EQ(triplets("A man is pushing a cart to the left of a tree."),
            (Triplets{{"man", "left of", "tree"}, {"man", "push", "cart"}}));
}

TEST(Triplets, ClothesAreWornAndOwnersHave) {
  EXPECT_EQ(triplets("A girl in a red shirt."), (Triplets{{"girl", "wear", "shirt"}}));
  EXPECT_EQ(triplets("A girl in a boat."), (Triplets{{"girl", "in", "boat"}}));
  EXPECT_EQ(triplets("A man's dog is sleeping."), (Triplets{{"man", "have", "dog"}}));
}

TEST(Triplets, WhatIsDeniedIsNotClaimed) {
  EXPECT_EQ(triplets("A man is not riding a bike."), (Triplets{}));
  EXPECT_EQ(triplets("Nobody is riding a bike."), (Triplets{}));
}

TEST(Triplets, ThingsAreNamedOnce) {
  const auto claims = shipped().read("A man with a dog and a dog without a leash.");
  EXPECT_EQ(EntailmentJudge::things(*claims), (std::vector<std::string>{"man", "dog"}));
}

TEST(AtomJudge, WhatFollowsIsEntailed) {
  EXPECT_EQ(ask("A man is riding a bike.", {"man", "ride", "bike"}), 'E');
  EXPECT_EQ(ask("A man is riding a bike.", {"person", "ride", "bicycle"}), 'E');
  EXPECT_EQ(ask("A man is riding a bike.", {"man", "on", "bike"}), 'E');
  EXPECT_EQ(ask("A man sits on a chair.", {"man", "on", "chair"}), 'E');
  EXPECT_EQ(ask("A man is on a chair.", {"man", "sit on", "chair"}), 'N');
  EXPECT_EQ(ask("A cup is left of a book.", {"book", "right of", "cup"}), 'E');
  EXPECT_EQ(ask("A cup is next to a book.", {"book", "near", "cup"}), 'E');
  EXPECT_EQ(ask("A puppy runs after a ball.", {"dog", "chase", "ball"}), 'E');
  EXPECT_EQ(ask("A woman with a hat.", {"woman", "wear", "hat"}), 'E');
}

TEST(AtomJudge, WhatIsRuledOutIsContradicted) {
  EXPECT_EQ(ask("A cat is on a table.", {"cat", "under", "table"}), 'C');
  EXPECT_EQ(ask("A cup is left of a book.", {"cup", "right of", "book"}), 'C');
  EXPECT_EQ(ask("A cup is left of a book.", {"book", "left of", "cup"}), 'C');
  EXPECT_EQ(ask("A man is standing on a chair.", {"man", "sit on", "chair"}), 'C');
  EXPECT_EQ(ask("A dog is chasing a man.", {"man", "chase", "dog"}), 'C');
  EXPECT_EQ(ask("A man is pushing a bike.", {"man", "ride", "bike"}), 'C');
  EXPECT_EQ(ask("A man is not riding a bike.", {"man", "ride", "bike"}), 'C');
  EXPECT_EQ(ask("There is no dog.", {"dog", "on", "bench"}), 'C');
}

TEST(AtomJudge, TheRestIsNeutral) {
  EXPECT_EQ(ask("A man is riding a bike.", {"man", "wear", "hat"}), 'N');
  EXPECT_EQ(ask("A man and a woman.", {"man", "kiss", "woman"}), 'N');
  EXPECT_EQ(ask("A man is next to a bike.", {"man", "left of", "bike"}), 'N');
  EXPECT_EQ(ask("", {"man", "ride", "bike"}), 'N');
}

TEST(SentenceJudge, KindsGoOneWay) {
  EXPECT_EQ(judge_pair("A man is playing a guitar", "A person is playing an instrument"), 'E');
  EXPECT_EQ(judge_pair("A person is playing an instrument", "A man is playing a guitar"), 'N');
  EXPECT_EQ(judge_pair("A small black dog is running", "A dog is running"), 'E');
  EXPECT_EQ(judge_pair("A dog is running", "A small black dog is running"), 'N');
  EXPECT_EQ(judge_pair("A ball is being kicked by a boy", "A boy is kicking a ball"), 'E');
  EXPECT_EQ(judge_pair("A woman is drawing a man and a dog", "A dog is drawing a woman"), 'N');
}

TEST(SentenceJudge, DenialsContradict) {
  EXPECT_EQ(judge_pair("A man is riding a horse", "There is no man riding a horse"), 'C');
  EXPECT_EQ(judge_pair("There is no man riding a horse", "A man is riding a brown horse"), 'C');
  EXPECT_EQ(judge_pair("A man is riding a horse", "The man is not riding a brown horse"), 'N');
  EXPECT_EQ(judge_pair("Nobody is riding a horse", "A woman is riding a horse"), 'C');
  EXPECT_EQ(judge_pair("A man is not riding a horse", "A man is not riding a brown horse"), 'E');
}

TEST(SentenceJudge, OneSceneHasOnePosture) {
  EXPECT_EQ(judge_pair("A man is sitting on a bench", "A man is standing on a bench", Scene::any), 'N');
  EXPECT_EQ(judge_pair("A man is sitting on a bench", "A man is standing on a bench", Scene::same), 'C');
  EXPECT_EQ(judge_pair("The pool is empty", "The pool is full", Scene::same), 'C');
}

TEST(SameThing, EqualSynonymOrKindEitherWay) {
  const EntailmentJudge& judge = shipped().judge;
  EXPECT_TRUE(judge.same_thing("guy", "man"));
  EXPECT_TRUE(judge.same_thing("person", "man"));
  EXPECT_TRUE(judge.same_thing("couch", "sofa"));
  EXPECT_FALSE(judge.same_thing("cat", "dog"));
  EXPECT_FALSE(judge.same_thing("man", "woman"));
  const EntailmentJudge plain(nullptr);
  EXPECT_TRUE(plain.same_thing("zebra", "zebra"));
  EXPECT_FALSE(plain.same_thing("couch", "sofa"));
}

TEST(EntailmentJudge, ManyThreadsGetTheSameAnswers) {
  const auto claims = shipped().read("A man in a red shirt is riding a bike next to a tall tree.");
  const EntailmentJudge judge(&shipped().words);
  const std::vector<std::string> words = {"man", "bike", "tree", "shirt", "person", "dog", "cart"};
  const auto answers = [&] {
    std::vector<EntailmentOdds> all;
    for (const std::string& a : words) {
      for (const std::string& b : words) {
        for (const char* predicate : {"ride", "on", "next to", "wear", "under"})
          all.push_back(judge.judge(*claims, {a, predicate, b}));
      }
    }
    return all;
  };
  std::vector<std::vector<EntailmentOdds>> found(4);
  std::vector<std::thread> threads;
  for (auto& mine : found) threads.emplace_back([&mine, &answers] { mine = answers(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : found) EXPECT_EQ(mine, found.front());
}

TEST(EntailmentJudge, AnyTreeIsTakenAsItIs) {
  const EntailmentJudge& judge = shipped().judge;
  syntax::Tree circle =
      test::tree_of("is=be/VBZ/3/nsubj that/WDT/1/nsubj is=be/VBZ/1/acl:relcl no/DT/3/neg of/IN/1/case");
  for (const syntax::Tree& tree : {test::tree_of_conjunctions(60), test::tree_of_prepositions(80),
                                   test::tree_of_markers(80), circle, syntax::Tree{}}) {
    const auto claims = judge.read({&tree, 1});
    EXPECT_NEAR(judge.judge(*claims, *claims)[1] + judge.judge(*claims, *claims)[2] +
                    judge.judge(*claims, *claims)[0],
                1, 1e-12);
  }
}

TEST(HypothesisText, IsEnglish) {
  EXPECT_EQ(hypothesis_text({"man", "ride", "bike"}), "a man is riding a bike");
  EXPECT_EQ(hypothesis_text({"dog", "on", "bench"}), "a dog is on a bench");
  EXPECT_EQ(hypothesis_text({"man", "sit on", "chair"}), "a man is sitting on a chair");
  EXPECT_EQ(hypothesis_text({"cat", "lie on", "umbrella"}), "a cat is lying on an umbrella");
  EXPECT_EQ(hypothesis_text({"boy", "hold", "apple"}), "a boy is holding an apple");
  EXPECT_EQ(hypothesis_text({"girl", "run after", "unicycle"}), "a girl is running after a unicycle");
  EXPECT_EQ(hypothesis_text({"man", "eat", "pizza"}), "a man is eating a pizza");
  EXPECT_EQ(hypothesis_text({"man", "look at", "dog"}), "a man is looking at a dog");
  EXPECT_EQ(hypothesis_text({"man", "play with", "dog"}), "a man is playing with a dog");
  EXPECT_EQ(hypothesis_text({"man", "see", "dog"}), "a man is seeing a dog");
  EXPECT_EQ(hypothesis_text({"man", "throw", "ball"}), "a man is throwing a ball");
  EXPECT_EQ(hypothesis_text({"man", "wear", "hat"}), "a man is wearing a hat");
  EXPECT_EQ(hypothesis_text({"man", "open", "door"}), "a man is opening a door");
  EXPECT_EQ(hypothesis_text({"man", "hit", "ball"}), "a man is hitting a ball");
  EXPECT_EQ(hypothesis_text({"cup", "left of", "book"}), "a cup is to the left of a book");
  EXPECT_EQ(hypothesis_text({"cup", "in front of", "book"}), "a cup is in front of a book");
  EXPECT_EQ(hypothesis_text({"man", "have", "dog"}), "a man has a dog");
}

}  // namespace
}  // namespace capella::method::mln
