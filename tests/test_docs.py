"""The docs: made from the code as it is, links that lead somewhere, examples that give what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import generate
import pytest

from meant.runtime.bundle import Bundle

ROOT = Path(__file__).parent.parent
PAGES = generate.pages()
ALL = sorted({ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")})
WRITTEN = [path for path in PAGES if path.name != "README.md"]
COMMANDS = {name for name, _ in generate.commands()}

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sorted(generate.generated()), ids=name_of)
def test_what_comes_from_the_code_is_up_to_date(path: Path) -> None:
    wanted = generate.generated()[path]
    assert path.read_text(encoding="utf-8") == wanted, f"{name_of(path)} is out of date: run  python docs/generate.py"


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    for link in _LINK.findall(_FENCE.sub("", path.read_text(encoding="utf-8"))):
        if link.startswith(("https://", "http://")):
            continue
        target, _, anchor = link.partition("#")
        page = (path.parent / target).resolve() if target else path
        assert page.is_relative_to(ROOT) and page.is_file(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(page), f"{link} names no heading"


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_python_examples_give_what_they_show(path: Path) -> None:
    case = doctest.DocTestParser().get_doctest(path.read_text(encoding="utf-8"), {}, path.name, str(path), 0)
    told: list[str] = []
    assert doctest.DocTestRunner().run(case, out=told.append).failed == 0, "".join(told)


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_console_examples_give_what_they_show(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert generate.stable(generate.refreshed(text)) == generate.stable(text), "run  python docs/generate.py"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_command_that_is_shown_exists(path: Path) -> None:
    fences = "\n".join(re.findall(r"^```(?:sh|bash|console)\n(.*?)^```$", path.read_text("utf-8"), re.M | re.S))
    for group, sub in re.findall(r"\bmeant ([a-z]+)(?: ([a-z]+))?", fences):
        assert f"meant {group}" in COMMANDS
        has_commands = any(name.startswith(f"meant {group} ") for name in COMMANDS)
        assert not has_commands or f"meant {group} {sub}" in COMMANDS


def test_the_notice_names_every_source_of_the_bundle_that_ships() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for source in Bundle.load(ROOT / "src" / "meant" / "bundles" / "default").sources:
        assert source["name"] in notice
