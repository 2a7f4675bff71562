"""The README keeps its word: two commands, examples that give what it shows, a table with every folder."""

from __future__ import annotations

import doctest
import re
import subprocess
from pathlib import Path

import generate
import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```bash\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL)


def test_there_are_two_commands_of_one_line_each() -> None:
    assert len(COMMANDS) == 2
    assert not any("\n" in command for command in COMMANDS)


def test_the_first_command_sets_up_and_reads_a_reply() -> None:
    make, install, read = COMMANDS[0].split(" && ")
    assert (make, install) == ("python3 -m venv .venv", ".venv/bin/pip install .")
    assert read.startswith(".venv/bin/meant reply ")


def test_the_second_command_sets_up_and_passes_the_tests() -> None:
    make, install, test = COMMANDS[1].split(" && ")
    assert make == "python3 -m venv .venv-dev"
    assert install == ".venv-dev/bin/pip install -c constraints.txt -e '.[dev]'"
    assert test == ".venv-dev/bin/pytest"


def test_ci_runs_the_second_command_word_for_word() -> None:
    done = subprocess.run([str(ROOT / ".ci" / "run"), "--show"], capture_output=True, text=True, timeout=20)
    assert done.stdout == COMMANDS[1] + "\n", done.stderr


def test_the_first_example_is_the_first_commands_reply() -> None:
    shown = re.search(r"^\$ meant (reply .*)$", README, re.MULTILINE)
    assert shown and COMMANDS[0].endswith(shown[1])


def test_the_python_examples_give_what_they_show() -> None:
    case = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(case.examples) > 5
    told: list[str] = []
    assert doctest.DocTestRunner().run(case, out=told.append).failed == 0, "".join(told)


def test_the_console_examples_give_what_they_show() -> None:
    assert generate.stable(generate.refreshed(README)) == generate.stable(README)


@pytest.mark.parametrize("line", ["no  (93 %)   probably no 6 %", "no  (91 %)   probably no 7 %, yes 1 %"])
def test_a_console_example_may_differ_in_its_figures_alone(line: str) -> None:
    assert generate.stable(line) == ["no  (#)"]


def test_the_table_names_every_folder() -> None:
    package = ROOT / "src" / "meant"
    folders = {path.parent.relative_to(ROOT).as_posix() for path in package.glob("*/*") if path.name[0] not in "_."}
    assert folders <= set(re.findall(r"^\| `([^`]+)` \|", README, re.MULTILINE))
    for name in re.findall(r"^\| `([^`]+)` \|", README, re.MULTILINE):
        assert (ROOT / name).is_dir()
