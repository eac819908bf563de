#include "reference/bleu13a_reference.h"

#include <regex>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace capella::reference {
namespace {

using Substitution = std::pair<std::regex, std::string>;

std::string apply(const std::vector<Substitution>& substitutions, std::string text) {
  for (const auto& [what, by] : substitutions) text = std::regex_replace(text, what, by);
  return text;
}

}  // namespace

std::string tokenize_13a(std::string_view line) {
  static const std::vector<Substitution> kUnescape = {
      {std::regex("<skipped>"), ""}, {std::regex("-\n"), ""},    {std::regex("\n"), " "},
      {std::regex("&quot;"), "\""},  {std::regex("&amp;"), "&"}, {std::regex("&lt;"), "<"},
      {std::regex("&gt;"), ">"}};
  static const std::vector<Substitution> kSeparate = {{std::regex(R"(([{-~\[-` -&(-+:-@/]))"), " $1 "},
                                                      {std::regex(R"(([^0-9])([.,]))"), "$1 $2 "},
                                                      {std::regex(R"(([.,])([^0-9]))"), " $1 $2"},
                                                      {std::regex(R"(([0-9])(-))"), "$1 $2 "}};
  const std::string plain = apply(kUnescape, std::string(python_rstrip(line)));
  std::string out;
  for_each_python_word(apply(kSeparate, " " + plain + " "),
                       [&](std::string_view word) { out += (out.empty() ? "" : " ") + std::string(word); });
  return out;
}

}  // namespace capella::reference
