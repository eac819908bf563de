"""The encoders and DENEB's head on the CPU beside PyTorch and beside a plain product of matrices."""
