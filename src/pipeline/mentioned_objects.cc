#include "pipeline/mentioned_objects.h"

#include <algorithm>
#include <map>
#include <set>

#include "capella/mln.h"

#include "base/thread_pool.h"
#include "io/read.h"
#include "pipeline/claim_reader.h"

namespace capella {
namespace {

using method::mln::EntailmentJudge;

// The captions of each image, with what they claim.
struct ReadImages {
  struct Image {
    std::string id;
    std::vector<std::vector<std::string>> things;  ///< one list per caption
  };
  std::vector<Image> images;
};

ReadImages read_images(const io::CaptionTable& table, const pipeline::ClaimReader& reader,
                       std::size_t threads, const Progress& progress) {
  std::vector<std::string_view> texts;
  for (const io::CaptionRow& row : table.rows) texts.push_back(row.caption);
  ThreadPool pool(threads);
  const auto claims = reader.read(texts, pool, progress);
  ReadImages made;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const auto [found, is_new] = places.emplace(table.rows[k].id, made.images.size());
    if (is_new) made.images.push_back({std::string(table.rows[k].id), {}});
    made.images[found->second].things.push_back(EntailmentJudge::things(*claims[k]));
  }
  return made;
}

struct Missed {
  std::size_t told = 0, missed = 0;

  void count(const std::string& thing, const std::vector<std::string>& known, const EntailmentJudge& judge) {
    ++told;
    missed +=
        std::ranges::none_of(known, [&](const std::string& other) { return judge.same_thing(thing, other); });
  }
};

// Each caption against the others of its image.
void count_left_out(const ReadImages::Image& image, const EntailmentJudge& judge, Missed& missed) {
  for (std::size_t k = 0; k < image.things.size(); ++k) {
    std::vector<std::string> others;
    for (std::size_t j = 0; j < image.things.size(); ++j)
      if (j != k) others.insert(others.end(), image.things[j].begin(), image.things[j].end());
    for (const std::string& thing : image.things[k]) missed.count(thing, others, judge);
  }
}

}  // namespace

namespace pipeline {

std::vector<io::ImageObjects> objects_of_references(const std::string& captions, std::size_t threads,
                                                    const Progress& progress) {
  const ClaimReader reader;
  std::vector<io::ImageObjects> objects;
  for (const ReadImages::Image& image :
       read_images(io::read_table_file(captions, {}), reader, threads, progress).images) {
    io::ImageObjects& made = objects.emplace_back();
    made.image = image.id;
    std::set<std::string> things;
    for (const std::vector<std::string>& list : image.things) things.insert(list.begin(), list.end());
    for (const std::string& thing : things) {
      made.objects.emplace_back();
      made.objects.back().label = thing;
    }
  }
  return objects;
}

}  // namespace pipeline

double mln_missed_things(const std::string& captions, const std::string& split, const std::string& objects,
                         std::size_t threads, const Progress& progress) {
  const pipeline::ClaimReader reader;
  io::ReadOptions read;
  read.split = split;
  const ReadImages told = read_images(io::read_table_file(captions, read), reader, threads, progress);
  std::map<std::string, std::vector<std::string>> detected;
  if (!objects.empty()) {
    for (const io::ImageObjects& image : io::read_objects(objects)) {
      std::vector<std::string>& words = detected[image.image];
      for (const io::DetectedObject& object : image.objects) words.push_back(object.label);
    }
  }
  Missed missed;
  for (const ReadImages::Image& image : told.images) {
    if (objects.empty()) {
      count_left_out(image, reader.judge(), missed);
    } else {
      for (const auto& things : image.things)
        for (const std::string& thing : things) missed.count(thing, detected[image.id], reader.judge());
    }
  }
  return static_cast<double>(missed.missed + 1) / static_cast<double>(missed.told + 2);
}

}  // namespace capella
