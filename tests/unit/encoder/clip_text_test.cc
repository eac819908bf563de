// Cleaning for CLIP. Expected values are those of ftfy 6.3, Python 3.11's html and str.
#include "encoder/tokenizer/clip_text.h"

#include <gtest/gtest.h>

#include "encoder/tokenizer/html.h"

namespace capella::encoder {
namespace {

std::string openai(std::string_view text) {
  return clean_for_clip(text, ClipCleaning::openai);
}

TEST(ClipText, OpenAiCleansQuotesLigaturesAndWideForms) {
  EXPECT_EQ(openai("“Don’t”"), "\"don't\"");
  EXPECT_EQ(openai("ﬁne ﬂat ﬃ"), "fine flat ffi");
  EXPECT_EQ(openai("ＡＢＣ　１２３"), "abc 123");
  EXPECT_EQ(openai("e\u0301"), "é");
  EXPECT_EQ(openai("a\u0007b\uFEFFc"), "abc");
  EXPECT_EQ(openai("\x1B[31mred\x1B[0m"), "red");
  EXPECT_EQ(openai("it\u0092s"), "it's");  // Windows-1252 taken for Latin-1
}

TEST(ClipText, OpenAiTakesHtmlApart) {
  EXPECT_EQ(openai("&lt;b&gt; &amp;amp; &eacute;&#33;"), "<b> & é!");
  EXPECT_EQ(openai("don&rsquo;t"), "don't");
  // Beside a "<" ftfy leaves HTML alone, so the quote stays curly.
  EXPECT_EQ(openai("< don&rsquo;t"), "< don’t");
}

TEST(ClipText, WhiteSpaceAndCase) {
  EXPECT_EQ(openai(" \tA\u00A0 B\n"), "a b");
  EXPECT_EQ(openai("ΟΔΟΣ ΣΑΣ"), "οδος σας");
  EXPECT_EQ(clean_for_clip("ΟΔΟΣ", ClipCleaning::hugging_face), "οδοσ");
  EXPECT_EQ(openai("İ"), "i\u0307");
}

TEST(ClipText, HuggingFaceLeavesTheRestAlone) {
  EXPECT_EQ(clean_for_clip("“Don’t” &amp;  ﬁ", ClipCleaning::hugging_face), "“don’t” &amp; ﬁ");
}

TEST(Html, AsPythonUnescapes) {
  EXPECT_EQ(unescape_html("&amp;&quot;&#39;&#x27;&nbsp;"), "&\"''\u00A0");
  EXPECT_EQ(unescape_html("&ampersand &notit; &notin;"), "&ersand ¬it; ∉");
  EXPECT_EQ(unescape_html("&eacute &Eacute;&bogus; & &#; &#x; &"), "é É&bogus; & &#; &#x; &");
  EXPECT_EQ(unescape_html("&#150;&#0;&#1;&#1114112;&#99999999999;"), "–\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(unescape_html("&NotEqualTilde;"), "≂̸");
  EXPECT_EQ(unescape_closed_html("&amp &amp; &ampx;"), "&amp & &ampx;");
}

TEST(ClipText, TellsTextThatWasReadInAnotherEncoding) {
  EXPECT_TRUE(looks_garbled("cafÃ©"));
  EXPECT_TRUE(looks_garbled("donâ€™t"));
  EXPECT_TRUE(looks_garbled("20Â°C"));
  EXPECT_TRUE(looks_garbled("Ð¼ÑƒÐ¶"));
  EXPECT_FALSE(looks_garbled("a café, naïve"));
  EXPECT_FALSE(looks_garbled("“NÃO” é… SÓ”"));
  EXPECT_FALSE(looks_garbled("日本語 мужчина"));
  EXPECT_FALSE(looks_garbled(""));
}

}  // namespace
}  // namespace capella::encoder
