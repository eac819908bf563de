#include "reference/bleu13a_reference.h"

#include <regex>

#include "base/utf8.h"

namespace capella::reference {

std::string tokenize_13a(std::string_view line) {
  std::string text(python_rstrip(line));
  const auto replace = [&text](const char* what, const char* by) {
    text = std::regex_replace(text, std::regex(what), by);
  };
  replace("<skipped>", "");
  replace("-\n", "");
  replace("\n", " ");
  replace("&quot;", "\"");
  replace("&amp;", "&");
  replace("&lt;", "<");
  replace("&gt;", ">");
  text = " " + text + " ";
  replace(R"(([{-~\[-` -&(-+:-@/]))", " $1 ");
  // Unlike `.`, a negated set of std::regex matches line breaks too.
  replace(R"(([^0-9])([.,]))", "$1 $2 ");
  replace(R"(([.,])([^0-9]))", " $1 $2");
  replace(R"(([0-9])(-))", "$1 $2 ");
  std::string out;
  for_each_python_word(text,
                       [&](std::string_view word) { out += (out.empty() ? "" : " ") + std::string(word); });
  return out;
}

}  // namespace capella::reference
