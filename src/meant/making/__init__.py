"""Data made from data: one file per recipe."""
