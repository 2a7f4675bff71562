"""CLINC150: what people say to an assistant, on 150 matters and on none of them (Larson and others 2019, CC BY 3.0)."""

from __future__ import annotations

import json
import os

from ..errors import InputError
from . import folder

ATTRIBUTION = "train utterances of CLINC150 (Larson and others 2019; CC BY 3.0), as off-topic replies"

# Intents that answer a question, or could: no example of an utterance that answers nothing.
_ANSWERS = frozenset({"yes", "no", "maybe", "cancel", "repeat", "greeting", "goodbye", "thank_you", "whisper_mode"})


def off_topic(data: str | os.PathLike[str] | None = None) -> list[str]:
    """Train utterances that answer no yes/no question that somebody else put."""
    path = folder.corpus_file("clinc-oos", "data_full.json", data)
    try:
        parts = json.loads(path.read_text(encoding="utf-8"))
        rows = parts["train"] + parts["oos_train"]
        return [text for text, intent in rows if intent not in _ANSWERS]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is not CLINC150's data_full.json: fetch it again.") from None
