"""What can go wrong, as sentences. The command line prints the sentence and exits with `code`."""

from __future__ import annotations


class MeantError(Exception):
    """The work failed (exit code 1)."""

    code = 1


class InputError(MeantError, ValueError):
    """What was given is wrong: a text, a file, an option, a bundle (exit code 2)."""

    code = 2


class MissingExtra(MeantError, ImportError):
    """A part of `meant` was asked for whose optional dependencies are not installed."""

    code = 2

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(
            f"{what} needs meant[{extra}]: run  pip install 'meant[{extra}]'  (in a checkout: '.[{extra}]')"
        )


def reason_of(error: BaseException) -> str:
    """What the system, or the first line of what a library, says is wrong; without a stop at its end."""
    told = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return (told.splitlines() or [type(error).__name__])[0][:200].rstrip(".")
