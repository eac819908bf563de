"""One file per contender."""
