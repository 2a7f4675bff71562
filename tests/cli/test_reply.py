"""`meant reply` as a real process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import meant as package
from meant.cli.reply import told, told_words
from meant.explanation import Explanation, Word
from meant.reading import Reading

Meant = Callable[..., "subprocess.CompletedProcess[bytes]"]
ONE = ("Want to get some dinner together?", "I'd rather just go to bed.")


def test_the_line_names_the_label_and_the_others_above_one_percent() -> None:
    reading = Reading("no", {"yes": 0.012, "no": 0.97, "probably no": 0.0141, "middle": 0.0039}, "strict", 0.1)
    assert told(reading) == "no  (97 %)   probably no 1 %, yes 1 %"


def test_a_line_says_when_it_is_probably_no_answer() -> None:
    assert told(Reading("no", {"yes": 0.0, "no": 1.0}, "strict", 0.81)).splitlines() == [
        "no  (100 %)",
        "probably no answer at all (other 81 %)",
    ]


def test_words_are_told_with_what_happens_without_them() -> None:
    reading = Reading("no", {"yes": 0.1, "no": 0.9}, "strict")
    words = (Word("not", 0, 3, 0.52), Word("today", 4, 9, -0.03), Word("so", 10, 12, 0.001))
    lines = told_words(Explanation("q", "not today so", reading, words)).splitlines()
    assert lines == ["'no' without the word:", "  not     52 points less", "  today    3 points more"]


def test_one_reply(meant: Meant) -> None:
    done = meant("reply", *ONE)
    assert done.returncode == 0
    assert b" %)" in done.stdout
    assert done.stderr == b""


def test_a_reply_may_begin_with_a_dash_after_two(meant: Meant) -> None:
    done = meant("reply", "--", "Is it below zero?", "-5")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("closed", "arguments", "code"), [("stdout", ONE, 0), ("stderr", ("Hungry?", ""), 2)])
def test_a_closed_stream_is_no_trouble(
    environment: dict[str, str], closed: str, arguments: tuple[str, str], code: int
) -> None:
    number = {"stdout": 1, "stderr": 2}[closed]
    script = (
        f"import os, sys\nos.close({number})\nos.execv(sys.executable, [sys.executable, '-m', 'meant', *sys.argv[1:]])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "reply", *arguments], capture_output=True, env=environment, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_one_reply_as_json(meant: Meant) -> None:
    fields = json.loads(meant("reply", *ONE, "--json", "--scheme", "relaxed").stdout)
    assert list(fields) == ["question", "reply", "label", "confidence", "probabilities", "scheme", "other"]
    assert len(fields["probabilities"]) == 4


def test_an_explanation(meant: Meant) -> None:
    fields = json.loads(meant("reply", *ONE, "--json", "--explain").stdout)
    assert [word["text"] for word in fields["words"]] == ONE[1].split()
    assert len(meant("reply", *ONE, "--explain").stdout.splitlines()) > 1


def test_the_version_and_the_help(meant: Meant) -> None:
    assert meant("--version").stdout.decode().strip() == f"meant {package.__version__}"
    assert b"reply" in meant().stdout
    told = meant("reply", "--help").stdout.decode()
    for example in ("I'd rather just go to bed.", "--file replies.csv --out read.csv", "meant reply --file -"):
        assert example in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Give a question and a reply"),
        (["Hungry?"], "Give a question and a reply"),
        (["Hungry?", ""], "The reply is empty."),
        (["Hungry?", "no", "--scheme", "loose"], "There is no scheme 'loose'"),
        (["Hungry?", "no", "--out", "x.csv"], "--out goes with --file"),
        (["Hungry?", "no", "--skip-bad"], "--skip-bad goes with --file"),
        (["--file", "x.csv", "Hungry?"], "QUESTION is for one reply"),
        (["--file", "x.csv", "--json"], "--json is for one reply"),
        (["--file", "x.csv"], "There is no file 'x.csv'"),
        (["--file", "x.txt"], "add --format"),
        (["--file", "."], "is a folder"),
        (["--file", "-", "--format", "parquet"], "parquet cannot be"),
        (["Hungry?", "no", "--bundle", "nowhere"], "There is no bundle at 'nowhere'"),
        (["Hungry?", "no", "--threads", "0"], "threads should be"),
        (["Hungry?", "no", "--threads", "x"], "Invalid value"),
        (["Hungry?", "no", "more"], "unexpected extra argument"),
        (["--loud"], "No such option"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_2(meant: Meant, arguments: list[str], sentence: str) -> None:
    done = meant("reply", *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("meant: ") and sentence in line


def test_text_that_is_not_utf8_on_the_command_line(environment: dict[str, str]) -> None:
    command = [sys.executable.encode(), b"-m", b"meant", b"reply", b"Hungry?", b"no \xff", b"--json"]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.returncode == 0
    assert json.loads(done.stdout)["reply"].startswith("no ")


def test_a_file_to_a_file(meant: Meant, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"q,a\nHungry?,no\nTired?,\n")
    done = meant("reply", "--file", "in.csv", "--out", "out.jsonl", "--skip-bad")
    assert done.returncode == 0
    assert b"Row 2 (line 3): the reply is empty. Left out." in done.stderr
    assert b"2 rows read, 1 of them bad and left out -> out.jsonl" in done.stderr
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 1


def test_a_bad_row_in_a_pipe_exits_2_after_the_rows_before_it(meant: Meant) -> None:
    done = meant("reply", "--file", "-", stdin=b'{"question": "Hungry?", "reply": "no"}\n{"question": "Hungry?"}\n')
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 1
    assert b"Row 2: it has no 'reply'" in done.stderr


def test_csv_through_a_pipe(meant: Meant) -> None:
    done = meant("reply", "--file", "-", "--out", "-", "--format", "csv", stdin=b"question,reply\nHungry?,no\n")
    assert done.stdout.startswith(b"question,reply,label,")
    assert done.stderr == b""


def test_each_line_of_a_slow_pipe_is_answered_as_it_comes(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "meant", "reply", "--file", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin and process.stdout
        for reply in ("no", "yes", "maybe"):
            process.stdin.write(json.dumps({"question": "Hungry?", "reply": reply}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["reply"] == reply
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_a_reader_that_leaves_early_ends_the_run_quietly(environment: dict[str, str]) -> None:
    lines = b'{"question": "Hungry?", "reply": "no"}\n' * 5000
    command = f"{sys.executable} -m meant reply --file - | head -n 1"
    done = subprocess.run(command, shell=True, input=lines, capture_output=True, env=environment, timeout=60)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", ["Hungry? no", "--file -"])
def test_a_full_disk_behind_stdout_exits_1_with_a_sentence(environment: dict[str, str], arguments: str) -> None:
    command = f"{sys.executable} -m meant reply {arguments} > /dev/full"
    line = b'{"question": "Hungry?", "reply": "no"}\n'
    done = subprocess.run(command, shell=True, input=line, capture_output=True, env=environment, timeout=60)
    assert done.returncode == 1
    (sentence,) = done.stderr.decode().splitlines()
    assert "No space left on device" in sentence


def test_parquet_without_its_extra_is_a_sentence(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"question,reply\nHungry?,no\n")
    code = "import sys; sys.modules['pyarrow'] = None; import meant.cli; meant.cli.main()"
    for names in (("in.csv", "out.parquet"), ("in.parquet", "out.csv")):
        command = [sys.executable, "-c", code, "reply", "--file", names[0], "--out", names[1]]
        done = subprocess.run(command, capture_output=True, env=environment, cwd=tmp_path, timeout=60)
        assert done.returncode == 2
        assert b"needs meant[files]: run  pip install 'meant[files]'" in done.stderr


def test_a_terminal_gets_a_bar(environment: dict[str, str], tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    (tmp_path / "in.csv").write_bytes(b"question,reply\n" + b"Hungry?,no\n" * 600)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "meant", "reply", "--file", "in.csv", "--out", "out.csv"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment | {"TERM": "xterm"}, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # how a terminal says that nobody writes any more
        pass
    assert process.wait(timeout=60) == 0
    assert b"100%" in shown and b"600 rows" in shown


def test_an_interrupt_exits_130_and_says_how_to_go_on(environment: dict[str, str], tmp_path: Path) -> None:
    rows = "".join(f"Hungry {n}?,no {n}\n" for n in range(20_000))
    (tmp_path / "in.csv").write_text("question,reply\n" + rows, encoding="utf-8")
    command = [sys.executable, "-m", "meant", "reply", "--file", "in.csv", "--out", "out.csv"]
    # Tests that a shell runs in its background inherit an interrupt that is ignored.
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, preexec_fn=listen)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (tmp_path / "out.csv").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"rows are safe: run the same command again" in stderr
    assert b"Traceback" not in stderr


def test_what_begins_with_a_dash_is_told_where_to_stand(meant: Meant) -> None:
    done = meant("reply", "Is it below zero?", "-5")
    assert done.returncode == 2
    assert b"A text that begins with - stands after -- ." in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_stderr_costs_no_rows_and_changes_no_exit_code(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_text("question,reply\na?,\nb?,no\n")
    command = [sys.executable, "-m", "meant", "reply"]
    with open("/dev/full", "w") as full:
        wrong = subprocess.run([*command, "a", ""], stderr=full, env=environment)
        options = ["--file", "in.csv", "--out", "out.csv", "--skip-bad"]
        right = subprocess.run([*command, *options], stderr=full, env=environment, cwd=tmp_path)
    assert wrong.returncode == 2
    assert right.returncode == 0
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 2


def test_standard_input_that_is_closed_is_no_empty_file(environment: dict[str, str], tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m meant reply --file - --out out.jsonl <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"meant: Standard input is closed: name a file instead of - .\n")
    assert not (tmp_path / "out.jsonl").exists()


def test_json_is_utf_8_wherever_it_goes(environment: dict[str, str]) -> None:
    plain = environment | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "meant", "reply", "Hungry?", "👍", "--json"]
    done = subprocess.run(command, capture_output=True, env=plain)
    assert json.loads(done.stdout)["reply"] == "👍"


def test_an_interruption_while_modules_are_loaded_is_no_traceback(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('initialization failed') from KeyboardInterrupt()\n")
    aside = environment | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{environment['PYTHONPATH']}"}
    done = subprocess.run([sys.executable, "-m", "meant", "--help"], capture_output=True, env=aside)
    assert (done.returncode, done.stderr) == (130, b"")


def test_nothing_is_gathered_to_be_sent(environment: dict[str, str], tmp_path: Path) -> None:
    home = environment | {"HOME": str(tmp_path)}
    home.pop("ORT_DISABLE_TELEMETRY", None)
    done = subprocess.run([sys.executable, "-m", "meant", "reply", *ONE], capture_output=True, env=home)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.rglob("*")) == []


def test_a_bundle_named_by_the_environment_is_told_as_such(environment: dict[str, str]) -> None:
    elsewhere = environment | {"MEANT_BUNDLE": "/no/such/folder"}
    done = subprocess.run([sys.executable, "-m", "meant", "reply", *ONE], capture_output=True, env=elsewhere)
    assert done.returncode == 2
    assert b"There is no bundle at '/no/such/folder': change MEANT_BUNDLE, which names it." in done.stderr
