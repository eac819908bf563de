// The words and signs of .mln and .db files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capella::logic {

struct Token {
  enum class Kind : std::uint8_t {
    name,      ///< letters, digits and _; `v`, FORALL and EXIST, too
    number,    ///< e.g. 2, -0.4, +1e-3
    quoted,    ///< the text between the quotes, with its backslashes
    sign,      ///< ( ) { } , . ... ! ^ = != => <=> +
    line_end,  ///< never two in a row
    end
  };

  Kind kind = Kind::end;
  std::string_view text;
  std::size_t line = 0;
};

/// A comment that begins with //@, without that.
struct DirectiveLine {
  std::string_view text;
  std::size_t line = 0;
};

struct Tokens {
  std::vector<Token> list;  ///< the last is the end
  std::vector<DirectiveLine> directives;
};

/// `text` must outlive the result. `first_line`: the number of the text's first line; 0 if it is the only
/// one. Throws DataError "SOURCE:LINE: ..." for signs that nothing begins with and for quotes and comments
/// without an end.
Tokens tokenize(std::string_view text, const std::string& source, std::size_t first_line = 1);

/// "SOURCE:LINE", or "SOURCE" for line 0.
std::string place_text(const std::string& source, std::size_t line);

/// A quoted token's text without backslashes.
std::string unquoted(std::string_view text);
/// The inverse, with quotes around it.
std::string quoted(std::string_view text);

/// Whether the text is one token of the kind `name`.
bool is_name(std::string_view text);
/// Names of variables and types begin with a lower-case letter, those of constants do not.
bool is_lower(std::string_view name);
/// Words with a meaning of their own: v, FORALL, EXIST and their like.
bool is_reserved(std::string_view name);
bool is_for_all(std::string_view name);
bool is_exist(std::string_view name);

}  // namespace capella::logic
