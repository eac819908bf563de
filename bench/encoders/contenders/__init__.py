"""Peers of the encoders."""
