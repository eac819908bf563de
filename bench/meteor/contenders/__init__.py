"""One file per contender, and the jar that two of them drive."""
