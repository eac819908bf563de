#include "world/rows.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "world/facts.h"
#include "world/features.h"
#include "world/logic.h"

namespace capella::world {
namespace {

using Json = nlohmann::ordered_json;

// In pixels, to a tenth.
Json pixel_box(const Box& box, std::size_t size) {
  Json out = Json::array();
  for (const double value : {box.x1, box.y1, box.x2, box.y2})
    out.push_back(std::round(value * static_cast<double>(size) * 10) / 10);
  return out;
}

Json attributes_of(const Group& group) {
  Json out = Json::array();
  if (group.coloured) out.push_back(name(group.colour));
  if (group.size != Size::medium) out.push_back(name(group.size));
  if (group.pattern != Pattern::plain) out.push_back(name(group.pattern));
  return out;
}

Json dataset_row(const Place& place, const Story& story) {
  Json sentences = Json::array(), ids = Json::array();
  for (std::size_t i = 0; i < story.reference_texts.size(); ++i) {
    const std::string& text = story.reference_texts[i];
    const std::uint64_t id = place.image * story.reference_texts.size() + i;
    ids.push_back(id);
    sentences.push_back({{"tokens", words_of(text)}, {"raw", text}, {"imgid", place.image}, {"sentid", id}});
  }
  return {{"filepath", "images"},  {"filename", picture_name(place.id())}, {"imgid", place.image},
          {"cocoid", place.id()},  {"split", kSplitNames[place.split]},    {"sentids", ids},
          {"sentences", sentences}};
}

Json objects_row(const Place& place, const Scene& scene, Draw& draw) {
  Json objects = Json::array();
  for (const Group& group : scene.groups) {
    Json aliases = Json::array();
    for (std::size_t i = 1; i < info(group.id).noun_count(); ++i)
      aliases.push_back(info(group.id).nouns[i].singular);
    for (const Box& box : group.boxes) {
      objects.push_back({{"label", name(group.id)},
                         {"aliases", aliases},
                         {"box", pixel_box(box, place.options.size)},
                         {"score", std::round(draw.between(.6, 1) * 100) / 100}});
    }
  }
  return {{"image_id", std::to_string(place.id())},
          {"width", place.options.size},
          {"height", place.options.size},
          {"objects", objects},
          {"features", fmt::format("feat/{}.npy", place.id())}};
}

// A relation of groups holds between their members: each with each, but one to one where both are as many;
// places only where the boxes say so.
void add_relations(Json& out, const Scene& scene, const Relation& relation,
                   const std::vector<std::size_t>& first) {
  const Group& subject = scene.groups[static_cast<std::size_t>(relation.subject)];
  const Group& object = scene.groups[static_cast<std::size_t>(relation.object)];
  const bool action = info(relation.predicate).action;
  const bool one_to_one = action && subject.count() == object.count();
  for (std::size_t i = 0; i < subject.count(); ++i) {
    for (std::size_t j = 0; j < object.count(); ++j) {
      if (one_to_one ? i != j : !action && !holds(relation.predicate, subject.boxes[i], object.boxes[j]))
        continue;
      out.push_back({first[static_cast<std::size_t>(relation.subject)] + i, info(relation.predicate).label,
                     first[static_cast<std::size_t>(relation.object)] + j});
    }
  }
}

Json graph_row(const Place& place, const Scene& scene) {
  Json objects = Json::array(), relations = Json::array();
  std::vector<std::size_t> first;
  for (const Group& group : scene.groups) {
    first.push_back(objects.size());
    for (const Box& box : group.boxes) {
      objects.push_back({{"class", name(group.id)},
                         {"kind", name(info(group.id).kind)},
                         {"attributes", attributes_of(group)},
                         {"box", pixel_box(box, place.options.size)}});
    }
  }
  for (const Relation& relation : scene.relations) add_relations(relations, scene, relation, first);
  return {{"image_id", std::to_string(place.id())},
          {"split", kSplitNames[place.split]},
          {"setting", info(scene.setting).label},
          {"objects", objects},
          {"relations", relations}};
}

void add_triplets(ImageRows& rows, const Place& place, const Story& story) {
  const std::string id = std::to_string(place.id());
  const std::string_view split = kSplitNames[place.split];
  for (std::size_t i = 0; i < story.references.size(); ++i) {
    rows.of(Table::triplets)
        .push_back(Json{{"image_id", id},
                        {"split", split},
                        {"caption_id", place.image * story.references.size() + i},
                        {"triplets", triplets_of(story.references[i])}}
                       .dump());
  }
  Json gold = Json::array();
  for (const Relation& relation : story.scene.relations) {
    gold.push_back(triplet(story.scene, relation));
  }
  rows.of(Table::gold_triplets)
      .push_back(Json{{"image_id", id}, {"split", split}, {"triplets", gold}}.dump());
}

void add_labels(ImageRows& rows, const Place& place, const Scene& scene) {
  const std::string id = std::to_string(place.id());
  const Labels labels = label_concept(scene, place.options.seed, place.image);
  rows.of(Table::concepts)
      .push_back(Json{{"image_id", id}, {"labels", labels.given}, {"concept", labels.truth}}.dump());
  const RankedAtoms ranked = rank_atoms(scene, place.options.seed, place.image);
  rows.of(Table::atom_ranks)
      .push_back(
          Json{{"image_id", id}, {"atoms", ranked.atoms}, {"truth", ranked.truth}, {"ranks", ranked.ranks}}
              .dump());
}

void add_judgements(ImageRows& rows, const Place& place, const Story& story) {
  for (const Judged& judged :
       judge(story, place.workers, place.options.noise, place.options.seed, place.image)) {
    for (const Rating& rating : judged.ratings) {
      rows.of(Table::raw_ratings)
          .push_back(fmt::format("{},{},\"{}\",{},{}", place.workers[rating.worker].name, place.id(),
                                 judged.caption->text, rating.points, rating.seconds));
    }
    rows.of(Table::judgements)
        .push_back(Json{{"image_id", std::to_string(place.id())},
                        {"mt", judged.caption->text},
                        {"refs", story.reference_texts},
                        {"score", judged.score},
                        {"judgements", judged.careful},
                        {"error", judged.error},
                        {"truth", std::round(judged.truth * 1e6) / 1e6}}
                       .dump());
  }
}

void add_systems(ImageRows& rows, const Place& place, const Story& story) {
  for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind) {
    for (const double rate : kErrorRates) {
      rows.systems.push_back(
          Json{{"image_id", place.id()}, {"caption", story.caption(kind, rate).text}}.dump());
    }
  }
}

void add_foil(ImageRows& rows, const Place& place, const Story& story) {
  if (!story.foil) return;
  const Judged judged =
      judge_foil(story, place.workers, place.options.noise, place.options.seed, place.image);
  rows.of(Table::foil)
      .push_back(Json{{"image_id", place.id()},
                      {"caption", story.system.text},
                      {"foil", write_caption(story.foil->plan)},
                      {"references", story.reference_texts},
                      {"target_word", story.foil->target_word},
                      {"foil_word", story.foil->foil_word},
                      {"foil_score", judged.score},
                      {"foil_judgements", judged.careful},
                      {"foil_truth", std::round(judged.truth * 1e6) / 1e6}}
                     .dump());
}

}  // namespace

std::string picture_name(std::uint64_t id) {
  return fmt::format("{:06}.png", id);
}

ImageRows make_rows(const Place& place, const Story& story) {
  ImageRows rows;
  rows.split = place.split;
  Draw draw(place.options.seed, Stream::features, 2 * place.image);
  rows.features = image_features(story.scene, draw);
  rows.of(Table::objects).push_back(objects_row(place, story.scene, draw).dump());
  for (const Group& group : story.scene.groups) rows.objects += group.count();
  rows.of(Table::dataset).push_back(dataset_row(place, story).dump());
  rows.of(Table::references)
      .push_back(Json{{"image_id", place.id()}, {"captions", story.reference_texts}}.dump());
  rows.of(Table::graphs).push_back(graph_row(place, story.scene).dump());
  add_triplets(rows, place, story);
  add_labels(rows, place, story.scene);
  add_foil(rows, place, story);
  add_judgements(rows, place, story);
  add_systems(rows, place, story);
  rows.of(Table::logic)
      .push_back(logic_row(place.options.seed, place.image, std::to_string(place.id()),
                           std::string(kSplitNames[place.split])));
  rows.noted = note(story);
  return rows;
}

}  // namespace capella::world
