"""The task `stats`: correlations, bootstrap and paired tests beside scipy, numpy and sacrebleu."""
