"""The task `wmd`: Word Mover's Distance beside gensim's `wmdistance` with POT's exact solver."""
