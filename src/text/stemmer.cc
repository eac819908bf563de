#include "text/stemmer.h"

#include <new>

#include <libstemmer.h>

namespace capella::text {

EnglishStemmer::EnglishStemmer() : stemmer_(sb_stemmer_new("english", "UTF_8")) {
  if (!stemmer_) throw std::bad_alloc();
}

void EnglishStemmer::Delete::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

std::string_view EnglishStemmer::stem(std::string_view word) {
  const sb_symbol* symbols = sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                                             static_cast<int>(word.size()));
  if (symbols == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(symbols),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

}  // namespace capella::text
