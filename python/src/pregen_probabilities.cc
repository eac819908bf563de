#include "pregen_probabilities.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::python {
namespace {

using io::TokenPlace;

// The members of a list or another iterable, as a list or tuple; those of an array are lists and numbers.
nb::object members(nb::handle object, const std::string& what, std::string_view expected) {
  const nb::object plain = nb::hasattr(object, "tolist") ? object.attr("tolist")() : nb::borrow(object);
  const bool text = PyUnicode_Check(plain.ptr()) || PyBytes_Check(plain.ptr()) || PyDict_Check(plain.ptr());
  PyObject* const list = text ? nullptr : PySequence_Fast(plain.ptr(), "");
  if (list != nullptr) return nb::steal(list);
  if (!text && PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
  PyErr_Clear();
  throw nb::type_error(
      fmt::format("{}: found {}, expected {}", what, name_of_type(object), expected).c_str());
}

std::size_t count_of(const nb::object& members) {
  return static_cast<std::size_t>(PySequence_Fast_GET_SIZE(members.ptr()));
}

nb::handle member(const nb::object& members, std::size_t place) {
  return PySequence_Fast_GET_ITEM(members.ptr(), static_cast<Py_ssize_t>(place));
}

double number_of(nb::handle value, const TokenPlace& at, std::string_view expected) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  if (too_large) return std::numeric_limits<double>::infinity();
  throw nb::type_error(
      fmt::format("{}: found {}, expected {}", at.of_word(), name_of_type(value), expected).c_str());
}

// Arrays have one type for both numbers, so that a rank may be a float.
std::uint32_t rank_of(nb::handle value, const TokenPlace& at) {
  const double number = number_of(value, at, "a whole number as the rank");
  const bool fits = number >= 0 && number <= std::numeric_limits<std::uint32_t>::max();
  if (!fits || number != std::floor(number)) throw at.wrong_rank(fmt::format("the number {}", number));
  return static_cast<std::uint32_t>(number);
}

void add_word(nb::handle word, const TokenPlace& at, TokenProbabilities& table) {
  constexpr std::string_view kPair = "(probability, rank)";
  const bool plain = PyTuple_CheckExact(word.ptr()) || PyList_CheckExact(word.ptr());
  const nb::object pair = plain ? nb::borrow(word) : members(word, at.of_word(), kPair);
  if (count_of(pair) != 2)
    throw DataError(fmt::format("{}: found a list of {}, expected {}", at.of_word(), count_of(pair), kPair));
  table.probabilities.push_back(number_of(member(pair, 0), at, "a probability in 0 ... 1"));
  table.ranks.push_back(rank_of(member(pair, 1), at));
}

void add_caption(nb::handle caption, TokenPlace& at, TokenProbabilities& table) {
  const nb::object words = members(caption, at.of_caption(), "a list of (probability, rank)");
  for (at.word = 0; at.word < count_of(words); ++at.word) add_word(member(words, at.word), at, table);
  table.words.push_back(table.probabilities.size());
}

void add_image(nb::handle image, TokenPlace& at, TokenProbabilities& table) {
  const nb::object captions = members(image, at.of_image(), "a list of captions");
  for (at.caption = 0; at.caption < count_of(captions); ++at.caption)
    add_caption(member(captions, at.caption), at, table);
  table.captions.push_back(table.caption_count());
}

}  // namespace

TokenProbabilities probabilities_of(nb::handle images, std::string_view source) {
  TokenProbabilities table;
  TokenPlace at{source};
  const nb::object list = members(images, std::string(source),
                                  "a path, or lists of images, in these of captions, in these of "
                                  "(probability, rank)");
  for (at.image = 0; at.image < count_of(list); ++at.image) add_image(member(list, at.image), at, table);
  return table;
}

}  // namespace capella::python
