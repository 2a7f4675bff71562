"""Where a run's knowledge comes from: each source with its licence, along the whole chain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..corpora import circa, clinc, nli
from .model import RECORD, record_of

LICENCES = {
    "Circa": circa.ATTRIBUTION,
    "CLINC150": clinc.ATTRIBUTION,
    "meant's own examples": "direct replies and twins written for meant (Apache-2.0)",
    **nli.ATTRIBUTION,
}


def sources_of(run: Path) -> list[dict[str, Any]]:
    """The sources of a run and of the runs that it was made from, each once."""
    return [{"name": name, "licence": LICENCES.get(name, "not stated")} for name in names_of(run)]


def names_of(run: Path) -> list[str]:
    """The names of those sources. A run's record holds them all; an older one lacks those of its bases."""
    names: list[str] = []
    walked: set[Path] = set()
    link = run
    while link not in walked and (link == run or (link / RECORD).exists()):
        walked.add(link)
        settings = record_of(link)["settings"]
        names += [name for name in settings["data"].get("sources", []) if name not in names]
        link = Path(settings["base"])
    return names
