from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from meant import InputError
from meant.files import job as module
from meant.files.job import Summary
from meant.files.lock import held, lock_path

Read = Callable[..., Summary]


def test_two_runs_do_not_write_one_output(read: Read, tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("question,reply\na?,no\n")
    with held(out), pytest.raises(InputError, match=r"Another run is writing .*out\.csv: wait for it"):
        read(source, out, overwrite=True)
    assert not out.exists()
    assert read(source, out).rows == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_a_run_that_failed_lets_go(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("question,reply\na?,no\n")

    def fail(self: module.Sidecar, done: module.Done) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.Sidecar, "save", fail)
    with pytest.raises(Exception, match="No space left on device"):
        read(source, out)
    assert not lock_path(out).exists()


def test_the_lock_of_a_killed_run_is_no_obstacle(tmp_path: Path, environment: dict[str, str]) -> None:
    out = tmp_path / "out.csv"
    script = (
        "import pathlib, sys, time\nfrom meant.files.lock import held\n"
        "with held(pathlib.Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(out)], env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(InputError, match="Another run"), held(out):
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert lock_path(out).exists()
    with held(out):
        pass
    assert not lock_path(out).exists()


def test_somebody_elses_file_of_that_name_stays(tmp_path: Path) -> None:
    lock_path(tmp_path / "poetry").write_text("mine")
    with pytest.raises(InputError, match="is in the way"), held(tmp_path / "poetry"):
        pass
    assert lock_path(tmp_path / "poetry").read_text() == "mine"


def test_a_link_of_that_name_is_not_followed(read: Read, tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("question,reply\na?,no\n")
    os.symlink(tmp_path / "elsewhere", lock_path(out))
    with pytest.raises(InputError, match=r"out\.csv\.lock cannot be written"):
        read(source, out)
    assert not (tmp_path / "elsewhere").exists()
