// What jobs call while they run without the GIL: functions of Python. Ctrl-C ends a job there.
#pragma once

#include <functional>
#include <string>

#include <nanobind/nanobind.h>

#include "capella/progress.h"

namespace capella::python {

namespace nb = nanobind;

/// A Python function, or None, that is told a sentence. Whatever it is, Ctrl-C ends the job there.
std::function<void(const std::string&)> teller(nb::object function);

/// Ends a job at its next step after Ctrl-C. For one call of a job, made in the thread that calls it.
Progress until_interrupted();

/// The same, and the Python function, or None, is told how far the job is: stage, steps done, of how many.
/// What it raises ends the job. It is not called more often than people can read.
Progress reporter(nb::object function);

}  // namespace capella::python
