// Memory that encoders compute in. Each thread keeps one, which settles at the size of its largest batch.
#pragma once

#include "tensor/aligned.h"
#include "tensor/split_linear.h"

namespace capella::encoder {

struct Workspace {
  tensor::AlignedVector<float> hidden;  ///< the caller's: rows of tokens
  tensor::AlignedVector<float> input;   ///< the caller's: what rows are made of
  tensor::AlignedVector<float> result;  ///< the caller's: rows that were read
  tensor::AlignedVector<float> normed;  ///< this and the following: a layer's
  tensor::AlignedVector<float> query;
  tensor::AlignedVector<float> key_value;
  tensor::AlignedVector<float> context;
  tensor::AlignedVector<float> inner;
  tensor::AlignedVector<float> scores;
  tensor::SplitRows split;
};

/// The thread's workspace, taken for as long as this lives: whoever asks in between gets another.
class BorrowedWorkspace {
 public:
  BorrowedWorkspace();
  ~BorrowedWorkspace();
  BorrowedWorkspace(const BorrowedWorkspace&) = delete;
  BorrowedWorkspace& operator=(const BorrowedWorkspace&) = delete;

  Workspace& operator*() { return work_; }
  Workspace* operator->() { return &work_; }

 private:
  Workspace work_;
};

}  // namespace capella::encoder
