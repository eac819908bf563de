// A small English for tests and fuzzing: few words, so that any two sentences over them match in many ways.
#pragma once

#include <string>
#include <vector>

#include "reference/meteor_reference_words.h"

namespace capella::reference {

/// Base forms that share synsets, every regular ending, irregular forms (one of two words at once), function
/// words and abbreviations; the paraphrases are the caller's.
inline MeteorFiles small_meteor_files(std::string paraphrases) {
  MeteorFiles files;
  files.synsets =
      "ad\n00000001\nbake\n00000001\no\n00000002\nbig\n00000002 00000003\nbox\n00000004\nbus\n00000005\n"
      "car\n00000006\nautomobile\n00000006\nchild\n00000007\nkid\n00000007\nchurch\n00000008\n"
      "dish\n00000009\ndog\n00000010 00000011\nhound\n00000011\npuppy\n00000011 00000012\nfox\n00000004\n"
      "give\n00000013\npass\n00000013 00000014\nglass\n00000015\npas\n00000010\ngood\n00000016\n"
      "well\n00000016\nhop\n00000017\nhope\n00000018\nhopeful\n00000018\nlady\n00000019\n"
      "large\n00000003\nleaf\n00000020\nleave\n00000021\nman\n00000022\nperson\n00000022\n"
      "woman\n00000019 00000022\nmouse\n00000023\nquiz\n00000024\ntest\n00000024\nride\n00000025\n"
      "run\n00000026 00000027\njog\n00000027\nmr\n00000028\nmr.\n00000028\nhot_dog\n00000029\n";
  files.exceptions =
      "child\nchildren\ngive\ngave given\ngood\nbetter best\nwell\nbetter best\nleaf\nleaves\n"
      "leave\nleaves left\nmouse\nmice\nrun\nran\nnowhere\nleft\nquiz\nquizzes\n";
  files.function_words = "the\na\nof\nto\nis\non\n's\n,\n.\n\"\n'\n-\n-lrb-\n't\n";
  files.prefixes =
      "#A full stop behind these ends no sentence.\n\nA\nMr\nDr\nSt\nvs\ni.e\n# before numbers\n"
      "No #NUMERIC_ONLY# \npp #NUMERIC_ONLY#\n";
  files.paraphrases = std::move(paraphrases);
  return files;
}

/// Words of that English in all their forms, and some that it does not know.
inline const std::vector<std::string>& small_meteor_vocabulary() {
  static const std::vector<std::string> kWords = {
      "a",       "the",    "of",         "to",     "is",       "on",      "'s",         ",",      ".",
      "dog",     "dogs",   "hound",      "hounds", "puppy",    "puppies", "man",        "men",    "person",
      "persons", "woman",  "women",      "child",  "children", "kid",     "kids",       "run",    "runs",
      "running", "ran",    "jog",        "jogged", "mouse",    "mice",    "good",       "better", "best",
      "well",    "leaf",   "leave",      "leaves", "left",     "box",     "boxes",      "fox",    "bus",
      "buses",   "church", "churches",   "dish",   "dishes",   "quiz",    "quizzes",    "test",   "tests",
      "lady",    "ladies", "bake",       "baked",  "baking",   "baker",   "big",        "bigger", "biggest",
      "large",   "larger", "largest",    "glass",  "pass",     "passes",  "give",       "given",  "gave",
      "hope",    "hopes",  "hoping",     "hop",    "hopping",  "hopeful", "ride",       "riding", "rider",
      "car",     "cars",   "automobile", "mr",     "mr.",      "connect", "connection", "zzz",    "ads",
      "os",      "café",
  };
  return kWords;
}

}  // namespace capella::reference
