#include "strings.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "capella/error.h"

namespace capella::python {

std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(
      nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

std::optional<std::string_view> text_of(nb::handle object, std::string_view what) {
  if (!PyUnicode_Check(object.ptr())) return std::nullopt;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text != nullptr) return std::string_view(text, static_cast<std::size_t>(size));
  PyErr_Clear();
  throw DataError(fmt::format("{} holds half of a surrogate pair, expected text that UTF-8 can hold", what));
}

std::optional<std::string> path_of(nb::handle object) {
  if (!PyUnicode_Check(object.ptr()) && !nb::hasattr(object, "__fspath__")) return std::nullopt;
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(object.ptr(), &bytes) == 0) throw nb::python_error();
  const auto path = nb::steal<nb::bytes>(bytes);
  return std::string(path.c_str(), path.size());
}

std::string id_of(nb::handle object, std::string_view what) {
  if (const auto text = text_of(object, what)) {
    if (text->empty()) throw DataError(fmt::format("{} is empty, expected a name or a number", what));
    return std::string(*text);
  }
  if (PyFloat_Check(object.ptr()) && nb::cast<bool>(object.attr("is_integer")()))  // pandas makes such ids
    return id_of(nb::steal(PyNumber_Long(object.ptr())), what);
  if (!PyIndex_Check(object.ptr()) || PyBool_Check(object.ptr())) {
    throw nb::type_error(
        fmt::format("{} is {}, expected a str or a whole number", what, name_of_type(object)).c_str());
  }
  const auto number = nb::steal(PyNumber_Index(object.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  return overflow == 0 ? fmt::to_string(value) : nb::cast<std::string>(nb::str(number));
}

nb::list list_of(nb::handle object, std::string_view what) {
  const bool iterable =
      !PyUnicode_Check(object.ptr()) && !PyBytes_Check(object.ptr()) && nb::hasattr(object, "__iter__");
  if (PyAnySet_Check(object.ptr())) {
    throw nb::type_error(fmt::format("{}: found a set, which has no order; expected a list", what).c_str());
  }
  if (!iterable)
    throw nb::type_error(fmt::format("{}: found {}, expected a list", what, name_of_type(object)).c_str());
  auto list = nb::steal<nb::list>(PySequence_List(object.ptr()));
  if (!list.is_valid()) throw nb::python_error();
  return list;
}

TextViews TextViews::captions(nb::handle sequence, const TextViews* ids) {
  TextViews texts;
  texts.owner_ = list_of(sequence, "captions");
  texts.views_.reserve(texts.owner_.size());
  for (const nb::handle caption : texts.owner_) {
    const std::size_t k = texts.views_.size();
    const auto what = [&] {
      const bool named = ids != nullptr && k < ids->views().size();
      return named ? fmt::format("caption {} (id '{}')", k, ids->views()[k]) : fmt::format("caption {}", k);
    };
    if (!PyUnicode_Check(caption.ptr())) {
      throw nb::type_error(fmt::format("{} is {}, expected a str", what(), name_of_type(caption)).c_str());
    }
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(caption.ptr(), &size);
    if (text == nullptr) text_of(caption, what());
    texts.views_.emplace_back(text, static_cast<std::size_t>(size));
  }
  return texts;
}

TextViews TextViews::ids(nb::handle sequence) {
  TextViews texts;
  texts.owner_ = list_of(sequence, "ids");
  texts.views_.reserve(texts.owner_.size());
  for (const nb::handle id : texts.owner_) {
    if (PyUnicode_Check(id.ptr())) {
      texts.views_.push_back(*text_of(id, "an id"));
    } else {
      texts.views_.push_back(
          texts.numbers_.emplace_back(id_of(id, fmt::format("id {}", texts.views_.size()))));
    }
  }
  return texts;
}

}  // namespace capella::python
