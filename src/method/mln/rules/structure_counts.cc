// Size by size: chains are found in pieces of images, which threads share; the pieces' formulas are joined in
// the order of the pieces; formulas are filtered; chains of those that fail are forgotten. A formula's parts
// are in at least as many images, of the same literals, so no chain that could pass is lost.
#include "method/mln/rules/structure_counts.h"

#include <algorithm>

#include <tsl/robin_map.h>

#include "base/step_counter.h"
#include "base/thread_pool.h"

namespace capella::method::mln {
namespace {

constexpr std::size_t kImagesPerPiece = 256;

using NumberOfFormula = tsl::robin_map<FormulaKey, std::uint32_t, FormulaKeyHash>;

struct FoundChain {
  Chain chain;
  std::uint32_t formula;
};

struct Formula {
  FormulaKey key;
  std::size_t images = 0;
  bool passes = false;  // its chains may become longer
};

/// Some images, and what was found in them.
struct Piece {
  std::size_t begin, end;                            // images
  std::vector<std::vector<FoundChain>> chains = {};  // of the present size, by image
  std::vector<std::size_t> left = {};                // how many more an image may have
  std::vector<bool> capped = {};
  std::vector<Formula> formulas = {};  // of the present size, in the order in which they were met
};

struct Grounding {
  std::uint32_t formula;
  Substitution constants;
  friend auto operator<=>(const Grounding&, const Grounding&) = default;
};

void sort_and_unite(std::vector<Grounding>& groundings) {
  std::ranges::sort(groundings);
  groundings.erase(std::unique(groundings.begin(), groundings.end()), groundings.end());
}

class Counter {
 public:
  Counter(const ImageLiterals& literals, const StructureOptions& options)
      : literals_(literals),
        options_(options),
        labels_{literals.predicates, literals.constants},
        pool_(options.threads) {
    for (std::size_t begin = 0; begin < literals.images(); begin += kImagesPerPiece) {
      Piece piece{begin, std::min(begin + kImagesPerPiece, literals.images())};
      piece.chains.resize(piece.end - piece.begin);
      piece.left.assign(piece.end - piece.begin, options.most_chains_per_image);
      piece.capped.resize(piece.end - piece.begin);
      pieces_.push_back(std::move(piece));
    }
  }

  FormulaCounts run() {
    StepCounter steps(options_.progress, "structure", options_.longest * pieces_.size());
    for (std::size_t size = 1; size <= options_.longest; ++size) {
      pool_.parallel_for(pieces_.size(), [&](std::size_t k) {
        find_chains(pieces_[k], size);
        steps.done();
      });
      join_formulas();
      filter(size);
      count_supports(size);
      result_.candidates += formulas_.size();
      if (size == 1) singles_ = std::move(numbers_), single_formulas_ = formulas_;
    }
    std::ranges::sort(result_.formulas,
                      [](const CountedFormula& a, const CountedFormula& b) { return a.key < b.key; });
    for (const Piece& piece : pieces_)
      result_.capped_images += static_cast<std::size_t>(std::ranges::count(piece.capped, true));
    return std::move(result_);
  }

 private:
  using Members = std::array<GroundLiteral, kLongestChain>;

  static std::span<const GroundLiteral> pick(std::span<const GroundLiteral> image, const Chain& chain,
                                             std::size_t size, Members& members) {
    for (std::size_t k = 0; k < size; ++k) members[k] = image[chain[k]];
    return std::span(members).first(size);
  }

  FormulaKey key_of(std::span<const GroundLiteral> literals) const {
    return options_.ground ? ground_key(literals) : lifted_key(literals);
  }

  std::vector<Chain> chains_of(std::size_t image, Piece& piece, std::size_t size) const {
    const std::size_t place = image - piece.begin;
    const ImageChains chains(literals_.image(image), options_.substring ? &labels_ : nullptr);
    bool capped = false;
    std::vector<Chain> found;
    if (size == 1) {
      found = chains.single();
      capped = found.size() > piece.left[place];
      if (capped) found.resize(piece.left[place]);
    } else {
      std::vector<Chain> shorter;
      for (const FoundChain& one : piece.chains[place]) shorter.push_back(one.chain);
      found = chains.longer(shorter, size, options_.tree, piece.left[place], capped);
    }
    if (capped) piece.capped[place] = true;
    piece.left[place] -= found.size();
    return found;
  }

