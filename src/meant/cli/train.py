"""meant train: fine-tune, chain, distil and export readers of replies."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError, MissingExtra
from .voice import say

if TYPE_CHECKING:
    from ..training.settings import Settings

app = typer.Typer(help="Fine-tune, chain, distil and export. Needs meant[train].", rich_markup_mode=None)

EXTRA = ("accelerate", "onnx", "safetensors", "sklearn", "torch", "transformers")  # the modules of meant[train]


def _above_zero(rate: float) -> float:
    if not 0 < rate < math.inf:
        raise InputError(f"--learning-rate takes a number above 0, such as 5e-5, not {rate:g}.")
    return rate


def _from_zero(extra: float) -> float:
    if not 0 <= extra < math.inf:
        raise InputError(f"--extra takes a number from 0, such as 16, not {extra:g}.")
    return extra


Base = Annotated[str, typer.Option(help="A hub id, a model folder, or an earlier run (the next link of a chain).")]
Out = Annotated[Path, typer.Option(help="The folder of this run. A killed run goes on from here.")]
Data = Annotated[Path | None, typer.Option(help="The folder of the corpora, if not MEANT_DATA.")]
Rate = Annotated[float, typer.Option(callback=_above_zero, help="The highest learning rate.")]
Epochs = Annotated[int, typer.Option(min=1, help="How often each example is met.")]
Batch = Annotated[int, typer.Option(min=1, help="Examples a step, over all processes.")]
Length = Annotated[int, typer.Option(min=8, max=65536, help="Tokens at which a pair is cut.")]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Of the head, the order and the dropout.")]
Layers = Annotated[str, typer.Option(help="The base's layers to keep, such as 0,2,4; all if empty.")]
Precision = Annotated[str, typer.Option(help="fp32, bf16, or auto: bf16 on a GPU.")]
SaveEvery = Annotated[int, typer.Option(min=1, help="Steps between two states from which a killed run can go on.")]
Json = Annotated[bool, typer.Option("--json", help="Print the run's record as JSON.")]
Split = Annotated[str, typer.Option(help="release, paper:SEED or scenario:K.")]
Scheme = Annotated[str, typer.Option(help="Which rows the paper's splits hold: strict or relaxed.")]
Target = Annotated[str, typer.Option(help="gold, votes, or mixed: half of each.")]
Refit = Annotated[bool, typer.Option("--refit", help="Train on the rows of dev as well, with settings chosen before.")]


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _needs_extra() -> None:
    """Called in the commands, so that their --help needs nothing."""
    if not all(map(find_spec, EXTRA)):
        raise MissingExtra("train", "Training")
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


@app.command()
def nli(
    base: Base,
    out: Out,
    learning_rate: Rate = 5e-5,
    epochs: Epochs = 2,
    batch: Batch = 128,
    max_length: Length = 128,
    seed: Seed = 0,
    layers: Layers = "",
    precision: Precision = "auto",
    save_every: SaveEvery = 500,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Train on natural language inference, in the shape of question and reply: the first link of a chain.

    \b
      meant train nli --base sentence-transformers/all-mpnet-base-v2 --out runs/nli-large
    """
    _needs_extra()
    from ..labels import ENTAILMENT
    from ..training.finetune import check_out
    from ..training.recipes import inference_examples
    from ..training.settings import Settings

    settings = Settings(
        base=base, labels=ENTAILMENT, task="nli", learning_rate=learning_rate, epochs=epochs, batch=batch,
        max_length=max_length, seed=seed, precision=precision, layers=_layers(layers),
        data={"base": _origin(base), "chain": _chain(base), "sources": _sources(base, ["MultiNLI", "SNLI"])},
    )  # fmt: skip
    check_out(out, base)  # told before all examples are made
    train, dev = inference_examples(data)
    _run(settings, train, dev, out, save_every, as_json)


