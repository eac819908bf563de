// The arithmetic of MID: normal distributions of texts, of pictures and of the two together, fitted to pairs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace capella::metric {

class MidModel {
 public:
  using VectorOf = std::function<std::span<const float>(std::size_t pair)>;

  /// Vectors of `width` numbers, of any length: their directions count. `epsilon` is added to the variances.
  MidModel(std::size_t pairs, std::size_t width, const VectorOf& text, const VectorOf& picture,
           double epsilon);
  ~MidModel();
  MidModel(MidModel&&) noexcept;

  /// Whether there were too few pairs, or too much alike, to tell anything. Nothing else may be asked then.
  bool is_singular() const { return singular_; }

  /// What texts and pictures tell about each other, in nats.
  double information() const { return information_; }
  /// The mean square (divisor pairs - 1) of the distances of the fitted pairs' pictures; without epsilon, as
  /// many as a vector has numbers.
  double mean_picture() const { return mean_picture_; }

  /// The squares of Mahalanobis' distances of a text, a picture and the two together from what is usual.
  struct Distances {
    double text = 0;
    double picture = 0;
    double both = 0;
  };
  Distances distances(std::span<const float> text, std::span<const float> picture) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
  double information_ = 0;
  double mean_picture_ = 0;
  bool singular_ = false;
};

}  // namespace capella::metric
