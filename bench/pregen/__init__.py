"""The task `pregen`: pre-gen metrics, generators and correlations beside the authors' ways."""
