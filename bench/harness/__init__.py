"""What all benchmark tasks share: running contenders, comparing their answers, printing tables."""
