"""The command line: one module per command group, each thin and importing its work only when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from .. import __version__
from ..errors import MeantError
from . import bench, corpus, reply, train
from .voice import say

app = typer.Typer(
    name="meant",
    help="Understand what people mean when they don't say it.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("reply")(reply.reply)
app.add_typer(corpus.app, name="corpus")
app.add_typer(train.app, name="train")
app.add_typer(bench.app, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"meant {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Understand what people mean when they don't say it."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; whatever goes wrong becomes a sentence on stderr and an exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: what would go there goes nowhere
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (open as long as we run)
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):  # half characters from the command line must not end in a traceback
            stream.reconfigure(errors="replace", **({} if stream.isatty() else {"encoding": "utf-8"}))
    sys.exit(_code(arguments))


def _code(arguments: Sequence[str] | None) -> int:
    try:
        code = app(list(sys.argv[1:] if arguments is None else arguments), prog_name="meant", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except MeantError as error:
        return _fail(str(error), error.code)
    except typer.Exit as leave:
        return int(leave.exit_code)
    except typer.Abort:
        return 130
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read our output has seen enough
        _let_go_of_stdout()
        return 1
    except MemoryError:
        return _fail("There is not enough memory: close something or use fewer --threads.", 1)
    except OSError as error:
        return _fail(f"The system refused: {error.strerror or error}{_named(error)}.", 1)
    except Exception as error:
        # What is wrong with the command itself comes from the parser's own classes, which typer does not export.
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            return _fail(f"{_advised(error.format_message())} See  {_command(error)} --help.", int(error.exit_code))
        raise


def _fail(sentence: str, code: int) -> int:
    _let_go_of_stdout()
    say(f"meant: {sentence}")
    return code


def _advised(wrong: str) -> str:
    text = wrong.rstrip(".") + "."
    if wrong.startswith("No such option"):
        text += " A text that begins with - stands after -- ."
    return text


def _named(error: OSError) -> str:
    return f" ({error.filename})" if error.filename else ""


def _command(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return str(context.command_path) if context is not None else "meant"


def _let_go_of_stdout() -> None:
    """Write out what stdout holds; if that fails, send it nowhere, or Python tries again at exit and complains."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
