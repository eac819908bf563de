#include "reference/clip_score_reference.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace capella::reference {
namespace {

using Real = long double;
using Reals = std::vector<Real>;
using Rows = std::vector<Reals>;

Reals unit(const Numbers& vector) {
  Real square = 0;
  for (const double x : vector) square += static_cast<Real>(x) * x;
  Reals out;
  for (const double x : vector) out.push_back(x / std::sqrt(square));
  return out;
}

double cosine(const Numbers& a, const Numbers& b) {
  const Reals x = unit(a), y = unit(b);
  Real sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return static_cast<double>(sum);
}

Reals joined(Reals first, const Reals& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// The inverse and the logarithm of the determinant, by elimination with the largest pivot.
struct Inverse {
  Rows rows;
  Real log_determinant = 0;
};

Inverse inverse_of(Rows a) {
  const std::size_t n = a.size();
  Inverse result;
  result.rows.assign(n, Reals(n, 0));
  for (std::size_t i = 0; i < n; ++i) result.rows[i][i] = 1;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t i = column; i < n; ++i) {
      if (std::fabs(a[i][column]) > std::fabs(a[pivot][column])) pivot = i;
    }
    std::swap(a[column], a[pivot]);
    std::swap(result.rows[column], result.rows[pivot]);
    const Real by = a[column][column];
    result.log_determinant += std::log(std::fabs(by));
    for (std::size_t j = 0; j < n; ++j) a[column][j] /= by, result.rows[column][j] /= by;
    for (std::size_t i = 0; i < n; ++i) {
      const Real factor = a[i][column];
      if (i == column || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[column][j];
        result.rows[i][j] -= factor * result.rows[column][j];
      }
    }
  }
  return result;
}

struct Gaussian {
  Reals mean;
  Inverse inverse;
};

Gaussian fitted(const Rows& samples, double epsilon) {
  const std::size_t n = samples[0].size();
  const Real count = static_cast<Real>(samples.size());
  Gaussian result;
  result.mean.assign(n, 0);
  for (const Reals& sample : samples) {
    for (std::size_t i = 0; i < n; ++i) result.mean[i] += sample[i] / count;
  }
  Rows covariance(n, Reals(n, 0));
  for (const Reals& sample : samples) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        covariance[i][j] += (sample[i] - result.mean[i]) * (sample[j] - result.mean[j]) / (count - 1);
    }
  }
  for (std::size_t i = 0; i < n; ++i) covariance[i][i] += epsilon;
  result.inverse = inverse_of(covariance);
  return result;
}

Real distance(const Reals& place, const Gaussian& gaussian) {
  Real sum = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    for (std::size_t j = 0; j < place.size(); ++j)
      sum += (place[i] - gaussian.mean[i]) * gaussian.inverse.rows[i][j] * (place[j] - gaussian.mean[j]);
  }
  return sum;
}

}  // namespace

double clip_score(const Numbers& picture, const Numbers& caption, double weight) {
  const double found = cosine(picture, caption);
  return found > 0 ? weight * found : 0;
}

double ref_clip_score(const Numbers& picture, const Numbers& caption, const std::vector<Numbers>& references,
                      double weight) {
  const double a = clip_score(picture, caption, weight);
  double b = 0;
  for (const Numbers& reference : references) b = std::fmax(b, cosine(caption, reference));
  return a == 0 || b == 0 ? 0 : 2 / (1 / a + 1 / b);
}

MidScores mid(const std::vector<MidItem>& items, double epsilon) {
  Rows x, y, z;
  for (const MidItem& item : items) {
    for (const Numbers& reference : item.references) {
      x.push_back(unit(reference));
      y.push_back(unit(item.picture));
      z.push_back(joined(x.back(), y.back()));
    }
  }
  const Gaussian of_x = fitted(x, epsilon), of_y = fitted(y, epsilon), of_z = fitted(z, epsilon);
  const Real information =
      (of_x.inverse.log_determinant + of_y.inverse.log_determinant - of_z.inverse.log_determinant) / 2;
  MidScores scores;
  Real sum = 0;
  for (const MidItem& item : items) {
    const Reals caption = unit(item.caption), picture = unit(item.picture);
    const Real without_picture = distance(caption, of_x) - distance(joined(caption, picture), of_z);
    scores.items.push_back(
        static_cast<double>(information + (without_picture + distance(picture, of_y)) / 2));
    sum += without_picture;
  }
  Real pictures = 0;  // of the references' pairs; without epsilon, as many as a vector has numbers
  for (const Reals& picture : y) pictures += distance(picture, of_y);
  pictures /= static_cast<Real>(y.size() - 1);
  const Real count = static_cast<Real>(items.size());
  scores.corpus = static_cast<double>(information + (sum / (count - 1) + pictures) / 2);
  return scores;
}

}  // namespace capella::reference
