"""From a bundle and pairs of texts to logits. No torch in here."""
