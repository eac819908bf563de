#include "encoder/workspace.h"

#include <utility>

namespace capella::encoder {
namespace {

// What a thread keeps when nobody computes: more is given back.
constexpr std::size_t kMostKept = std::size_t{1} << 25;  // floats

Workspace& kept() {
  static thread_local Workspace work;
  return work;
}

std::size_t size(const Workspace& work) {
  return work.hidden.capacity() + work.input.capacity() + work.result.capacity() + work.normed.capacity() +
         work.query.capacity() + work.key_value.capacity() + work.context.capacity() + work.inner.capacity() +
         work.scores.capacity() + work.split.rest.values.capacity() / sizeof(float);
}

}  // namespace

BorrowedWorkspace::BorrowedWorkspace() : work_(std::exchange(kept(), {})) {}

BorrowedWorkspace::~BorrowedWorkspace() {
  if (size(work_) <= kMostKept) kept() = std::move(work_);
}

}  // namespace capella::encoder
