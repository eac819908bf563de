// The message of the error that a call throws.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace capella::test {

/// Runs `call`, expects it to throw Exception, and returns what it says.
template <class Exception, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace capella::test
