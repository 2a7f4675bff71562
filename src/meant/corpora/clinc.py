"""CLINC150: what people say to an assistant, on 150 matters and on none of them (Larson and others 2019, CC BY 3.0)."""

from __future__ import annotations

import json
import os

from ..errors import InputError
from . import folder

FILE = "data_full.json"
SHA256 = "36923c3705a59e08fe9c3883d8bc2dd966ef93e22cb78ac41171782a698d56e0"
URL = "https://raw.githubusercontent.com/clinc/oos-eval/master/data/data_full.json"
ATTRIBUTION = "train utterances of CLINC150 (Larson and others 2019; CC BY 3.0), as off-topic replies"

# Intents that answer a question, or could: no example of an utterance that answers nothing.
_ANSWERS = frozenset({"yes", "no", "maybe", "cancel", "repeat", "greeting", "goodbye", "thank_you", "whisper_mode"})


def off_topic(data: str | os.PathLike[str] | None = None) -> list[str]:
    """Train utterances that answer no yes/no question that somebody else put."""
    path = folder.corpus_file("clinc-oos", FILE, data, "run  meant corpus fetch clinc-oos ")
    content = folder.contents(path)
    try:
        parts = json.loads(content)
        rows = parts["train"] + parts["oos_train"]
        return [text for text, intent in rows if intent not in _ANSWERS]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path} is not CLINC150's {FILE}: fetch it again.") from None
