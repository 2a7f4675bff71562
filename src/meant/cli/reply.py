"""meant reply: what a reply to a yes/no question means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InputError
from .voice import say

if TYPE_CHECKING:
    from ..explanation import Explanation
    from ..reading import Reading

_WORDS = 8  # that --explain shows

_HELP = """Read what a reply to a yes/no question means.

\b
One reply:
  meant reply "Want to get some dinner together?" "I'd rather just go to bed."
  meant reply "Do you eat meat?" "On Sundays." --scheme relaxed --json
  meant reply "Are you coming?" "If I find a sitter." --explain
  meant reply -- "How cold is it, below zero?" "-5"

\b
A file (csv, tsv, jsonl, parquet; an interrupted run goes on where it stopped):
  meant reply --file replies.csv --out read.csv
  meant reply --file circa.tsv --out read.jsonl --reply-column answer-Y --skip-bad

\b
A pipe (jsonl; each line is answered as it comes):
  echo '{"question": "Hungry?", "reply": "I just ate."}' | meant reply --file -
"""


def reply(
    question: Annotated[
        str | None, typer.Argument(metavar="[QUESTION]", help="A yes/no question.", show_default=False)
    ] = None,
    answer: Annotated[str | None, typer.Argument(metavar="[REPLY]", help="The reply.", show_default=False)] = None,
    scheme: Annotated[str, typer.Option(help="strict (6 labels) or relaxed (4 labels).")] = "strict",
    as_json: Annotated[bool, typer.Option("--json", help="Print one reading as JSON.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show which words of the reply carried it.")] = False,
    file: Annotated[Path | None, typer.Option(metavar="IN", help="Read the rows of a file; - is a pipe.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="OUT", help="Write them to this file; - is a pipe.")] = None,
    format: Annotated[
        str | None, typer.Option(help="csv, tsv, jsonl or parquet, where IN's name does not say it.")
    ] = None,
    question_column: Annotated[str | None, typer.Option(metavar="NAME", help="The column of the questions.")] = None,
    reply_column: Annotated[str | None, typer.Option(metavar="NAME", help="The column of the replies.")] = None,
    prefix: Annotated[str | None, typer.Option(help="Put before the names of the new columns.")] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out instead of stopping.")] = False,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Write OUT anew if it exists; go on with one that this very command left unfinished."
        ),
    ] = False,
    bundle: Annotated[Path | None, typer.Option(metavar="DIR", help="Another bundle than the one that ships.")] = None,
    threads: Annotated[int | None, typer.Option(help="Readings at a time; one for each core if not given.")] = None,
) -> None:
    of_files = {
        "--out": out, "--format": format, "--question-column": question_column, "--reply-column": reply_column,
        "--prefix": prefix, "--skip-bad": skip_bad, "--overwrite": overwrite,
    }  # fmt: skip
    of_one = {"QUESTION": question, "REPLY": answer, "--json": as_json, "--explain": explain}
    if file is None:
        _refuse(of_files, "goes with --file: add --file IN")
        if question is None or answer is None:
            raise InputError('Give a question and a reply, such as  meant reply "Hungry?" "I just ate."  or --file IN.')
        _one(question, answer, scheme, as_json, explain, bundle, threads)
    else:
        _refuse(of_one, "is for one reply and does not go with --file: leave one of them out")
        _file(
            file, out, format, scheme, question_column, reply_column, prefix or "", skip_bad, overwrite, bundle, threads
        )


reply.__doc__ = _HELP


def _refuse(options: Mapping[str, object], why: str) -> None:
    for name, value in options.items():
        if value is not None and value is not False:
            raise InputError(f"{name} {why}.")


def _one(
    question: str, answer: str, scheme: str, as_json: bool, explain: bool, bundle: Path | None, threads: int | None
) -> None:
    from ..interpreter import Interpreter
    from ..labels import scheme_named
    from ..tasks import replies

    chosen = scheme_named(scheme)
    pair = replies.clean(question, answer)
    interpreter = Interpreter(bundle, threads)
    explanation = interpreter.explain(question, answer, chosen) if explain else None
    reading = explanation.reading if explanation else interpreter.read_clean([pair], chosen)[0]
    if as_json:
        fields = {"question": question, "reply": answer, **reading.to_dict()}
        print(json.dumps(explanation.to_dict() if explanation else fields, ensure_ascii=False))
        return
    if reading.warning:
        say(f"meant: {reading.warning}")
    print(told(reading))
    if explanation:
        print(told_words(explanation))


def told(reading: Reading) -> str:
    """A reading in a line, the other labels above 1 % after it, and a note where it is probably no answer."""
    others = sorted(
        ((share, label) for label, share in reading.probabilities.items() if label != reading.label), reverse=True
    )
    rest = ", ".join(f"{label} {percent(share)}" for share, label in others if share >= 0.01)
    line = f"{reading.label}  ({percent(reading.confidence)})" + (f"   {rest}" if rest else "")
    if reading.other is not None and reading.other > 0.5:
        line += f"\nprobably no answer at all (other {percent(reading.other)})"
    return line


def told_words(explanation: Explanation) -> str:
    """The words that matter most, each with what the label's probability does without it."""
    label = explanation.reading.label
    words = [word for word in explanation.strongest(_WORDS) if abs(word.fall) >= 0.005]
    if not words:
        return f"no single word carries it: without any one of them {label!r} keeps its probability"
    width = max(len(word.text) for word in words)
    lines = [
        f"  {word.text:<{width}}  {abs(word.fall) * 100:3.0f} points {'less' if word.fall > 0 else 'more'}"
        for word in words
    ]
    return "\n".join([f"{label!r} without the word:", *lines])


def percent(share: float) -> str:
    """97 %"""
    return f"{share * 100:.0f} %"


def _file(
    file: Path,
    out: Path | None,
    format: str | None,
    scheme: str,
    question_column: str | None,
    reply_column: str | None,
    prefix: str,
    skip_bad: bool,
    overwrite: bool,
    bundle: Path | None,
    threads: int | None,
) -> None:
    from ..files.format import formats
    from ..files.job import Job, run
    from ..files.source import opening
    from ..interpreter import Interpreter
    from ..labels import scheme_named

    source, target = _path(file), _path(out)
    if source is not None:
        with opening(source):
            if source.is_dir():
                raise InputError(f"{source} is a folder: name a file in it.")
    reading, writing = formats(source, target, format)
    job = Job(
        source,
        target,
        reading,
        writing,
        scheme_named(scheme),
        question_column,
        reply_column,
        prefix,
        skip_bad,
        overwrite,
    )
    summary = run(job, Interpreter(bundle, threads))
    if target is not None or summary.bad:
        left_out = f", {summary.bad:,} of them bad and left out" if summary.bad else ""
        rows = "1 row" if summary.rows == 1 else f"{summary.rows:,} rows"
        say(f"{rows} read{left_out}{f' -> {target}' if target else ''}")


def _path(path: Path | None) -> Path | None:
    return None if path is None or str(path) == "-" else path