@app.command()
def reply(
    base: Base,
    out: Out,
    split: Split = "release",
    scheme: Scheme = "strict",
    target: Target = "mixed",
    pairs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Learn from labelled pairs (meant train pairs), not from marks.")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Take this many of the pairs or rows.")] = None,
    refit: Refit = False,
    temperature_of: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Take the temperature of this run, which was fitted on dev.")
    ] = None,
    direct: Annotated[int, typer.Option(min=0, help="Direct replies made for each question.")] = 4,
    off_topic: Annotated[int, typer.Option(min=0, help="Replies that answer nothing, for each question.")] = 1,
    written: Annotated[int, typer.Option(min=0, help="How often a hand-written example is met an epoch.")] = 3,
    opposites: Annotated[bool, typer.Option(help="Turn questions into their opposites.")] = True,
    asked: Annotated[int, typer.Option(min=0, help="Inference pairs, asked and answered.")] = 0,
    learning_rate: Rate = 8e-5,
    epochs: Epochs = 3,
    batch: Batch = 128,
    max_length: Length = 64,
    seed: Seed = 0,
    layers: Layers = "",
    precision: Precision = "auto",
    save_every: SaveEvery = 500,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Train a reader of replies on Circa: a teacher from the marks, or a student from labelled pairs.

    \b
      meant train reply --base runs/nli-large --asked 15000 --out runs/teacher-0
      meant train reply --base runs/nli-small --pairs runs/pairs.jsonl --asked 30000 \\
          --learning-rate 3e-4 --batch 512 --out runs/student
    """
    _needs_extra()
    from ..labels import HEAD
    from ..training.finetune import check_out
    from ..training.recipes import ReplyData, reply_examples
    from ..training.settings import Settings

    options = ReplyData(
        split=split, scheme=scheme, refit=refit, target=target, direct=direct, off_topic=off_topic,
        written=written, opposites=opposites, asked=asked, seed=seed,
    )  # fmt: skip
    temperature = None if temperature_of is None else _temperature(temperature_of)
    own = ["Circa", "meant's own examples", *["CLINC150"] * bool(off_topic), *["MultiNLI", "SNLI"] * bool(asked)]
    made_of = {
        "base": _origin(base), "chain": _chain(base),
        "split": split, "scheme": scheme, "refit": refit, "target": target,
        "direct": direct, "off_topic": off_topic, "written": written, "opposites": opposites, "asked": asked,
        "pairs": None if pairs is None else pairs.name, "sample": sample,
        "sources": _sources(base, own),
    }  # fmt: skip
    settings = Settings(
        base=base, labels=HEAD, learning_rate=learning_rate, epochs=epochs, batch=batch, max_length=max_length,
        seed=seed, precision=precision, layers=_layers(layers), data=made_of,
    )  # fmt: skip
    check_out(out, base)  # told before all examples are made
    train, dev = reply_examples(options, data, pairs, sample)
    if temperature is None and not dev:
        raise InputError(
            "With --refit nothing is left to fit a temperature on: add --temperature-of RUN, or --pairs with --sample."
        )
    _run(settings, train, dev, out, save_every, as_json, temperature, taught=refit and pairs is not None)


@app.command()
def pairs(
    teacher: Annotated[list[Path], typer.Option(help="A finished run; several are averaged.")],
    out: Annotated[Path, typer.Option(help="The file of labelled pairs (jsonl).")],
    extra: Annotated[float, typer.Option(callback=_from_zero, help="Replies to other questions, for each row.")] = 16,
    split: Split = "release",
    scheme: Scheme = "strict",
    target: Target = "mixed",
    refit: Refit = False,
    seed: Seed = 0,
    data: Data = None,
) -> None:
    """Label the rows of Circa, and replies swapped between questions, by teachers: what students learn from.

    \b
      meant train pairs --teacher runs/teacher-0 --teacher runs/teacher-1 --extra 16 --out runs/pairs.jsonl
    """
    _needs_extra()
    from ..training.model import record_of
    from ..training.recipes import ReplyData, labelled_pairs, write_examples

    for run in teacher:
        record_of(run)
    if out.exists():
        raise InputError(f"{out} is there already: name another file, or delete it.")
    out.parent.mkdir(parents=True, exist_ok=True)
    options = ReplyData(split=split, scheme=scheme, refit=refit, target=target, seed=seed)
    found = labelled_pairs(options, [str(folder) for folder in teacher], extra, data)
    write_examples(out, found)
    say(f"{len(found):,} pairs -> {out}")


@app.command()
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run.")],
    out: Annotated[Path, typer.Option(help="The bundle's folder.")],
    name: Annotated[str, typer.Option(help="What the bundle calls itself.")] = "meant-replies",
    max_length: Length = 128,
    fp32: Annotated[bool, typer.Option("--fp32", help="Keep full precision: four times the size.")] = False,
) -> None:
    """Write a run as a bundle: an int8 ONNX model, a tokenizer, and a card with every source and its licence.

    \b
      meant train export runs/shipped --out my-bundle
      MEANT_BUNDLE=my-bundle meant reply "Hungry?" "I just ate."
    """
    _needs_extra()
    from ..training.export import export as write
    from ..training.sources import sources_of

    write(run, out, name=name, sources=sources_of(run), max_length=max_length, int8=not fp32)
    size = sum(file.stat().st_size for file in out.iterdir()) / 1e6
    say(f"{out}: {size:.1f} MB")


@app.command()
def restore(
    out: Annotated[Path, typer.Option(help="The folder of the run.")],
    bundle: Annotated[Path | None, typer.Option(metavar="DIR", help="Another bundle than the one that ships.")] = None,
) -> None:
    """Turn a bundle's eight-bit weights back into a run, to train it further or to use it on a GPU.

    \b
      meant train restore --out runs/restored
      meant train reply --base runs/restored --learning-rate 2e-5 --epochs 1 --out runs/mine
    """
    _needs_extra()
    from ..training.restoration import restore as write

    if out.exists():
        raise InputError(f"{out} is there already: name another folder.")
    write(None if bundle is None else str(bundle), str(out))
    say(f"{out}")


@app.command()
def plot(
    run: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs, finished or not.")],
    out: Annotated[Path, typer.Option(help="The picture (png, svg or pdf).")],
) -> None:
    """Draw the loss of one or several runs over their steps.

    \b
      meant train plot runs/teacher-0 runs/student --out loss.png
    """
    from ..training.log import draw

    draw(run, out)


def _run(
    settings: Settings,
    train: list[Any],
    dev: list[Any],
    out: Path,
    save_every: int,
    as_json: bool,
    temperature: float | None = None,
    taught: bool = False,
) -> None:
    from ..training.finetune import finetune

    main = int(os.environ.get("RANK", "0")) == 0  # one voice where several processes share the work
    if main:
        say(f"{len(train):,} examples to train on, {len(dev):,} to choose on")
    with _bar(main) as progress:
        record = finetune(settings, train, dev, out, progress, save_every, temperature, taught)
    if not main:
        return
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
    else:
        accuracy = f"dev accuracy {record['dev_accuracy']:.2%}, " if "dev_accuracy" in record else ""
        seen = " (on pairs that the teachers labelled)" if settings.data.get("refit") and accuracy else ""
        print(f"{out}: {accuracy}temperature {record['temperature']:.2f}{seen}")


@contextmanager
def _bar(shown: bool) -> Iterator[Callable[[int, int, float], None] | None]:
    """A progress bar with the loss and the time left; plain lines where stderr is no terminal."""
    if not shown:
        yield None
    elif not sys.stderr.isatty():
        yield lambda step, total, loss: say(f"step {step:,} of {total:,}, loss {loss:.4f}")
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("training"), BarColumn(), MofNCompleteColumn(), TextColumn("loss {task.fields[loss]:.4f}"),
            TimeRemainingColumn(),
        )  # fmt: skip
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("training", total=None, loss=float("nan"))
            yield lambda step, total, loss: progress.update(task, completed=step, total=total, loss=loss)


def _layers(text: str) -> tuple[int, ...]:
    try:
        layers = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise InputError(f"--layers takes numbers with commas, such as 0,2,4, not {text[:40]!r}.") from None
    if len(set(layers)) < len(layers) or min(layers, default=0) < 0:
        raise InputError(f"--layers takes each layer once, counted from 0, such as 0,2,4, not {text[:40]!r}.")
    return layers


def _temperature(run: Path) -> float:
    from ..training.model import record_of

    return float(record_of(run)["temperature"])


def _origin(base: str) -> str:
    """The checkpoint that a chain began with."""
    if (earlier := _data_of(base)) is None:
        return Path(base).name if Path(base).exists() else base
    return str(earlier.get("base", base))


def _chain(base: str) -> list[str]:
    """The runs that led to this one, the last of them its base."""
    earlier = _data_of(base)
    return [] if earlier is None else [*earlier.get("chain", []), Path(base).name]


def _sources(base: str, own: list[str]) -> list[str]:
    """The sources of the runs that led to this one and then its own, each once."""
    from ..training.sources import names_of

    earlier = [] if _data_of(base) is None else names_of(Path(base))
    return list(dict.fromkeys(earlier + own))


def _data_of(base: str) -> dict[str, Any] | None:
    """What an earlier run was made of; None where the base is no run."""
    from ..training.model import RECORD, record_of

    return dict(record_of(base)["settings"]["data"]) if (Path(base) / RECORD).exists() else None
