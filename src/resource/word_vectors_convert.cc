#include "resource/word_vectors_convert.h"

#include <vector>

#include "capella/error.h"

#include "resource/word_vectors_source.h"
#include "resource/word_vectors_writer.h"

namespace capella::resource {
namespace {

constexpr std::string_view kStage = "converting word vectors";
constexpr std::size_t kWordsBetween = 256;  // two questions how far the file is, for each of which zlib seeks

// Tells of each hundredth of the file once.
class Hundredths {
 public:
  explicit Hundredths(const Progress& progress) : progress_(progress) {}

  void reach(std::size_t hundredth) {
    for (; done_ < hundredth; ++done_) {
      if (progress_) progress_(kStage, done_ + 1, 100);
    }
  }

 private:
  const Progress& progress_;
  std::size_t done_ = 0;
};

}  // namespace

ConvertedVectors convert_word_vectors(const std::string& from, const std::string& to,
                                      const VectorConversion& options) {
  const auto source = open_vector_source(from);
  WordVectorsWriter writer(to, source->dimensions(), options.eight_bit, from);
  ConvertedVectors made{.dimensions = source->dimensions()};
  Hundredths hundredths(options.progress);
  std::size_t read = 0;
  std::string word;
  std::vector<float> numbers(source->dimensions());
  while ((options.most_words == 0 || writer.size() < options.most_words) && source->next(word, numbers)) {
    if (word.empty()) {
      ++made.nameless;
    } else if (!writer.add(word, numbers)) {
      ++made.repeated;
    }
    if (writer.size() >= WordVectors::kNone) throw DataError(from + ": has too many words");
    if (++read % kWordsBetween == 0) hundredths.reach(source->hundredths());
  }
  if (writer.size() == 0) throw DataError(from + ": has no words");
  made.words = writer.size();
  writer.finish();
  hundredths.reach(100);
  return made;
}

}  // namespace capella::resource
