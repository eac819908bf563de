"""The task `spice`: SPICE beside the official Java program."""
