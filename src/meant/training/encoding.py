"""Pairs of texts as padded tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ..text import clean


class Encoded:
    """Tokenised pairs, kept ragged; `tensors` pads the ones that are asked for."""

    def __init__(self, tokenizer: Any, pairs: Sequence[tuple[str, str]], max_length: int) -> None:
        firsts, seconds = [clean(first) for first, _ in pairs], [clean(second) for _, second in pairs]
        fields = tokenizer(firsts, seconds, truncation="longest_first", max_length=max_length)
        self.ids = [np.asarray(ids, dtype=np.int32) for ids in fields["input_ids"]]
        types = fields.get("token_type_ids")
        self.types = None if types is None else [np.asarray(t, dtype=np.int32) for t in types]
        self.lengths = [len(ids) for ids in self.ids]
        self.pad = tokenizer.pad_token_id

    def __len__(self) -> int:
        return len(self.ids)

    def tensors(self, rows: Sequence[int] | np.ndarray, device: Any) -> dict[str, torch.Tensor]:
        """Model inputs for these rows, padded to the longest (rounded up to a multiple of 8)."""
        width = -(-max(self.lengths[i] for i in rows) // 8) * 8
        ids = np.full((len(rows), width), self.pad, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        types = np.zeros((len(rows), width), dtype=np.int64)
        for place, i in enumerate(rows):
            ids[place, : self.lengths[i]] = self.ids[i]
            mask[place, : self.lengths[i]] = 1
            if self.types is not None:
                types[place, : self.lengths[i]] = self.types[i]
        arrays = {"input_ids": ids, "attention_mask": mask}
        if self.types is not None:
            arrays["token_type_ids"] = types
        return {name: torch.from_numpy(array).to(device, non_blocking=True) for name, array in arrays.items()}
