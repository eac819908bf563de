// Errors that reach the caller. Messages read `FILE:LINE: what was found, what was expected, what to do`
// (or name the id); the command line prints them and turns the kind into the exit status.
#pragma once

#include <stdexcept>
#include <string>

namespace capella {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data is wrong or the work failed (exit status 1, ValueError in Python).
class DataError : public Error {
 public:
  using Error::Error;
};

/// A file cannot be opened, read or written (exit status 1, OSError in Python).
class FileError : public DataError {
 public:
  using DataError::DataError;
};

/// The call is wrong: an unknown option, metric or value (exit status 2, ValueError in Python).
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace capella
