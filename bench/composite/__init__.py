"""The task `composite`: training a composite metric beside PyTorch, and what its network adds to a run."""
