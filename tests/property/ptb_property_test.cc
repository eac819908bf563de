// The tokenizers agree with their slow twins on anything made of the pieces that rules fight over.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/thread_pool.h"
#include "reference/bleu13a_reference.h"
#include "reference/ptb_reference.h"
#include "text/ptb/pipeline.h"
#include "text/ptb/words.h"
#include "text/tokenizer_13a.h"

namespace capella::text {
namespace {

const std::vector<std::string>& snippets() {
  static const std::vector<std::string> kSnippets = {
      // single characters that begin, join or end tokens
      "a", "A", "n", "s", "t", "x", "P", "o", "5", "20", "1999", " ", " ", " ", "  ", "\t", ".", ".", ",",
      "-", "'", "\"", "`", "!", "?", ":", ";", "/", "\\", "&", "@", "#", "$", "%", "(", ")", "[", "]", "{",
      "}", "<", ">", "=", "_", "*", "+", "^", "|", "~", "\n", "\r", "\x7F", "\x01", "\xFF", "\xC3",
      "\xED\xA0\x80",
      // words with rules of their own
      "cannot", "gonna", "'twas", "isn't", "n't", "'ll", "y'all", "o'clock", "rock'n'roll", "Mr", "Mrs.",
      "etc.", "Inc.", "U.S.", "u.s.-u.k.", "a.k.a.", "Ph.D.", "No.", "fig.", "co. ltd", "Jan.", "Miss",
      "The ", "However ", "pro-", "c++", "C#", "R&D", "s&p-500", "'90s", "'em", "dog", "Red", "MEN",
      "photo.jpg", "3D", "Yahoo!", "E!", "a_b.mp4", "a-b.avi", "f*ck", "==", "....", ". . . . ", "......",
      // web and mark-up
      "http://", "https://a.b/c?d", "www.", "x.com", "me@x.org", "<b>", "</b>", "<a b='c", "<a b=\"c\">",
      "&amp;", "&AMP;", "&lt;", "&gt;", "&apos;", "&quot;", "&QUOT;", "&nbsp;", "&eacute;", "&mdash;",
      "&#12;", "#tag", "@you", ":-)", "=(", "^_^",
      // numbers
      "1/2", "3 1/2", "12/25/2014", "555-1234", "(555) 123-4567", "1,000.5", "+1", ":30",
      // beyond ASCII
      "\u00E9", "\u0130", "\u03A3", "\u0391\u03A3", "\u00AD", "\u00A0", "\u3000", "\u2003", "\u0085",
      "\u2028", "\u2019", "\u2018", "\u201C", "\u201D", "\u00AB", "\u0091", "\u2014", "\u2026", "\u00BD",
      "\u215B", "\u00A3", "\u20AC", "\u00A2", "\u00B2", "\u2764", "\uFE0F", "\U0001F436", "\U00010400",
      "\u65E5\u672C", "\u3002", "\u0300", "\u0E31", "\u200B", "\u2010", "\uFFFD"};
  return kSnippets;
}

rc::Gen<std::string> tricky_caption() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(snippets())),
                      [](const std::vector<std::string>& pieces) {
                        std::string caption;
                        for (const std::string& piece : pieces) caption += piece;
                        return caption;
                      });
}

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

TEST(PtbProperty, AgreesWithTheSlowTwin) {
  const reference::PtbReference twin;
  ThreadPool pool(2);
  EXPECT_TRUE(rc::check("the same tokens from both", [&] {
    const auto captions =
        *rc::gen::resize(25, rc::gen::container<std::vector<std::string>>(tricky_caption()));
    const std::vector<std::string_view> given = views(captions);
    const bool stream = *rc::gen::arbitrary<bool>();
    const bool keep = *rc::gen::arbitrary<bool>();
    const auto piece = *rc::gen::inRange<std::size_t>(1, 5);
    const StringColumn fast =
        ptb::tokenize(given, stream ? ptb::Scope::stream : ptb::Scope::caption,
                      keep ? ptb::Punctuation::keep : ptb::Punctuation::drop, pool, piece);
    const std::vector<std::string> slow = twin.tokenize(given, stream, keep);
    RC_ASSERT(fast.size() == slow.size());
    for (std::size_t i = 0; i < slow.size(); ++i) RC_ASSERT(fast[i] == slow[i]);
  }));
}

TEST(PtbProperty, TheEditionForTheParserAgreesWithTheSlowTwin) {
  const reference::PtbReference twin("2015");
  EXPECT_TRUE(rc::check("the same words from both", [&] {
    const auto captions =
        *rc::gen::resize(25, rc::gen::container<std::vector<std::string>>(tricky_caption()));
    const std::vector<std::vector<std::string>> fast = ptb::words_of(views(captions));
    RC_ASSERT(fast.size() == captions.size());
    for (std::size_t i = 0; i < captions.size(); ++i) RC_ASSERT(fast[i] == twin.words(captions[i]));
  }));
}

TEST(Tokenizer13aProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("the same tokens from both", [] {
    const std::string line = *tricky_caption();
    std::string fast;
    tokenize_13a(line, fast);
    RC_ASSERT(fast == reference::tokenize_13a(line));
  }));
}

}  // namespace
}  // namespace capella::text
