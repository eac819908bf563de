// Text of Python objects, as views that stay valid while the GIL is released.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

namespace capella::python {

namespace nb = nanobind;

/// How messages name the type of an object: "int", "list", "NoneType".
std::string name_of_type(nb::handle object);

/// The UTF-8 text of a str, valid while the object lives; nothing for any other type. Throws DataError,
/// naming `what`, for text that UTF-8 cannot hold.
std::optional<std::string_view> text_of(nb::handle object, std::string_view what);

/// The path of a str or os.PathLike; nothing for any other type.
std::optional<std::string> path_of(nb::handle object);

/// A str as it is, a whole number (7.0 is one, also of numpy) as its decimal text. Throws TypeError naming
/// `what`, and DataError for an empty id.
std::string id_of(nb::handle object, std::string_view what);

/// A new list of what an iterable yields. Throws TypeError naming `what` for a str and for what is no
/// iterable.
nb::list list_of(nb::handle object, std::string_view what);

/// The texts of a sequence of str or ids, and the objects that own them.
class TextViews {
 public:
  /// A caption that is no str is a TypeError that names its place and, where `ids` has one there, its id.
  static TextViews captions(nb::handle sequence, const TextViews* ids = nullptr);
  static TextViews ids(nb::handle sequence);

  const std::vector<std::string_view>& views() const { return views_; }

 private:
  std::vector<std::string_view> views_;
  nb::list owner_;
  std::deque<std::string> numbers_;
};

}  // namespace capella::python
