from __future__ import annotations

from pathlib import Path

import pytest

from meant.errors import InputError
from meant.training.log import draw, read

LINE = b'{"step": 50, "loss": 1.5}\n'


def run(folder: Path, content: bytes) -> Path:
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_bytes(content)
    return folder


@pytest.mark.parametrize(
    "line", [b"{", b"[1]", b'{"step": 1}', b'{"step": "1", "loss": 1}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_damaged_log_is_a_sentence_with_the_line(tmp_path: Path, line: bytes) -> None:
    with pytest.raises(InputError, match="log.jsonl is damaged: its line 2 is no step with a loss"):
        read(run(tmp_path / "run", LINE + line))


def test_runs_of_the_same_name_are_both_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    runs = [run(Path(parent) / "student", LINE) for parent in ("a", "b")]
    draw(runs, Path("loss.svg"))
    picture = Path("loss.svg").read_text(encoding="utf-8")
    assert "a/student" in picture and "b/student" in picture
