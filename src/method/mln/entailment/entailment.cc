#include "method/mln/entailment/entailment.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <shared_mutex>

#include <tsl/robin_map.h>

#include "method/mln/entailment/judge_atom.h"
#include "method/mln/entailment/judge_sentences.h"
#include "scene/letter_case.h"

namespace capella::method::mln {
namespace {

/// Contradiction, neutral, entailment. Round numbers: the sure ones and `kNeither` are how often these
/// answers are right on SICK's training pairs; the others leave room for a word that was meant otherwise.
constexpr io::EntailmentOdds kEntailed = {.02, .03, .95};
constexpr io::EntailmentOdds kLikelyEntailed = {.05, .2, .75};
constexpr io::EntailmentOdds kNeither = {.04, .81, .15};
constexpr io::EntailmentOdds kLikelyContradicted = {.7, .25, .05};
constexpr io::EntailmentOdds kContradicted = {.93, .05, .02};

io::EntailmentOdds odds(Verdict verdict, bool is_sure) {
  if (verdict == Verdict::entailment) return is_sure ? kEntailed : kLikelyEntailed;
  if (verdict == Verdict::contradiction) return is_sure ? kContradicted : kLikelyContradicted;
  return kNeither;
}

/// What was looked up once, for many threads. When it is full, words are looked up every time.
template <class Value>
class Store {
 public:
  template <class Make>
  std::shared_ptr<const Value> find(std::string_view words, Make make) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = values_.find(words, std::hash<std::string_view>{}(words));
          found != values_.end())
        return found->second;
    }
    auto made = std::make_shared<const Value>(make());
    const std::unique_lock lock(mutex_);
    if (values_.size() < kMost) values_.emplace(std::string(words), made);
    return made;
  }

 private:
  static constexpr std::size_t kMost = 100'000;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view words) const { return std::hash<std::string_view>{}(words); }
  };
  std::shared_mutex mutex_;
  tsl::robin_map<std::string, std::shared_ptr<const Value>, Hash, std::equal_to<>> values_;
};

}  // namespace

struct EntailmentJudge::Memory {
  explicit Memory(const resource::WordRelations* words) : knowledge(words) {}

  std::shared_ptr<const Meaning> thing(std::string_view word) {
    return things.find(
        word, [&] { return knowledge.meaning(scene::trimmed_and_lowered(word), PartOfSpeech::noun); });
  }
  std::shared_ptr<const Predicate> predicate(std::string_view words) {
    return predicates.find(words,
                           [&] { return read_predicate(scene::trimmed_and_lowered(words), knowledge); });
  }

  const Knowledge knowledge;
  Store<Meaning> things;
  Store<Predicate> predicates;
};

EntailmentJudge::EntailmentJudge(const resource::WordRelations* words)
    : memory_(std::make_unique<Memory>(words)) {}

EntailmentJudge::~EntailmentJudge() = default;

std::shared_ptr<const Claims> EntailmentJudge::read(std::span<const syntax::Tree> sentences) const {
  auto claims = std::make_shared<Claims>();
  for (const syntax::Tree& sentence : sentences) add_sentence(sentence, memory_->knowledge, *claims);
  find_relations(memory_->knowledge, *claims);
  return claims;
}

io::EntailmentOdds EntailmentJudge::judge(const Claims& caption, const io::Triplet& atom) const {
  const auto subject = memory_->thing(atom.subject);
  const auto predicate = memory_->predicate(atom.predicate);
  const auto object = memory_->thing(atom.object);
  const AtomVerdict found = judge_atom(caption, {*subject, *predicate, *object}, memory_->knowledge);
  return odds(found.verdict, found.is_sure);
}

io::EntailmentOdds EntailmentJudge::judge(const Claims& premise, const Claims& hypothesis,
                                          Scene scene) const {
  const SentenceVerdict found =
      judge_sentences(premise, hypothesis, scene == Scene::same, memory_->knowledge);
  return odds(found.verdict, found.is_sure);
}

std::vector<io::Triplet> EntailmentJudge::triplets(const Claims& claims) {
  std::vector<io::Triplet> found;
  std::set<io::Triplet> seen;
  for (const ClaimRelation& relation : claims.relations) {
    if (relation.is_denied || relation.is_guess) continue;
    io::Triplet made{claims.nodes[relation.subject].meaning.word, relation.predicate.words,
                     claims.nodes[relation.object].meaning.word};
    if (seen.insert(made).second) found.push_back(std::move(made));
  }
  return found;
}

std::vector<std::string> EntailmentJudge::things(const Claims& claims) {
  std::vector<std::string> found;
  for (const ClaimNode& node : claims.nodes) {
    if (!node.is_thing || node.group != 0) continue;
    if (std::ranges::find(found, node.meaning.word) == found.end()) found.push_back(node.meaning.word);
  }
  return found;
}

bool EntailmentJudge::same_thing(std::string_view word, std::string_view label) const {
  const auto a = memory_->thing(word);
  const auto b = memory_->thing(label);
  return memory_->knowledge.is_kind_of(*a, *b) || memory_->knowledge.is_kind_of(*b, *a);
}

}  // namespace capella::method::mln
