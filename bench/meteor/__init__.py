"""The task `meteor`: METEOR 1.5 beside the Java program that everyone runs."""
