// Capella's errors as Python exceptions.
#include <exception>

#include "capella/error.h"

#include "bindings.h"
#include "words.h"

namespace capella::python {
namespace {

// The classes live in capella._errors and are kept for as long as the process runs.
struct ErrorClasses {
  PyObject* error;
  PyObject* file_error;
};

void translate(const std::exception_ptr& problem, void* classes) {
  const auto& known = *static_cast<const ErrorClasses*>(classes);
  try {
    std::rethrow_exception(problem);
  } catch (const FileError& error) {
    PyErr_SetString(known.file_error, in_python_words(error.what()).c_str());
  } catch (const Error& error) {
    PyErr_SetString(known.error, in_python_words(error.what()).c_str());
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  const nb::module_ errors = nb::module_::import_("capella._errors");
  static ErrorClasses classes{};
  classes = {errors.attr("CapellaError").inc_ref().ptr(), errors.attr("FileError").inc_ref().ptr()};
  nb::register_exception_translator(translate, &classes);
}

}  // namespace capella::python
