"""meant corpus: which corpora there are, how one gets here, and its rows."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from ..errors import InputError
from .voice import say

if TYPE_CHECKING:
    from ..corpora import circa
    from ..corpora.catalogue import Corpus

app = typer.Typer(help="The corpora: where they are, how to get one, what is in it.", rich_markup_mode=None)

Data = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of corpora; MEANT_DATA or the cache if not given.")
]


_LIST = """Every corpus: whether it is there and where, where it comes from, its licence, what may be trained on it.

\b
  meant corpus list
  meant corpus list --data ~/corpora
"""

_FETCH = """Download a corpus, check that it is the file expected, and put it in its place.

\b
  meant corpus fetch circa
  meant corpus fetch clinc-oos
  meant corpus fetch circa --data ~/corpora
  meant corpus fetch circa --from https://mirror.example/circa-data.tsv
"""

_SHOW = """Print a corpus' rows with their gold labels, and how many there are of each label.

\b
All rows, in the file's order:
  meant corpus show circa --limit 10
  meant corpus show circa --scheme relaxed --json > circa.jsonl

\b
The rows of a split (release, paper:SEED, scenario:K), or of one part of it:
  meant corpus show circa --split release --part test
  meant corpus show circa --split scenario:3 --part dev --limit 0
"""


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def list_(data: Data = None) -> None:
    from ..corpora.catalogue import CORPORA
    from ..corpora.folder import data_folder

    for corpus in CORPORA:
        folder = data_folder(data) / corpus.name
        there = all(any((folder / name).is_file() for name in names) for names in corpus.files)
        print(f"{corpus.name:<10}  {'there ' if there else 'absent'}  {folder}")
        how = f"meant corpus fetch {corpus.name}" if corpus.url else f"needs {_needed(corpus)}"
        print(f"{'':<10}  from {corpus.home} ({how})")
        print(f"{'':<10}  licence: {corpus.licence}; to train weights that ship: {corpus.weights}")


def _needed(corpus: Corpus) -> str:
    return ", ".join(names[0] for names in corpus.files)


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The corpus, such as circa.", show_default=False)],
    data: Data = None,
    source: Annotated[
        str | None, typer.Option("--from", metavar="URL", help="Another address of the same file.")
    ] = None,
) -> None:
    from ..corpora import folder
    from ..corpora.catalogue import named

    corpus = named(name)
    path = folder.data_folder(data) / name / corpus.files[0][0]
    if corpus.url is None:
        raise InputError(
            f"{name} is no single file to fetch: get it from {corpus.home} and put {_needed(corpus)} "
            f"into {path.parent}."
        )
    if source is not None and not _is_address(source):
        raise InputError(f"--from takes an address that begins with https:// or http://, not {source[:80]!r}.")
    if folder.is_whole(path, corpus.sha256):
        say(f"{name} is there already, and whole: {path}")
        return
    with _bar() as bar:
        task = bar.add_task(path.name, total=None)
        folder.fetch(
            source or corpus.url,
            path,
            corpus.sha256,
            lambda done, total: bar.update(task, completed=done, total=total or None),
        )
    say(f"{name} -> {path} ({path.stat().st_size / 1e6:.1f} MB), licence: {corpus.licence}")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("https", "http") and bool(parts.hostname)
    except ValueError:
        return False


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console, disable=not console.is_terminal)


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The corpus: circa.", show_default=False)],
    split: Annotated[
        str | None, typer.Option(help="release, paper:SEED or scenario:K; all rows if not given.", show_default=False)
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="train, dev or test; all three if not given.", show_default=False)
    ] = None,
    scheme: Annotated[str, typer.Option(help="strict (6 labels) or relaxed (4 labels).")] = "strict",
    as_json: Annotated[bool, typer.Option("--json", help="Print each row as a JSON object.")] = False,
    limit: Annotated[int | None, typer.Option(min=0, metavar="N", help="Print the first N rows alone.")] = None,
    data: Data = None,
) -> None:
    from ..corpora.catalogue import named
    from ..labels import scheme_named

    named(name)
    if name != "circa":
        raise InputError(f"Only circa can be shown, not {name}.")
    if part is not None and split is None:
        raise InputError("--part goes with --split: add --split release, paper:SEED or scenario:K.")
    chosen = scheme_named(scheme)
    counts: Counter[str | None] = Counter()
    for number, (where, row) in enumerate(_rows(split, part, scheme, data)):
        label = row.gold(chosen)
        counts[label] += 1
        if limit is None or number < limit:
            print(json.dumps(_fields(row, where, label), ensure_ascii=False) if as_json else _line(row, label))
    sys.stdout.flush()
    for line in _told(counts, chosen.labels):
        say(line)


def _rows(split: str | None, part: str | None, scheme: str, data: Path | None) -> Iterator[tuple[str, circa.Row]]:
    """Each row, after the name of its part ("" where the corpus is not split)."""
    from ..corpora import circa

    if split is None:
        yield from (("", row) for row in circa.load(data))
        return
    found = circa.split_named(split, scheme, data)
    for name in (part,) if part is not None else ("train", "dev", "test"):
        yield from ((name, row) for row in found.part(name))


def _fields(row: circa.Row, part: str, label: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": row.id}
    if part:
        fields["part"] = part
    return fields | {
        "label": label,
        "question": row.question,
        "reply": row.reply,
        "context": row.context,
        "statement": row.statement,
        "marks": list(row.marks),
    }


def _line(row: circa.Row, label: str | None) -> str:
    return f"{row.id}\t{label or '-'}\t{row.question}\t{row.reply}"


def _told(counts: Counter[str | None], labels: Iterable[str]) -> list[str]:
    """How many rows there are of each label, of none, and in all."""
    lines = [(label, counts[label]) for label in labels]
    if counts[None]:
        lines.append(("no label", counts[None]))
    lines.append(("rows", counts.total()))
    return [f"{label:<15} {count:>6,}" for label, count in lines]


for _command, _name, _help in ((list_, "list", _LIST), (fetch, "fetch", _FETCH), (show, "show", _SHOW)):
    _command.__doc__ = _help
    app.command(_name)(_command)