  void find_chains(Piece& piece, std::size_t size) const {
    NumberOfFormula numbers;
    std::vector<std::size_t> last;  // the image that had the formula last
    piece.formulas.clear();
    Members members;
    for (std::size_t image = piece.begin; image < piece.end; ++image) {
      std::vector<FoundChain> found;
      for (const Chain& chain : chains_of(image, piece, size)) {
        const FormulaKey key = key_of(pick(literals_.image(image), chain, size, members));
        const auto [at, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(piece.formulas.size()));
        const std::uint32_t formula = at->second;
        if (is_new) {
          piece.formulas.push_back({key});
          last.push_back(literals_.images());
        }
        if (last[formula] != image) ++piece.formulas[formula].images;
        last[formula] = image;
        found.push_back({chain, formula});
      }
      piece.chains[image - piece.begin] = std::move(found);
    }
  }

  // Formulas of all pieces get common numbers.
  void join_formulas() {
    numbers_.clear();
    formulas_.clear();
    std::vector<std::uint32_t> common;
    for (Piece& piece : pieces_) {
      common.clear();
      for (const Formula& formula : piece.formulas) {
        const auto [at, is_new] =
            numbers_.try_emplace(formula.key, static_cast<std::uint32_t>(formulas_.size()));
        if (is_new) formulas_.push_back({formula.key});
        formulas_[at->second].images += formula.images;
        common.push_back(at->second);
      }
      for (std::vector<FoundChain>& chains : piece.chains) {
        for (FoundChain& one : chains) one.formula = common[one.formula];
      }
      piece.formulas = {};
    }
  }

  bool confident(const Formula& formula) const {
    const auto images = static_cast<double>(formula.images);
    for (std::size_t k = 0; k < formula.key.size && formula.key.size > 1; ++k) {
      const FormulaKey alone = literal_key(formula.key, k, options_.ground);
      const auto all = static_cast<double>(single_formulas_[singles_.at(alone)].images);
      if (!(images / all > options_.min_confidence)) return false;
    }
    return true;
  }

  // Lists the formulas that stay, and forgets the chains of the others.
  void filter(std::size_t size) {
    places_.assign(formulas_.size(), kGone);
    for (std::size_t k = 0; k < formulas_.size(); ++k) {
      Formula& formula = formulas_[k];
      formula.passes = formula.images >= options_.min_images && confident(formula);
      if (!formula.passes && !(size == 1 && !options_.ground)) continue;
      places_[k] = static_cast<std::uint32_t>(result_.formulas.size());
      result_.formulas.push_back({formula.key, formula.images, options_.ground ? std::size_t{1} : 0});
    }
  }

  void count_supports(std::size_t size) {
    std::vector<std::vector<Grounding>> parts(pieces_.size());
    pool_.parallel_for(pieces_.size(), [&](std::size_t k) {
      if (!options_.ground) parts[k] = groundings_of(pieces_[k], size);
      for (std::vector<FoundChain>& chains : pieces_[k].chains)
        std::erase_if(chains, [&](const FoundChain& one) { return !formulas_[one.formula].passes; });
    });
    std::vector<Grounding> all;
    for (std::vector<Grounding>& part : parts) {
      all.insert(all.end(), part.begin(), part.end());
      part = {};
    }
    sort_and_unite(all);
    for (const Grounding& grounding : all) ++result_.formulas[grounding.formula].support;
  }

  std::vector<Grounding> groundings_of(const Piece& piece, std::size_t size) const {
    std::vector<Grounding> out;
    std::vector<Substitution> ways;
    Members members;
    for (std::size_t image = piece.begin; image < piece.end; ++image) {
      for (const FoundChain& one : piece.chains[image - piece.begin]) {
        const std::uint32_t place = places_[one.formula];
        if (place == kGone) continue;
        lifted_key(pick(literals_.image(image), one.chain, size, members), &ways);
        for (const Substitution& constants : ways) out.push_back({place, constants});
      }
    }
    sort_and_unite(out);
    return out;
  }

  static constexpr std::uint32_t kGone = 0xFFFFFFFF;

  const ImageLiterals& literals_;
  const StructureOptions& options_;
  ImageChains::Labels labels_;
  ThreadPool pool_;
  std::vector<Piece> pieces_;
  NumberOfFormula numbers_, singles_;                // of the present size; of size 1
  std::vector<Formula> formulas_, single_formulas_;  // likewise
  std::vector<std::uint32_t> places_;                // of the present formulas among those that stay
  FormulaCounts result_;
};

}  // namespace

FormulaCounts count_formulas(const ImageLiterals& literals, const StructureOptions& options) {
  return Counter(literals, options).run();
}

}  // namespace capella::method::mln
