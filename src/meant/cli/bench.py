"""meant bench: measure, and print each figure with how it was made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InputError, MissingExtra
from .voice import say

if TYPE_CHECKING:
    from ..bench.scores import Score

app = typer.Typer(help="Measure, and print each figure with how it was made.", rich_markup_mode=None)

Bundle = Annotated[Path | None, typer.Option(metavar="DIR", help="Another bundle than the one that ships.")]
Data = Annotated[Path | None, typer.Option(help="The folder of the corpora, if not MEANT_DATA.")]
Json = Annotated[bool, typer.Option("--json", help="Print a list of objects.")]
Results = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write figures, page and pictures here, the model card beside it.")
]
Checkpoint = Annotated[
    Path | None, typer.Option(metavar="RUN", help="The run that the bundle was exported from, for fp32.")
]
Also = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Figures measured elsewhere (what --json printed there).")
]


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def reply(
    part: Annotated[str, typer.Option(help="test, or dev while something is still to be chosen.")] = "test",
    bundle: Bundle = None,
    checkpoint: Checkpoint = None,
    teacher: Annotated[list[Path] | None, typer.Option(metavar="RUN", help="Finished runs, read as one.")] = None,
    also: Also = None,
    results: Results = None,
    card: Annotated[bool, typer.Option("--card", help="Write the bundle's figures into its bundle.json.")] = False,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """How well replies are read: Circa's `release` split, direct replies, twins, calibration.

    \b
      meant bench reply
      meant bench reply --checkpoint runs/shipped --teacher runs/teacher-0 --teacher runs/teacher-1 --json
    """
    from ..bench import publish, reading, report
    from ..corpora import circa
    from ..interpreter import Interpreter

    if part not in ("dev", "test"):
        raise InputError(f"There is no part {part[:20]!r} to measure on: say dev or test.")
    # What would only be told after minutes of measuring is told before.
    elsewhere = [score for file in also or [] for score in report.load(file)]
    if results:
        _needs("bench", "matplotlib", "Drawing")
    if checkpoint or teacher:
        _needs("train", "torch", "Measuring a run")
        from ..training.model import record_of

        for run in [*([checkpoint] if checkpoint else []), *(teacher or [])]:
            record_of(run)
    if checkpoint:
        _needs("bench", "statsmodels", "McNemar's test")
    interpreter = Interpreter(bundle)
    rows = circa.release(data).part(part)
    pairs, where = [(row.question, row.reply) for row in rows], f"release|{part}"
    name = f"{interpreter.bundle.name}-{interpreter.bundle.version}"
    reader = reading.bundle_reader(interpreter)
    say(f"reading {len(rows):,} rows with {name}")
    small = reader(pairs)
    scores = reading.circa_scores(small, rows, where, name, reading.MUST, "shipped bundle")
    scores += reading.written_scores(reader, part, name, reading.MUST, "shipped bundle")
    scores.append(reading.size_score(interpreter.bundle.folder, name))
    if checkpoint:
        say(f"reading them with {checkpoint} in fp32")
        scores += reading.loss_by_int8(small, reading.runs_reader([checkpoint])(pairs), rows, where, name)
    if teacher:
        say(f"reading them with {len(teacher)} teachers")
        taught = reading.runs_reader(teacher)
        label = f"{len(teacher)}-teachers"
        scores += reading.circa_scores(taught(pairs), rows, where, label, reading.TEACHER_MUST, "teacher")
        scores += reading.written_scores(taught, part, label, {}, "teacher")
    scores += elsewhere
    _print(scores, as_json)
    if card:
        publish.into_card(interpreter.bundle.folder, scores)
    if results:
        publish.reply(results, scores, small, rows, interpreter.bundle.folder)


@app.command()
def speed(
    pairs: Annotated[int, typer.Option(min=10, help="How many Circa test pairs.")] = 1000,
    bundle: Bundle = None,
    checkpoint: Checkpoint = None,
    nli: Annotated[
        Path | None, typer.Option(metavar="RUN", help="A run of meant train nli, for the zero-shot row.")
    ] = None,
    embedder: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A hub id or folder, for sentence embeddings.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="For every rival alike; the cores there are.")] = None,
    results: Results = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Side by side, each in a process of its own: accuracy and speed of the bundle and of what people use instead.

    \b
      meant bench speed
      meant bench speed --nli runs/nli-minilm --embedder sentence-transformers/all-MiniLM-L6-v2
    """
    from ..bench import publish, speed
    from ..runtime.session import available_cores

    if checkpoint:
        _needs("train", "torch", "Measuring a run")
        from ..training.model import record_of

        record_of(checkpoint)
    if nli and not nli.is_dir():
        raise InputError(f"There is no folder {str(nli)!r}: give a run of  meant train nli  as --nli.")
    options = speed.Options(
        pairs=pairs,
        bundle=_named(bundle),
        checkpoint=_named(checkpoint),
        nli=_named(nli),
        embedder=embedder,
        threads=threads or available_cores(),
        data=_named(data),
    )
    scores = speed.run(options, say)
    _print(scores, as_json)
    if results:
        publish.speed(results, scores)


def _print(scores: list[Score], as_json: bool) -> None:
    from ..bench import report

    print(report.dumps(scores) if as_json else report.plain(scores))


def _named(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _needs(extra: str, module: str, what: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise MissingExtra(extra, what)
