// What networks of attention learn from: which atoms p(s, o) the captions of an image tell and which they do
// not, and the pairs of objects each atom may be about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/objects.h"
#include "io/triplets.h"
#include "method/mln/attention/attention.h"

namespace capella::method::mln {

/// Where negative bags come from. Captions tell only some of what is true, so none of them is sure.
enum class Negatives {
  /// Pairs that the image's captions tell with other predicates, and not with this one (the authors'
  /// program).
  other_predicates,
  /// Pairs of the image that lack one of the two labels of the positive bag (the paper).
  mismatch,
  /// All pairs of the image with labels that the predicate was seen with, that are not told: the same atoms
  /// that are asked for later.
  possible,
  /// Those of them that the captions tell with another predicate: what is said of the pair when something is
  /// said of it.
  mentioned,
  /// Half of mentioned, half of possible: tells relations of a pair from each other, and pairs that stand in
  /// one from those that stand in none.
  mixed,
};

enum class Part { train, held_out };

/// A pair of words in an image; the numbers are those of ToldImages.
struct PairPlace {
  std::uint32_t image, subject, object;
  friend auto operator<=>(const PairPlace&, const PairPlace&) = default;
};

struct PlacedPairs {
  std::vector<PairPlace> told, others;
};

/// Images with objects and triplets, joined by their ids.
class ToldImages {
 public:
  /// Rows of split train and restval are trained on, val is held out, others are left out. Both must outlive
  /// this.
  ToldImages(std::span<const io::ImageObjects> images, std::span<const io::TripletRow> rows);

  /// Predicates with at least `least` pairs told in training images whose both words are detected, in order
  /// of their strings.
  std::vector<std::string> predicates(std::size_t least) const;

  /// The told pairs of a predicate and the negative ones; `kind` is not mixed.
  PlacedPairs pairs(std::string_view predicate, Part part, Negatives kind) const;

  /// Which object stands for which word: the best of the image by score.
  std::span<const std::uint16_t> objects(std::uint32_t image, std::uint32_t word) const;
  const io::ImageObjects& image(std::uint32_t place) const { return images_[place]; }
  /// Places of images that have a part.
  std::vector<std::uint32_t> used_images() const;

 private:
  struct Word {
    std::uint32_t word;
    bool is_label;
    std::vector<std::uint16_t> objects;
  };
  struct Told {
    std::uint32_t predicate, subject, object;
    friend auto operator<=>(const Told&, const Told&) = default;
  };
  struct Image {
    Part part = Part::train;
    bool used = false;
    std::vector<Word> words;  // sorted
    std::vector<Told> told;   // sorted, each once; both words are detected
  };
  struct Domain {
    std::vector<bool> subjects, objects;  // by word: whether a training image has it there
  };
  using Numbers = std::map<std::string, std::uint32_t, std::less<>>;

  static std::uint32_t number(Numbers& numbers, const std::string& text);
  void add_words(std::uint32_t place);
  void add_row(const io::TripletRow& row, const std::map<std::string_view, std::uint32_t>& places);
  Domain domain(std::uint32_t predicate) const;
  void add_others(std::uint32_t place, std::uint32_t predicate, Negatives kind, const Domain& domain,
                  PlacedPairs& out) const;
  std::vector<PairPlace> candidates(std::uint32_t place, std::uint32_t predicate, Negatives kind,
                                    const Domain& domain, std::span<const PairPlace> told) const;
  bool is_empty(const PairPlace& pair) const;
  bool overlap(const PairPlace& a, const PairPlace& b) const;

  std::span<const io::ImageObjects> images_;
  std::vector<Image> known_;  // as images_
  Numbers words_, predicates_;
};

/// The objects' features, as floats: as many as fit into `bytes` are kept, others are read when they are
/// asked for. Many threads may ask at once.
class FeatureStore {
 public:
  static constexpr std::size_t kBytes = std::size_t{4} << 30;
  /// Reads those of `places`. Throws if widths differ.
  FeatureStore(std::span<const io::ImageObjects> images, std::span<const std::uint32_t> places,
               std::size_t bytes = kBytes);

  std::shared_ptr<const io::Matrix> of(std::uint32_t place) const;
  std::size_t width() const { return width_; }

 private:
  std::shared_ptr<const io::Matrix> read(std::uint32_t place) const;

  std::span<const io::ImageObjects> images_;
  std::vector<std::shared_ptr<const io::Matrix>> kept_;
  std::size_t width_ = 0;
};

/// All pairs of different objects out of both lists; the vectors of `bag` are used again.
void fill_bag(const io::ImageObjects& image, const io::Matrix& features,
              std::span<const std::uint16_t> subjects, std::span<const std::uint16_t> objects,
              bool pixel_boxes, Bag& bag);

/// The best `kRegions` objects that are called so. Throws DataError if the image has more than 65,536
/// objects.
std::vector<std::uint16_t> objects_called(const io::ImageObjects& image, std::string_view word);

}  // namespace capella::method::mln
