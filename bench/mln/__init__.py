"""The task `mln`: Markov logic sampled, exact and learned, beside Alchemy 2, DimmWitted and SharpSAT-TD."""
