// Does a caption entail a claim, contradict it, or neither? A judge made of rules, not of a trained network:
// who does what to whom on both sides, words that mean the same or a kind of the other, opposites, denials,
// and predicates that exclude each other. docs/mln.md says how good it is.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/entailments.h"
#include "io/triplets.h"
#include "resource/word_relations.h"
#include "syntax/tree.h"

namespace capella::method::mln {

/// What a caption claims, made ready for many questions (claims.h).
class Claims;

class EntailmentJudge {
 public:
  /// `words` may be null: then only equal words mean the same. It must outlive this.
  explicit EntailmentJudge(const resource::WordRelations* words);
  ~EntailmentJudge();

  /// From the trees of a caption's sentences. For many threads at once, as all that follows.
  std::shared_ptr<const Claims> read(std::span<const syntax::Tree> sentences) const;

  /// The caption against one atom about its picture.
  io::EntailmentOdds judge(const Claims& caption, const io::Triplet& atom) const;

  /// One sentence against another. In one scene, who sits does not stand; else it may be another one who
  /// stands, and only what is denied is contradicted.
  enum class Scene { any, same };
  io::EntailmentOdds judge(const Claims& premise, const Claims& hypothesis, Scene scene = Scene::any) const;

  /// The relations (subject, predicate, object) that a caption claims, in lemmas, each once.
  static std::vector<io::Triplet> triplets(const Claims& claims);
  /// All things it mentions and does not deny, in lemmas, each once.
  static std::vector<std::string> things(const Claims& claims);
  /// Whether a word stands for a detected object of this label: equal, a synonym, or a kind of it either way.
  bool same_thing(std::string_view word, std::string_view label) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// An atom as a sentence for people and models, e.g. "a man is riding a bike".
std::string hypothesis_text(const io::Triplet& atom);

}  // namespace capella::method::mln
