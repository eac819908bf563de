// Signatures in short.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "capella/result.h"

namespace capella {
namespace {

// Every key of a signature and its short form; keys that are short already stay.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kShortKeys{{
    {"beta", "b"},
    {"capella", "v"},
    {"case", "c"},
    {"eff", "e"},
    {"nrefs", "#"},
    {"ref", "r"},
    {"sigma", "sg"},
    {"smooth", "s"},
    {"space", "w"},
    {"tok", "t"},
}};

std::string shorten(std::string_view part) {
  const std::size_t colon = part.find(':');
  if (colon == std::string_view::npos) return std::string(part);
  const std::string_view key = part.substr(0, colon);
  const auto found = std::find_if(kShortKeys.begin(), kShortKeys.end(),
                                  [key](const auto& entry) { return entry.first == key; });
  return std::string(found == kShortKeys.end() ? key : found->second).append(part.substr(colon));
}

}  // namespace

std::string short_signature(const std::string& signature) {
  std::string out;
  std::string_view rest = signature;
  for (;;) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    out += shorten(rest.substr(0, bar));
    if (bar == rest.size()) return out;
    out += '|';
    rest.remove_prefix(bar + 1);
  }
}

}  // namespace capella
