#include "world/judge_caption.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "world/draw.h"
#include "world/read_caption.h"

namespace capella::world {
namespace {

constexpr std::uint64_t kOwnRatings = 0x6A0DE;  // the judges' draws here are others than those in the files

// 1 of a sentence, kShuffled of words without order, and linear between.
double readability(const CaptionReading& reading) {
  if (reading.words == 0) return 0;
  const double broken =
      static_cast<double>(reading.left_over + reading.gaps) / static_cast<double>(reading.words);
  return 1 - (1 - kShuffled) * std::min(1., broken / kBroken);
}

}  // namespace

double caption_quality(std::string_view caption, const Scene& scene) {
  const CaptionReading reading = read_caption(caption);
  double best = 0;
  for (const std::vector<Fact>& facts : reading.meanings) best = std::max(best, quality(facts, scene));
  return best * readability(reading);
}

CaptionJudges::CaptionJudges(std::uint64_t seed, std::size_t images, double noise)
    : seed_(seed), noise_(noise), careful_(make_workers(seed, images)) {
  std::erase_if(careful_, [](const Worker& worker) { return worker.habit != Worker::Habit::careful; });
}

JudgedCaption CaptionJudges::judge(std::uint64_t image, std::string_view caption) const {
  JudgedCaption judged{caption_quality(caption, make_scene(seed_, image)), 0};
  Draw draw(hash_combine(seed_, kOwnRatings), Stream::judges, hash_combine(image, hash_bytes(caption)));
  std::vector<std::size_t> order(careful_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  draw.shuffle(order);
  const std::size_t count = std::min(kRatingsPerCaption, order.size());
  for (std::size_t i = 0; i < count; ++i)
    judged.rating += (rate(careful_[order[i]], order[i], judged.quality, noise_, draw).points - 1) / 4.;
  judged.rating /= static_cast<double>(count);
  return judged;
}

}  // namespace capella::world
