"""Bundle: the folder that training writes and the runtime reads (model.onnx, tokenizer.json, bundle.json).

Nothing in it is executable: an ONNX graph, two JSON files, no pickle. Each file's SHA-256 stands in bundle.json and
is compared when the file's bytes are taken, so that what was checked is what runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..errors import InputError
from .calibration import HIGHEST, LOWEST

FORMAT = 1
CARD, MODEL, TOKENIZER = "bundle.json", "model.onnx", "tokenizer.json"
ENVIRONMENT = "MEANT_BUNDLE"

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Head:
    """One output of the model: its name in the graph, its labels in order, its temperature."""

    output: str
    labels: tuple[str, ...]
    temperature: float


@dataclass(frozen=True)
class Bundle:
    """What bundle.json says; `contents` gives the other files' bytes."""

    folder: Path
    name: str
    version: str
    base: str
    max_length: int
    files: Mapping[str, str]
    tasks: Mapping[str, Head]
    sources: list[dict[str, str]] = field(default_factory=list)
    metrics: list[Any] = field(default_factory=list)
    training: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> Bundle:
        """The bundle in that folder; None is the folder that MEANT_BUNDLE names, or else the one that ships."""
        folder = _folder(path)
        card = _card(folder)
        check = _Check(folder)
        check.format(card)
        bundle = cls(
            folder=folder,
            name=check.text(card, "name"),
            version=check.text(card, "version"),
            base=check.text(card, "base"),
            max_length=check.count(card, "max_length", 8, 65536),
            files=check.hashes(card),
            tasks=check.heads(card),
            sources=check.sources(card),
            metrics=check.kind(card, "metrics", list, []),
            training=check.kind(card, "training", dict, {}),
        )
        for name in bundle.files:
            if not (folder / name).is_file():
                raise InputError(f"The bundle {folder} lacks its file {name}: copy the whole folder again.")
        return bundle

    def contents(self, name: str) -> bytes:
        """One file's bytes, after their hash was found to be the one in bundle.json."""
        path = self.folder / name
        try:
            found = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror}): copy the bundle again.") from None
        if hashlib.sha256(found).hexdigest() != self.files[name]:
            raise InputError(
                f"{path} is not the file that {CARD} describes (its SHA-256 differs): copy the bundle again."
            )
        return found

    def verify(self) -> None:
        """Read every file and compare its hash."""
        for name in self.files:
            self.contents(name)

    def head(self, task: str) -> Head:
        """The head for that task."""
        if task not in self.tasks:
            raise InputError(
                f"The bundle {self.folder} cannot do {task!r}, only {', '.join(self.tasks)}: choose another bundle."
            )
        return self.tasks[task]


def _folder(path: str | os.PathLike[str] | None) -> Path:
    chosen = path if path is not None else os.environ.get(ENVIRONMENT) or None
    if chosen is None:
        folder = Path(str(files("meant"))) / "bundles" / "default"
        advice = f"install meant again, or name a bundle's folder (--bundle, {ENVIRONMENT})"
    else:
        advice = "name the folder of a bundle" if path is not None else f"change {ENVIRONMENT}, which names it"
        try:
            folder = Path(os.fsdecode(chosen))
        except TypeError:
            raise InputError(f"A bundle is named by its folder, not by {type(chosen).__name__} values.") from None
    try:
        there = folder.is_dir()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        there = False
    if not there:
        raise InputError(f"There is no bundle at {str(folder)[:200]!r}: {advice}.")
    return folder


def _card(folder: Path) -> dict[str, Any]:
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except OSError:
        raise InputError(f"{folder} has no {CARD} that can be read: name the folder of a bundle.") from None
    except (ValueError, RecursionError):
        raise InputError(f"{folder / CARD} is not JSON: copy the bundle again.") from None
    if not isinstance(card, dict):
        raise InputError(f"{folder / CARD} does not hold a JSON object: copy the bundle again.")
    return card


class _Check:
    """Takes fields out of bundle.json and says in a sentence what is wrong with one."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CARD

    def format(self, card: Mapping[str, Any]) -> None:
        version = card.get("format")
        if isinstance(version, int) and not isinstance(version, bool) and version > FORMAT:
            raise InputError(f"{self._path} has format {version}, newer than this meant reads: upgrade meant.")
        if version != FORMAT or isinstance(version, bool):
            raise self._wrong("format", f"should be {FORMAT}")

    def text(self, card: Mapping[str, Any], key: str) -> str:
        value = card.get(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(key, "should be a text")
        return value

    def count(self, card: Mapping[str, Any], key: str, least: int, most: int) -> int:
        value = card.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._wrong(key, f"should be a whole number from {least} to {most}")
        return value

    def kind(self, card: Mapping[str, Any], key: str, kind: type, absent: Any) -> Any:
        value = card.get(key, absent)
        if not isinstance(value, kind):
            raise self._wrong(key, f"should be a JSON {'array' if kind is list else 'object'}")
        return value

    def sources(self, card: Mapping[str, Any]) -> list[dict[str, str]]:
        listed = self.kind(card, "sources", list, [])
        for source in listed:
            if not isinstance(source, dict) or not all(isinstance(source.get(key), str) for key in ("name", "licence")):
                raise self._wrong("sources", "should give each source a name and a licence")
        return list(listed)

    def hashes(self, card: Mapping[str, Any]) -> dict[str, str]:
        listed = self.kind(card, "files", dict, {})
        for name, digest in listed.items():
            # A name that led out of the folder would make the bundle read somebody else's file.
            if not name or name in (".", "..") or any(sign in name for sign in "/\\:\0"):
                raise self._wrong("files", f"names {name!r}, which is not a plain file name")
            if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
                raise self._wrong("files", f"should give {name} a SHA-256 of 64 hexadecimal digits")
        for name in (MODEL, TOKENIZER):
            if name not in listed:
                raise self._wrong("files", f"should list {name}")
        return dict(listed)

    def heads(self, card: Mapping[str, Any]) -> dict[str, Head]:
        tasks = self.kind(card, "tasks", dict, {})
        if not tasks:
            raise self._wrong("tasks", "should name at least one task")
        return {name: self._head(name, task) for name, task in tasks.items()}

    def _head(self, name: str, task: Any) -> Head:
        if not isinstance(task, dict):
            raise self._wrong("tasks", f"should give {name!r} a JSON object")
        output, labels, temperature = task.get("output"), task.get("labels"), task.get("temperature", 1.0)
        if not isinstance(output, str) or not output:
            raise self._wrong("tasks", f"should name the output of {name!r}")
        if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
            raise self._wrong("tasks", f"should list the labels of {name!r}")
        if len(set(labels)) != len(labels):
            raise self._wrong("tasks", f"lists a label of {name!r} twice")
        number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
        if not number or not LOWEST <= temperature <= HIGHEST:
            raise self._wrong("tasks", f"should give {name!r} a temperature from {LOWEST:g} to {HIGHEST:g}")
        return Head(output, tuple(labels), float(temperature))

    def _wrong(self, key: str, what: str) -> InputError:
        return InputError(f"{self._path}: {key!r} {what}. Copy the bundle again or export it anew.")
