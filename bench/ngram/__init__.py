"""The task `ngram`: BLEU, ROUGE-L, CIDEr-D, sacreBLEU, chrF, their tokenizer, whole commands and the reward."""
