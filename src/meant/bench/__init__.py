"""Measurements: one file per table, each figure with the signature of how it was made."""
