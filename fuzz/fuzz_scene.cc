// Scene graphs of trees made of any bytes: phrases that SPICE's steps look for, put together at random, or
// words, tags and relations as they come. Nothing crashes or hangs, counts fit the tuples, and small inputs
// agree with the slow twin: facts in their order, tuples, matches and counts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fuzz/small_meteor_table.h"
#include "property/scene_twins.h"
#include "reference/meteor_small_lexicon.h"
#include "reference/scene_small_trees.h"
#include "resource/meteor_convert.h"
#include "resource/meteor_data.h"

namespace {

using capella::syntax::Token;
using capella::syntax::Tree;
namespace reference = capella::reference;
namespace resource = capella::resource;
namespace scene = capella::scene;

constexpr std::size_t kMostBytes = 3000;
constexpr std::size_t kTwinTokens = 30;  // more take the twin too long

void require(bool condition) {
  if (!condition) __builtin_trap();
}

const reference::MeteorFiles& files() {
  static const reference::MeteorFiles kFiles = reference::small_meteor_files("");
  return kFiles;
}

/// Lines are words; their first byte is the head, the rest is cut at commas into word, lemma, tag, relation.
std::vector<Tree> raw_caption(std::span<const std::uint8_t> bytes) {
  Tree tree;
  std::vector<std::string> fields(1);
  const auto end_word = [&] {
    fields.resize(4);
    const int head = fields[0].empty() ? 0 : static_cast<signed char>(fields[0][0]);
    tree.tokens.push_back(
        {fields[0].empty() ? "" : fields[0].substr(1), fields[1], fields[2], head, fields[3]});
    fields.assign(1, "");
  };
  for (const std::uint8_t byte : bytes) {
    if (byte == '\n') {
      end_word();
    } else if (byte == ',') {
      fields.emplace_back();
    } else {
      fields.back() += static_cast<char>(byte);
    }
  }
  end_word();
  return {tree};
}

void check_counts(const std::vector<std::vector<scene::Fact>>& captions, scene::Lexicon& lexicon) {
  scene::SceneGraph candidate(lexicon), references(lexicon);
  for (std::size_t i = 0; i < captions.size(); ++i) (i == 0 ? candidate : references).add(captions[i]);
  const scene::Match match = scene::match_tuples(candidate, references);
  const scene::Counts all = scene::count_matches(candidate, references)[0];
  const auto matched = std::count(match.candidate.matched.begin(), match.candidate.matched.end(), true);
  require(all.true_positives == matched);
  require(static_cast<std::size_t>(all.true_positives + all.false_positives) == candidate.tuples().size());
  require(static_cast<std::size_t>(all.true_positives + all.false_negatives) == references.tuples().size());
  const scene::Score score = scene::score(all, scene::Category::all);
  require(score.f >= 0 && score.precision >= 0 && score.precision <= 1);
  for (const scene::Tuple& tuple : references.tuples()) require(references.texts(tuple).size() == tuple.size);
}

std::size_t count_tokens(const std::vector<Tree>& sentences) {
  std::size_t tokens = 0;
  for (const Tree& tree : sentences) tokens += tree.tokens.size();
  return tokens;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<const resource::MeteorData> table = capella::fuzz::small_meteor_table(files());
  static const reference::MeteorWords words = reference::read_meteor_words(files());
  if (size == 0 || size > kMostBytes) return 0;
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  const bool is_raw = (data[0] & 1) != 0;
  const bool with_synsets = (data[0] & 2) == 0;
  std::vector<std::vector<Tree>> captions = reference::small_captions(is_raw ? bytes.first(0) : bytes);
  if (is_raw) captions = {raw_caption(bytes)};

  scene::Lexicon lexicon(with_synsets ? table.get() : nullptr);
  std::vector<std::vector<scene::Fact>> facts;
  bool is_small = !is_raw;
  for (const std::vector<Tree>& caption : captions) {
    facts.push_back(scene::extract_facts(caption));
    is_small = is_small && count_tokens(caption) <= kTwinTokens;
    if (is_small) require(capella::test::as_lists(facts.back()) == reference::scene_facts(caption));
  }
  if (facts.size() == 1) facts.push_back(facts.front());
  check_counts(facts, lexicon);
  if (is_small)
    require(capella::test::scene_difference(facts, lexicon, with_synsets ? &words : nullptr).empty());
  return 0;
}
