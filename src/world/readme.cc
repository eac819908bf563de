#include <fmt/format.h>

#include "world/features.h"
#include "world/truth.h"

namespace capella::world {
namespace {

// The shortest command that makes the same bytes.
std::string command_text(const WorldOptions& options) {
  const WorldOptions usual;
  std::string text = fmt::format("capella world --images {} --seed {}", options.images, options.seed);
  if (options.size != usual.size) text += fmt::format(" --size {}", options.size);
  if (options.references != usual.references) text += fmt::format(" --references {}", options.references);
  if (options.splits != usual.splits)
    text += fmt::format(" --splits {},{},{}", options.splits[0], options.splits[1], options.splits[2]);
  if (options.noise != usual.noise) text += fmt::format(" --noise {}", options.noise);
  return text + " -o DIR";
}

constexpr std::string_view kText = R"(# A generated world

**Everything in this folder is generated.** No picture, caption or judgement comes from the real world or from people;
say so wherever you print a number made from it. Made by

    {command}

{images} images ({train} train, {val} val, {test} test), {objects} objects, {captions} reference captions. The same command makes
the same bytes. Every image has one id from 1 up, its `cocoid` in `dataset.json`: it is meant wherever a file says `image_id` (as a number or as
text), and by the names of pictures and features. (`imgid` in `dataset.json` is the image's place in that file, from 0, as in Karpathy's.)

| file | what it holds |
|---|---|
| `truth.json` | the grammar with its probabilities and what came of them here, rules with their true probabilities and counts, nouns and wordings, sizes and noise of features, counts of errors, the judges and what they rate by |
| `images/000001.png` | the pictures, {size} x {size} RGB |
| `dataset.json` | Karpathy's layout: references with tokens and splits; `cocoid` is the image's id |
| `references.json` | the same references as a list of `image_id`, `captions`; what the systems are scored against |
| `systems/KIND-RATE.json` | captions of a system that makes errors of one kind in a share RATE of its captions, and no others. Where it makes none its caption is that of rate 0, which is the same for all kinds; who errs at a rate errs in the same way at every higher one |
| `objects.jsonl`, `feat/ID.npy` | objects with labels, aliases, boxes in pixels and features: float32, one row per object, {object_width} columns |
| `image_features.npy` | float32, one row per image in the order of `dataset.json`, {image_width} columns |
| `graphs.jsonl` | the scene graphs: objects in the order of `objects.jsonl`, attributes, boxes, relations as (subject, predicate, object) |
| `triplets.jsonl` | the triplets that each reference tells; `caption_id` is its `sentid` |
| `gold_triplets.jsonl` | all true triplets of each image |
| `concepts.jsonl` | three labellers' names for what the image is about, and the truth |
| `atom_ranks.jsonl` | triplets about an image, which of them are true, and three labellers' ranks of them (1: the least certain) |
| `foil.jsonl` | captions, and the same with one noun exchanged for another of its kind that the scene does not have; what the careful judges say of the latter (`foil_score`, 0..1), and its known quality (`foil_truth`) |
| `raw_ratings.csv` | {ratings} ratings 1..5 by simulated judges, some of them careless (which: `truth.json`) |
| `judgements_train.json`, `judgements_val.json`, `judgements_test.json` | rated captions: `mt`, `refs`, `score` (the careful judges' mean, 0..1), and the known `truth` and `error` |
| `logic/network.mln`, `logic/triplets.jsonl` | a Markov logic network with its true weights, and worlds drawn from it |

Kinds of errors: `wrong-attribute` (a colour, size or pattern is another), `wrong-relation` (a predicate is another), `missing-object` (a thing is left
out), `hallucinated-object` (a thing is told that is not there), `unrelated` (a good caption of another scene), `shuffled` (the words in random order).

For example:

    capella score references.json systems/wrong-attribute-*.json
    capella score dataset.json --split test --missing skip systems/shuffled-0.50.json
    capella meta nebula judgements_test.json
    capella meta foil foil.jsonl
    capella meta prepare raw_ratings.csv --references references.json -o prepared.json
)";

}  // namespace

std::string readme_text(const WorldOptions& options, const WorldSummary& summary) {
  return fmt::format(kText, fmt::arg("command", command_text(options)), fmt::arg("images", options.images),
                     fmt::arg("train", summary.splits[0]), fmt::arg("val", summary.splits[1]),
                     fmt::arg("test", summary.splits[2]), fmt::arg("objects", summary.objects),
                     fmt::arg("captions", summary.captions), fmt::arg("size", options.size),
                     fmt::arg("object_width", kObjectWidth), fmt::arg("image_width", kImageWidth),
                     fmt::arg("ratings", summary.ratings));
}

}  // namespace capella::world
