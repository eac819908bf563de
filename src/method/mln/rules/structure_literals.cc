#include "method/mln/rules/structure_literals.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "logic/language/language.h"

namespace capella::method::mln {
namespace {

constexpr std::uint32_t kDropped = 0xFFFFFFFF;

/// Numbers for words, in the order in which they come.
class Words {
 public:
  std::uint32_t number(std::string_view word) {
    const auto [found, is_new] = numbers_.try_emplace(word, static_cast<std::uint32_t>(words_.size()));
    if (is_new) words_.push_back(word);
    return found->second;
  }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  tsl::robin_map<std::string_view, std::uint32_t, StringHash> numbers_;
  std::vector<std::string_view> words_;
};

struct Occurrence {
  std::uint32_t image;
  GroundLiteral literal;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

// Which predicates stay, by number: the `top` most frequent.
std::vector<bool> most_frequent(const std::vector<std::size_t>& counts,
                                const std::vector<std::string_view>& words, std::size_t top) {
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : words[a] < words[b];
  });
  std::vector<bool> kept(counts.size());
  for (std::size_t k = 0; k < std::min(top, order.size()); ++k) kept[order[k]] = true;
  return kept;
}

// Names for the words that are kept, sorted by name; `numbers` gets each word's new number.
std::vector<NamedWord> name_words(const std::vector<std::string_view>& words, const std::vector<bool>& kept,
                                  std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t k = 0; k < words.size(); ++k) {
    if (kept[k]) order.push_back(k);
  }
  // Names that clash are numbered in the order of the words.
  std::ranges::sort(order, {}, [&](std::uint32_t k) { return words[k]; });
  logic::Names names;
  std::vector<std::pair<NamedWord, std::uint32_t>> named;
  for (const std::uint32_t k : order) named.push_back({{names.of(words[k]), std::string(words[k])}, k});
  std::ranges::sort(named, {}, [](const auto& one) -> const std::string& { return one.first.name; });
  numbers.assign(words.size(), kDropped);
  std::vector<NamedWord> out;
  for (auto& [word, old] : named) {
    numbers[old] = static_cast<std::uint32_t>(out.size());
    out.push_back(std::move(word));
  }
  return out;
}

std::vector<Occurrence> read_occurrences(std::span<const io::TripletRow> rows, Words& images,
                                         Words& predicates, Words& constants) {
  std::vector<Occurrence> all;
  for (const io::TripletRow& row : rows) {
    const std::uint32_t image = images.number(row.image);
    for (const io::Triplet& triplet : row.triplets) {
      const std::uint32_t subject = constants.number(triplet.subject);
      const std::uint32_t object = constants.number(triplet.object);
      all.push_back({image, {predicates.number(triplet.predicate), subject, object}});
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

ImageLiterals collect_literals(std::span<const io::TripletRow> rows, std::size_t top_predicates) {
  Words images, predicates, constants;
  std::vector<Occurrence> all = read_occurrences(rows, images, predicates, constants);
  ImageLiterals out;
  out.triplets = all.size();

  std::vector<std::size_t> counts(predicates.words().size());
  for (const Occurrence& one : all) ++counts[one.literal.predicate];
  const std::vector<bool> kept = most_frequent(counts, predicates.words(), top_predicates);
  std::erase_if(all, [&](const Occurrence& one) { return !kept[one.literal.predicate]; });
  out.dropped = out.triplets - all.size();
  std::vector<bool> used(constants.words().size());
  for (const Occurrence& one : all) used[one.literal.subject] = used[one.literal.object] = true;

  std::vector<std::uint32_t> predicate_numbers, constant_numbers;
  out.predicates = name_words(predicates.words(), kept, predicate_numbers);
  out.constants = name_words(constants.words(), used, constant_numbers);
  out.starts.assign(images.words().size() + 1, 0);
  for (const Occurrence& one : all) {
    ++out.starts[one.image + 1];
    out.literals.push_back({predicate_numbers[one.literal.predicate], constant_numbers[one.literal.subject],
                            constant_numbers[one.literal.object]});
  }
  std::partial_sum(out.starts.begin(), out.starts.end(), out.starts.begin());
  for (std::size_t k = 0; k < out.images(); ++k) {
    const auto begin = out.literals.begin();
    std::sort(begin + static_cast<std::ptrdiff_t>(out.starts[k]),
              begin + static_cast<std::ptrdiff_t>(out.starts[k + 1]));
  }
  return out;
}

}  // namespace capella::method::mln
