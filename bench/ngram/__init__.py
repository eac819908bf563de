"""The task `ngram`: n-gram metrics, their tokenizer, whole commands and the reward."""
