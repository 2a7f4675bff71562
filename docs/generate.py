"""Writes what the docs take from the code: docs/reference, the list in docs/results, and what the examples print.

Run it after a change of the commands, of the public names or of the bundle:

    python docs/generate.py

tests/test_docs.py and tests/test_readme.py check that nothing is out of date.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
WIDTH = 100  # columns of a help text

# What the public classes give back, without being made by hand.
RETURNED = ("meant.explanation.Explanation", "meant.explanation.Word")

_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FIGURE = re.compile(r"\d+ %|\d+\.\d+(?:e-\d+)?")
_OTHERS = re.compile(r"(?<=%\))   .*%$")


def main() -> None:
    """Write everything anew and say which files changed."""
    for path, text in generated().items():
        _write(path, text)
    for path in pages():
        text = path.read_text(encoding="utf-8")
        _write(path, refreshed(text))


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


def pages() -> list[Path]:
    """The pages that people write: the README and everything under docs that is not generated."""
    found = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
    return [path for path in found if path.parent not in (DOCS / "reference", DOCS / "results")]


def generated() -> dict[Path, str]:
    """The pages that the code writes."""
    return {
        DOCS / "reference" / "cli.md": command_reference(),
        DOCS / "reference" / "python.md": python_reference(),
        DOCS / "results" / "README.md": results_index(),
    }


# -- the command line -------------------------------------------------------------------------------------------------


def command_reference() -> str:
    """Every command's help, as `--help` prints it."""
    parts = ["# Commands", "Made by `docs/generate.py` from the commands themselves. Change those, not this page."]
    for name, help_text in commands():
        parts += [f"{'#' * (name.count(' ') + 2)} `{name}`", f"```text\n{help_text}\n```"]
    return "\n\n".join(parts) + "\n"


def commands() -> Iterator[tuple[str, str]]:
    """The full name and the help text of every command and group."""
    from typer.main import get_command

    from meant.cli import app

    yield from _commands(get_command(app), "meant", None)


def _commands(command: Any, name: str, parent: Any) -> Iterator[tuple[str, str]]:
    context = command.context_class(
        command, info_name=name.split()[-1], parent=parent, terminal_width=WIDTH, max_content_width=WIDTH
    )
    with context.scope(cleanup=False):
        lines = command.get_help(context).splitlines()
    yield name, "\n".join(line.rstrip() for line in lines).strip()
    for sub, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from _commands(inner, f"{name} {sub}", context)


# -- the Python names -------------------------------------------------------------------------------------------------


def python_reference() -> str:
    """The public names with their signatures and docstrings."""
    import meant

    intro = "Made by `docs/generate.py` from the code. `from meant import ...` gives these names and no others."
    parts = ["# Python", intro]
    for name in meant.__all__:
        value = getattr(meant, name)
        parts += list(_class(f"meant.{name}", value)) if inspect.isclass(value) else [f"## `meant.{name}`", "A text."]
    parts += ["# What they give back", "These come out of the names above; nobody needs to make one."]
    for path in RETURNED:
        module, name = path.rsplit(".", 1)
        parts += _class(path, getattr(import_module(module), name))
    return "\n\n".join(parts) + "\n"


def _class(path: str, value: type) -> Iterator[str]:
    bases = [base.__name__ for base in value.__bases__ if base is not object]
    yield f"## `{path}`"
    if issubclass(value, Exception):
        yield f"An error, of the kind {' and '.join(f'`{base}`' for base in bases)}."
    else:
        yield f"```python\n{value.__name__}{_signature(value)}\n```"
    if value.__doc__:
        yield inspect.cleandoc(value.__doc__)
    if dataclasses.is_dataclass(value):
        yield "Fields: " + ", ".join(f"`{field.name}`" for field in dataclasses.fields(value)) + "."
    for name, member in vars(value).items():
        told = member.fget if isinstance(member, property) else member
        public = not name.startswith("_") or name == "__call__"
        if public and inspect.isfunction(told) and told.__doc__:
            called = "" if isinstance(member, property) else _signature(told, method=True)
            result = _result(told)
            shown = value.__name__.lower() if name == "__call__" else f".{name}"
            yield f"### calling an `{value.__name__}`" if name == "__call__" else f"### `{value.__name__}.{name}`"
            yield f"```python\n{shown}{called or result}\n```"
            yield inspect.cleandoc(told.__doc__)


def _signature(value: Any, method: bool = False) -> str:
    """The signature in the source's own spelling of the types, which is the same under every Python."""
    signature = inspect.signature(value)
    parameters = list(signature.parameters.values())[1 if method else 0 :]
    shown: list[str] = []
    keywords = False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            shown.append("*")
            keywords = True
        typed = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        shown.append(parameter.name + typed + default)
    return f"({', '.join(shown)})" + (_result(value) if method else "")


def _result(function: Any) -> str:
    given = inspect.signature(function).return_annotation
    return "" if given is inspect.Signature.empty else f" -> {given}"


# -- the results ------------------------------------------------------------------------------------------------------


def results_index() -> str:
    """A list of the pages that `meant bench` has written."""
    intro = (
        "Every page here, and every picture, is written by a `meant bench` command with `--results docs/results`. "
        "Each figure has a signature that says how it was made. Nobody types one."
    )
    found = sorted(path for path in (DOCS / "results").glob("*.md") if path.name != "README.md")
    listed = [f"- [{_title(path)}]({path.name})" for path in found] or ["Nothing has been measured yet."]
    return "\n\n".join(["# Results", intro, "\n".join(listed)]) + "\n"


def _title(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.lstrip("# ") for line in lines if line.startswith("#")), path.stem)


# -- what the examples print ------------------------------------------------------------------------------------------


def refreshed(text: str) -> str:
    """The page with every `console` example's output as it is today."""
    with tempfile.TemporaryDirectory() as folder:
        return _CONSOLE.sub(lambda found: f"```console\n{_played(found[1], Path(folder))}```", text)


def _played(session: str, folder: Path) -> str:
    """Run a session's commands, all of a page's sessions in one empty folder."""
    played = ""
    for line in session.splitlines():
        if line.startswith("$ "):
            played += f"{line}\n{_output(line[2:], folder)}"
    return played


def _output(command: str, folder: Path) -> str:
    shell = f'meant() {{ {shlex.quote(sys.executable)} -m meant "$@"; }}\n{command}'
    environment = {name: value for name, value in os.environ.items() if name != "MEANT_BUNDLE"}
    environment |= {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8", "COLUMNS": str(WIDTH)}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(["bash", "-c", shell], cwd=folder, env=environment, timeout=120, **both)
    text = done.stdout.decode("utf-8")
    return text if not text or text.endswith("\n") else text + "\n"


def stable(text: str) -> list[str]:
    """The lines without what differs a little from one processor to another: figures, and what is least likely."""
    lines = [_FIGURE.sub("#", _OTHERS.sub("", line)) for line in text.splitlines()]
    return [line for line in lines if not re.search(r"\d points (less|more)$", line)]


if __name__ == "__main__":
    main()
