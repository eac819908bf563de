"""DENEB on a GPU beside Hugging Face's networks and PyTorch."""
