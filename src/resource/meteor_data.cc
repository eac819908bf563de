#include "resource/meteor_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace capella::resource {
namespace {

constexpr std::string_view kRemedy = "get it again with: capella data get meteor";

constexpr std::string_view kSynsets = "synsets";
constexpr std::string_view kBases = "bases";
constexpr std::string_view kFunctionWords = "function_words";
constexpr std::string_view kAbbreviations = "abbreviations";
constexpr std::string_view kParaphrases = "paraphrases";
constexpr std::string_view kLongestPhrase = "longest_phrase";  // one number
constexpr std::string_view kKeySample = "key_sample";          // one number

// A file that was made with other functions for keys has another sample.
std::uint64_t key_sample() {
  return phrase_key("key sample");
}

std::uint64_t one_number(const SectionFile& file, std::string_view name) {
  const auto numbers = file.section<std::uint64_t>(name);
  if (numbers.size() != 1) file.reject(std::string(name) + " is not one number");
  return numbers[0];
}

Section number_section(std::string_view name, std::uint64_t number) {
  return {std::string(name), {reinterpret_cast<const char*>(&number), sizeof number}};
}

}  // namespace

PhraseKey phrase_key(std::string_view phrase) {
  PhraseKey key = kEmptyPhrase;
  for (std::size_t begin = 0; begin <= phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', begin), phrase.size());
    key = extend_phrase(key, word_key(phrase.substr(begin, end - begin)));
    begin = end + 1;
  }
  return key;
}

MeteorData::MeteorData(const std::string& path)
    : file_(path, kKind, kVersion, std::string(kRemedy)),
      synsets_(file_, kSynsets),
      bases_(file_, kBases),
      function_words_(file_, kFunctionWords),
      abbreviations_(file_, kAbbreviations),
      paraphrases_(file_, kParaphrases),
      longest_phrase_(one_number(file_, kLongestPhrase)) {
  if (one_number(file_, kKeySample) != key_sample()) file_.reject("its keys are made in another way");
}

MeteorData::Abbreviation MeteorData::abbreviation(WordKey word) const {
  const auto kind = abbreviations_.look_up(word);
  if (!kind) return Abbreviation::no;
  if (kind->size() != 1 || kind->front() > 1) file_.reject("an abbreviation is of an unknown kind");
  return kind->front() == 0 ? Abbreviation::always : Abbreviation::before_number;
}

void MeteorData::write(const std::string& path, Tables tables) {
  std::vector<Section> sections;
  const auto add = [&sections](std::string_view name, auto lists) {
    auto added = keyed_list_sections(name, std::move(lists));
    std::move(added.begin(), added.end(), std::back_inserter(sections));
  };
  add(kSynsets, std::move(tables.synsets));
  add(kBases, std::move(tables.bases));
  add(kFunctionWords, std::move(tables.function_words));
  add(kAbbreviations, std::move(tables.abbreviations));
  add(kParaphrases, std::move(tables.paraphrases));
  sections.push_back(number_section(kLongestPhrase, tables.longest_phrase));
  sections.push_back(number_section(kKeySample, key_sample()));
  write_section_file(path, kKind, kVersion, sections);
}

}  // namespace capella::resource
