"""Sentence vectors and BERTScore of all-MiniLM-L6-v2 beside sentence-transformers and bert-score on PyTorch."""
