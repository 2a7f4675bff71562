"""A whole job: interruption at any moment, outputs that exist, disks that are full."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from meant import InputError, MeantError
from meant.files import intake
from meant.files import job as module
from meant.files.job import Summary
from meant.files.output import FileOutput
from meant.labels import RELAXED

Read = Callable[..., Summary]

ROWS = 1300  # two blocks and a half of 512


def table(path: Path, rows: int = ROWS, bad: int | None = None) -> Path:
    lines = [f"{n},Hungry {n % 7}?,{'' if n == bad else f'no {n}'}" for n in range(rows)]
    path.write_text("\n".join(["id,question,reply", *lines, ""]), encoding="utf-8")
    return path


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 8)
    monkeypatch.setattr(module, "_PART", 8)


class Killed(BaseException):
    """Stands for a kill: nothing in the product catches it."""


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("moment", ["before saving", "after saving"])
def test_a_run_that_stops_between_any_two_steps_goes_on_to_the_same_bytes(
    read: Read, tmp_path: Path, ending: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = table(tmp_path / "in.csv", 30, bad=11)
    whole, out = tmp_path / f"whole.{ending}", tmp_path / f"out.{ending}"
    read(source, whole, skip_bad=True)
    save = module.Sidecar.save

    def stop(self: module.Sidecar, done: module.Done) -> None:
        if moment == "after saving":
            save(self, done)
        raise Killed

    for allowed in (1, 2, 1, 1, 9):
        left = allowed

        def counted(self: module.Sidecar, done: module.Done) -> None:
            nonlocal left
            left -= 1
            (save if left >= 0 else stop)(self, done)

        monkeypatch.setattr(module.Sidecar, "save", counted)
        try:
            summary = read(source, out, skip_bad=True)
            break
        except Killed:
            if ending != "parquet" and out.exists():  # a torn line, as a kill in the middle of a write leaves it
                with out.open("ab") as stream:
                    stream.write(b'17,"torn')
    assert (summary.rows, summary.bad) == (30, 1)
    assert summary.resumed > 0
    assert out.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", whole.name, out.name}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_killed_process_goes_on_to_the_same_bytes(
    read: Read, tmp_path: Path, environment: dict[str, str], ending: str
) -> None:
    source = table(tmp_path / "in.csv", 8 * ROWS if ending == "parquet" else 3 * ROWS)
    out = tmp_path / f"out.{ending}"
    command = [sys.executable, "-m", "meant", "reply", "--file", str(source), "--out", str(out)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    progress = tmp_path / f"{out.name}.progress"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if '"rows": 0' not in progress.read_text():
                break
        except OSError:
            pass
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert progress.exists()
    done = subprocess.run(command, env=environment, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert b"Going on after row" in done.stderr
    read(source, tmp_path / f"whole.{ending}")
    assert out.read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()


@pytest.mark.usefixtures("small_blocks")
def test_a_run_stopped_by_a_bad_row_goes_on_when_it_may_skip(read: Read, tmp_path: Path) -> None:
    source, out = table(tmp_path / "in.csv", 30, bad=20), tmp_path / "out.csv"
    with pytest.raises(InputError, match=r"Row 21 \(line 22\)"):
        read(source, out)
    assert len(out.read_bytes().splitlines()) == 1 + 20
    assert read(source, out, skip_bad=True).resumed == 16
    read(source, tmp_path / "whole.csv", skip_bad=True)
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


@pytest.fixture
def stopped(read: Read, tmp_path: Path, small_blocks: None) -> tuple[Path, Path]:
    source, out = table(tmp_path / "in.csv", 30, bad=20), tmp_path / "out.csv"
    with pytest.raises(InputError):
        read(source, out)
    return source, out


def test_other_options_do_not_go_on(read: Read, stopped: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match="begun with other options .scheme, prefix.: start afresh with --overwrite"):
        read(*stopped, scheme=RELAXED, prefix="x.", skip_bad=True)
    assert read(*stopped, scheme=RELAXED, skip_bad=True, overwrite=True).resumed == 0


def test_another_input_does_not_go_on(read: Read, stopped: tuple[Path, Path]) -> None:
    content = stopped[0].read_bytes()
    for changed in (
        content.replace(b"15,Hungry 1?,no 15", b"15,Hungry 1?,no 51"),
        content[:100],
        content.replace(b"\n0,", b"\n\n0,"),
    ):
        stopped[0].write_bytes(changed)
        with pytest.raises(InputError, match="begun from another input, or the input has changed"):
            read(*stopped)
    assert read(*stopped, skip_bad=True, overwrite=True).resumed == 0


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "jsonl"])
@pytest.mark.usefixtures("small_blocks")
def test_a_run_stopped_by_a_bad_row_goes_on_when_it_is_mended(read: Read, tmp_path: Path, ending: str) -> None:
    source, out = tmp_path / f"in.{ending}", tmp_path / "out.csv"

    def put(reply: str) -> None:
        rows = [{"id": str(n), "question": "Hungry?", "reply": reply if n == 20 else f"no {n}"} for n in range(30)]
        if ending == "jsonl":
            text = "".join(json.dumps(row) + "\n" for row in rows)
        else:
            between = "\t" if ending == "tsv" else ","
            text = "".join(between.join(cells) + "\n" for cells in [tuple(rows[0]), *(row.values() for row in rows)])
        source.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())

    put("")
    with pytest.raises(InputError, match=r"Row 21.*Mend it"):
        read(source, out)
    put("not any more")
    assert read(source, out).resumed == 16
    read(source, tmp_path / "whole.csv")
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_overwrite_goes_on_with_what_the_same_command_left(
    read: Read, tmp_path: Path, small_blocks: None, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = table(tmp_path / "in.csv", 30), tmp_path / f"out.{ending}"
    read(source, out, scheme=RELAXED)
    save = module.Sidecar.save

    def stop(self: module.Sidecar, done: module.Done) -> None:
        save(self, done)
        if done.rows == 16:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module.Sidecar, "save", stop)
        with pytest.raises(KeyboardInterrupt):
            read(source, out, overwrite=True)
    assert read(source, out, overwrite=True).resumed == 16
    assert read(source, out, overwrite=True).resumed == 0
    read(source, tmp_path / f"whole.{ending}")
    assert out.read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()


@pytest.mark.parametrize("left", ["nothing", "a part", "a broken sidecar"])
def test_overwrite_starts_afresh_where_it_cannot_go_on(
    read: Read, stopped: tuple[Path, Path], tmp_path: Path, left: str
) -> None:
    source, out = stopped
    if left == "nothing":
        out.unlink()
    elif left == "a part":
        out.write_bytes(b"short")
    else:
        (tmp_path / "out.csv.progress").write_bytes(b"{}")
    assert read(source, out, skip_bad=True, overwrite=True).resumed == 0
    read(source, tmp_path / "whole.csv", skip_bad=True)
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_an_output_that_shrank_or_went_does_not_go_on(read: Read, stopped: tuple[Path, Path]) -> None:
    stopped[1].write_bytes(b"short")
    with pytest.raises(InputError, match="is shorter than when it was left"):
        read(*stopped)
    stopped[1].unlink()
    with pytest.raises(InputError, match="is gone"):
        read(*stopped)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"done": {"rows": "x"}}', b"\xff"])
def test_a_broken_sidecar_does_not_go_on(read: Read, stopped: tuple[Path, Path], content: bytes) -> None:
    (stopped[1].parent / "out.csv.progress").write_bytes(content)
    with pytest.raises(InputError, match="out.csv.progress cannot be read: start afresh with --overwrite"):
        read(*stopped)


@pytest.mark.parametrize("count", ["Infinity", "NaN", "1e30", "-3", "1" * 30, "16.5", "true", "null", '"16"'])
@pytest.mark.parametrize("which", ["rows", "bad", "state"])
def test_a_sidecar_with_impossible_counts_is_a_broken_one(
    read: Read, stopped: tuple[Path, Path], which: str, count: str
) -> None:
    sidecar = stopped[1].parent / "out.csv.progress"
    found = json.loads(sidecar.read_text())
    found["done"][which] = "COUNT"
    sidecar.write_text(json.dumps(found).replace('"COUNT"', count))
    with pytest.raises(InputError, match="out.csv.progress cannot be read: start afresh with --overwrite"):
        read(*stopped)


@pytest.mark.parametrize("seen", [None, [], {}, {"bytes": "many"}, {"bytes": -1, "sha256": ""}, {"bytes": 1e300}])
def test_a_sidecar_that_does_not_tell_its_input_does_not_go_on(
    read: Read, stopped: tuple[Path, Path], seen: object
) -> None:
    sidecar = stopped[1].parent / "out.csv.progress"
    sidecar.write_text(json.dumps(json.loads(sidecar.read_text()) | {"input": seen}))
    with pytest.raises(InputError, match="start afresh with --overwrite"):
        read(*stopped)


def test_a_whole_output_is_not_written_over(read: Read, tmp_path: Path) -> None:
    source, out = table(tmp_path / "in.csv", 3), tmp_path / "out.csv"
    read(source, out)
    before = out.read_bytes()
    with pytest.raises(InputError, match="exists already: add --overwrite"):
        read(source, out, scheme=RELAXED)
    assert out.read_bytes() == before
    read(source, out, scheme=RELAXED, overwrite=True)
    assert out.read_bytes() != before


def test_a_pipe_ends_what_an_earlier_job_began(
    stopped: tuple[Path, Path], environment: dict[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "meant", "reply", "--file", "-", "--out", str(stopped[1]), "--format", "csv"]
    for option, code in (([], 2), (["--overwrite"], 0)):
        done = subprocess.run([*command, *option], input=b"question,reply\nHungry?,no\n", env=environment)
        assert done.returncode == code
    assert len(stopped[1].read_bytes().splitlines()) == 2
    assert not (tmp_path / "out.csv.progress").exists()


def test_the_output_may_not_be_the_input(read: Read, tmp_path: Path) -> None:
    source = table(tmp_path / "in.csv", 3)
    (tmp_path / "link.csv").symlink_to(source)
    for out in (source, tmp_path / "link.csv"):
        with pytest.raises(InputError, match="is the input"):
            read(source, out, overwrite=True)


@pytest.mark.parametrize("name", ["out.csv.progress", "out.csv.unfinished", "out.csv.parts/000000.parquet"])
def test_the_input_may_not_be_what_stands_beside_the_output(read: Read, tmp_path: Path, name: str) -> None:
    (tmp_path / "out.csv.parts").mkdir()
    source = table(tmp_path / name, 3)
    before = source.read_bytes()
    for overwrite in (False, True):
        with pytest.raises(InputError, match="would be lost in writing .*out.csv: name another file with --out"):
            read(source, tmp_path / "out.csv", format="csv", overwrite=overwrite)
    assert source.read_bytes() == before


@pytest.mark.parametrize("length", [300, 254])
def test_names_too_long_are_sentences(read: Read, tmp_path: Path, length: int) -> None:
    source, long = table(tmp_path / "in.csv", 3), "x" * (length - 4)
    with pytest.raises(InputError, match="cannot be written .*: choose another --out"):
        read(source, tmp_path / f"{long}.csv")
    for ending in ("csv", "parquet"):
        with pytest.raises(InputError, match="cannot be read .*: check the name|There is no file"):
            read(tmp_path / f"{long}.{ending}", tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is permitted here")
@pytest.mark.parametrize("mode", [0o000, 0o500])
def test_folders_without_permission_are_sentences(read: Read, tmp_path: Path, mode: int) -> None:
    source = table(tmp_path / "in.csv", 3)
    closed = tmp_path / "closed"
    closed.mkdir(mode=mode)
    with pytest.raises(InputError, match="choose another --out"):
        read(source, closed / "out.csv")
    with pytest.raises(InputError, match="cannot be read .*: check the name|There is no file"):
        read(closed / "in.csv", tmp_path / "out.csv")


def test_folders_are_sentences(read: Read, tmp_path: Path) -> None:
    source = table(tmp_path / "in.csv", 3)
    with pytest.raises(InputError, match="is a folder"):
        read(source, tmp_path, format="csv")
    with pytest.raises(InputError, match="There is no folder"):
        read(source, tmp_path / "none" / "out.csv")
    with pytest.raises(InputError, match="is a folder"):
        read(tmp_path, tmp_path / "out.csv", format="parquet")
    with pytest.raises(InputError, match="There is no file"):
        read(tmp_path / "none.csv", tmp_path / "out.csv")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_device_is_a_failure_in_a_sentence(read: Read, tmp_path: Path) -> None:
    with pytest.raises(MeantError, match="/dev/full could not be written .No space left on device") as caught:
        read(table(tmp_path / "in.csv", 3), Path("/dev/full"))
    assert caught.value.code == 1


@pytest.mark.usefixtures("small_blocks")
def test_a_full_disk_keeps_the_rows_and_a_later_run_goes_on(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    source, out = table(tmp_path / "in.csv", 60), tmp_path / "out.csv"
    read(source, tmp_path / "whole.csv")
    size = (tmp_path / "whole.csv").stat().st_size
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, limits[1]))
    try:
        with pytest.raises(
            MeantError, match=r"could not be written .* rows are safe: run the same command again"
        ) as no:
            read(source, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert no.value.code == 1
    assert read(source, out).resumed > 0
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_memory_does_not_grow_with_the_file(read: Read, tmp_path: Path) -> None:
    """What is held is a block, not the file: rows are taken from the input as they are read."""
    source = table(tmp_path / "in.csv", 3 * 512)
    taken: list[int] = []
    write = FileOutput.write

    def noted(self: FileOutput, rows: list[dict[str, object]]) -> int:
        taken.append(len(rows))
        return write(self, rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileOutput, "write", noted)
        read(source, tmp_path / "out.csv")
    assert taken == [512, 512, 512]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_large_rows_come_in_smaller_blocks_and_to_the_same_bytes(
    read: Read, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "HEAVY", 50_000)
    source, out = tmp_path / "in.jsonl", tmp_path / f"out.{ending}"
    rows = [{"question": "Hungry?", "reply": f"no {n}", "note": "x" * (n % 5 * 10_000)} for n in range(40)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    saved: list[int] = []
    killed_at: int | None = None
    save = module.Sidecar.save

    def noted(self: module.Sidecar, done: module.Done) -> None:
        save(self, done)
        saved.append(done.rows)
        if done.rows == killed_at:
            raise Killed

    monkeypatch.setattr(module.Sidecar, "save", noted)
    read(source, tmp_path / f"whole.{ending}")
    blocks = [saved.pop(0) for _ in saved[:]]
    assert blocks[:4] == [0, 4, 7, 9]
    killed_at = 9
    with pytest.raises(Killed):
        read(source, out)
    killed_at = None
    assert read(source, out).resumed == 9
    assert saved == blocks
    assert out.read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()


def test_a_first_row_may_be_mended_before_any_was_done(read: Read, tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("question,reply\na?,\n")
    with pytest.raises(InputError, match="the reply is empty"):
        read(source, out)
    source.write_text("question,reply\na?,no\n")
    assert read(source, out).rows == 1
