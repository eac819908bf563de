// The authors' values, as their programs have them; the counts they publish follow from these.
#include "method/pregen/generator.h"

namespace capella::method::pregen {

Recipe recipe(Architecture architecture, std::size_t vocabulary, std::size_t image) {
  Recipe made;
  made.architecture = architecture;
  made.vocabulary = vocabulary;
  made.image = image;
  switch (architecture) {
    case Architecture::init:
      made.xavier = true;
      made.clip = .01;
      made.batch = 128;
      break;
    case Architecture::pre:
      break;
    case Architecture::par:
      made.size = 256;
      made.image_dropout = .5;
      made.l2 = 1e-8;
      made.batch = 64;
      made.beam = 5;
      break;
    case Architecture::merge:
      made.size = 128;
      made.embedding_dropout = 0;
      made.batch = 128;
      break;
  }
  return made;
}

std::size_t parameter_count(const Recipe& recipe) {
  const std::size_t size = recipe.size;
  const bool par = recipe.architecture == Architecture::par;
  const bool merge = recipe.architecture == Architecture::merge;
  const std::size_t image = recipe.image * size + size;
  const std::size_t embedding = recipe.vocabulary * size;
  const std::size_t first_state = par || merge ? size : 0;  // is learnt
  const std::size_t cell_input = (par ? 2 * size : size) + size;
  const std::size_t cell = 3 * (cell_input * size + size);  // two gates and the candidate
  const std::size_t output = ((merge ? 2 * size : size) + 1) * recipe.vocabulary;
  return image + embedding + first_state + cell + output;
}

}  // namespace capella::method::pregen
