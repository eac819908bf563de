"""One file per contender; each is a program in the frame of harness.contender."""
