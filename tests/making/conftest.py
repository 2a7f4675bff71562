"""The corpus that the recipes start from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from meant.corpora import circa


@pytest.fixture(scope="session")
def release() -> circa.Split:
    """The split that the shipped bundle is trained on."""
    data = os.environ.get("MEANT_DATA")
    if data is None or not (Path(data) / "circa" / circa.FILE).is_file():
        pytest.skip(f"needs circa/{circa.FILE} in the folder that MEANT_DATA names")
    return circa.release(data)
