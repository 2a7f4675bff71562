"""From examples to a model: fine-tuning, chains, teachers, export. Needs meant[train]."""
