"""One file per task: how its rows become model input, and how its logits become Readings."""
