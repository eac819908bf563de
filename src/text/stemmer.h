// The Snowball stemmer for English (Porter 2), as METEOR uses it.
#pragma once

#include <memory>
#include <string_view>

struct sb_stemmer;

namespace capella::text {

/// For one thread at a time.
class EnglishStemmer {
 public:
  EnglishStemmer();

  /// The word's stem; valid until the next call. Words are expected in lower case.
  std::string_view stem(std::string_view word);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_;
};

}  // namespace capella::text
