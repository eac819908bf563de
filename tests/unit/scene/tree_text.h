// Trees written in one line, for tests.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace capella::test {

/// "the/DT/2/det dogs=dog/NNS/0/root": word, lemma where it is another one, tag, head, relation.
inline syntax::Tree tree_of(const std::string& text) {
  syntax::Tree tree;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::vector<std::string> fields;
    std::istringstream in(word);
    for (std::string field; std::getline(in, field, '/');) fields.push_back(field);
    syntax::Token token{fields.at(0), fields.at(0), fields.at(1), std::stoi(fields.at(2)), fields.at(3)};
    if (const std::size_t equals = token.word.find('='); equals != std::string::npos) {
      token.lemma = token.word.substr(equals + 1);
      token.word.resize(equals);
    }
    tree.tokens.push_back(token);
  }
  return tree;
}

}  // namespace capella::test
